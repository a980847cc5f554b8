// The SARIF report, version 2.1.0: what code scanning services take. Results are written as they
// come; the rules that they name stand behind them.

import TraceModel
import TraceRules

extension ReportFormat {
  /// One SARIF log with one run.
  public static let sarif = ReportFormat(name: "sarif", mediaType: "application/sarif+json") {
    SARIFReport($0)
  }
}

struct SARIFReport: ReportWriter {
  var output: [UInt8]
  private let context: ReportContext
  private var resultCount = 0
  private var omittedCount = 0
  private var ruleIndices: [String: Int] = [:]
  private var ruleIDs: [String] = []
  private var notifications: [String] = []
  private var isReadable = true

  /// Results of one run that GitHub's code scanning takes.
  static let resultsMax = 25_000
  /// The last places are kept for what is graver than a note, and than a warning.
  private static let notesMax = 15_000
  private static let warningsMax = 20_000
  /// Inputs that couldn't be read and are named; a service shows few of them.
  private static let notificationsMax = 1_000
  /// Events of a code flow: as many as anybody follows.
  private static let flowEventsMax = 100

  init(_ context: ReportContext) {
    self.context = context
    output = Array(
      """
      {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{
      "results":[
      """.utf8)
  }

  mutating func capture(_ capture: JudgedCapture) {
    if capture.copyOf != nil { return }
    if let failure = capture.failure { note(capture.path, failure.message) }
    if capture.isDamaged { note(capture.path, capture.problems.first?.message ?? "it is damaged") }
    for trace in capture.traces {
      for finding in trace.findings { result(finding, nil, trace, capture) }
      for item in trace.suppressed { result(item.finding, item, trace, capture) }
    }
  }

  private mutating func note(_ path: String, _ message: String) {
    isReadable = false
    if notifications.count >= Self.notificationsMax { return }
    notifications.append(
      ReportEscapes.sarif("\(context.paths.fromRoot(path)): \(message)"))
  }

  mutating func end(elapsedNanoseconds: Int64) {
    var json = JSONBuilder()
    json.beginObject()
    json.key("driver")
    json.beginObject()
    json.key("name")
    json.string("tracecheck")
    json.key("version")
    json.string(context.toolVersion)
    json.key("semanticVersion")
    json.string(context.toolVersion)
    json.key("rules")
    json.beginArray()
    for id in ruleIDs { Self.rule(id, context.ruleText(id), to: &json) }
    json.endArray()
    json.endObject()
    json.endObject()
    output.append(contentsOf: "\n],\n\"tool\":".utf8)
    output.append(contentsOf: json.bytes)
    output.append(contentsOf: ",\n\"invocations\":".utf8)
    output.append(contentsOf: invocations())
    output.append(
      contentsOf: ",\n\"automationDetails\":{\"id\":\"tracecheck/\"},\"columnKind\":".utf8)
    output.append(contentsOf: "\"unicodeCodePoints\"}]}\n".utf8)
  }

  private func invocations() -> [UInt8] {
    var texts = notifications.map { ("error", $0) }
    if omittedCount > 0 {
      texts.append(("warning", "\(omittedCount) results are left out of this report"))
    }
    var json = JSONBuilder()
    json.beginArray()
    json.beginObject()
    json.key("executionSuccessful")
    json.boolean(isReadable)
    json.key("toolExecutionNotifications")
    json.beginArray()
    for (level, text) in texts {
      json.beginObject()
      json.key("level")
      json.string(level)
      json.message(text)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endArray()
    return json.bytes
  }

  private static func rule(_ id: String, _ text: RuleText?, to json: inout JSONBuilder) {
    json.beginObject()
    json.key("id")
    json.string(PrintableText.printable(id))
    if let text {
      json.key("name")
      json.string(PrintableText.printable(text.slug))
      json.message(text.summary, key: "shortDescription")
      json.message(text.rationale.isEmpty ? text.summary : text.rationale, key: "fullDescription")
      json.message("\(text.consequence) \(text.advice)", key: "help")
      json.key("defaultConfiguration")
      json.beginObject()
      json.key("level")
      json.string(text.severity.rawValue)
      json.endObject()
      json.key("properties")
      json.beginObject()
      json.key("tags")
      json.beginArray()
      json.string(PrintableText.printable(String(text.slug.prefix { $0 != "/" })))
      json.endArray()
      json.endObject()
    }
    json.endObject()
  }

  // A result.

  private mutating func result(
    _ finding: Finding, _ suppressed: SuppressedFinding?, _ trace: Judgement,
    _ capture: JudgedCapture
  ) {
    let limit =
      switch finding.severity {
      case .error: Self.resultsMax
      case .warning: Self.warningsMax
      case .note: Self.notesMax
      }
    guard resultCount < limit else {
      omittedCount += 1
      return
    }
    var json = JSONBuilder()
    json.beginObject()
    json.key("ruleId")
    json.string(PrintableText.printable(finding.rule))
    json.key("ruleIndex")
    json.integer(index(of: finding.rule))
    json.key("level")
    json.string(finding.severity.rawValue)
    let words = FindingText.sentence(finding)
    json.message("\(words); \(FindingText.place(of: finding))")
    locations(finding, capture, to: &json)
    flow(finding, capture, to: &json)
    related(finding, trace, capture, to: &json)
    fingerprints(finding, to: &json)
    if let state = finding.baseline {
      json.key("baselineState")
      json.string(state.rawValue)
    }
    if let suppressed {
      json.key("suppressions")
      json.beginArray()
      json.beginObject()
      json.key("kind")
      json.string("external")
      json.key("status")
      json.string("accepted")
      json.key("justification")
      json.string(PrintableText.printable(suppressed.reason))
      json.endObject()
      json.endArray()
    }
    properties(finding, trace, capture, to: &json)
    json.endObject()
    output.append(contentsOf: (resultCount > 0 ? ",\n" : "\n").utf8)
    output.append(contentsOf: json.bytes)
    resultCount += 1
  }

  private mutating func index(of rule: String) -> Int {
    if let index = ruleIndices[rule] { return index }
    ruleIndices[rule] = ruleIDs.count
    ruleIDs.append(rule)
    return ruleIDs.count - 1
  }

  private func locations(
    _ finding: Finding, _ capture: JudgedCapture, to json: inout JSONBuilder
  ) {
    json.key("locations")
    json.beginArray()
    json.beginObject()
    if let anchor = context.sarifAnchor {
      json.physicalLocation(uri: context.paths.uri(anchor), line: 1)
    } else {
      let place = FindingText.place(of: finding, in: capture)
      json.physicalLocation(uri: context.paths.uri(place.path), line: Int(place.line))
    }
    json.key("logicalLocations")
    json.beginArray()
    json.beginObject()
    json.key("fullyQualifiedName")
    json.string(PrintableText.printable(finding.subject))
    json.endObject()
    json.endArray()
    json.endObject()
    json.endArray()
  }

  private func flow(_ finding: Finding, _ capture: JudgedCapture, to json: inout JSONBuilder) {
    if finding.witness.isEmpty { return }
    json.key("codeFlows")
    json.beginArray()
    json.beginObject()
    json.key("threadFlows")
    json.beginArray()
    json.beginObject()
    json.key("locations")
    json.beginArray()
    for (place, event) in finding.witness.prefix(Self.flowEventsMax).enumerated() {
      json.beginObject()
      json.key("executionOrder")
      json.integer(place + 1)
      json.key("location")
      json.beginObject()
      let source = capture.places(of: event).first
      json.physicalLocation(
        uri: context.paths.uri(source?.path ?? capture.anyPath),
        line: (source?.line).map { Int($0) })
      json.message(FindingText.witness(event, of: finding, in: capture))
      json.endObject()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endArray()
    json.endObject()
    json.endArray()
  }

  /// The capture, if the finding is shown elsewhere, and the timeline.
  private func related(
    _ finding: Finding, _ trace: Judgement, _ capture: JudgedCapture, to json: inout JSONBuilder
  ) {
    var places: [(uri: String, line: Int?, words: String)] = []
    if context.sarifAnchor != nil {
      let place = FindingText.place(of: finding, in: capture)
      places.append((context.paths.uri(place.path), Int(place.line), "the capture"))
    }
    if let link = context.timelineLink {
      let address = link.address(of: finding, in: trace, path: capture.path)
      places.append((address, nil, "the timeline"))
    }
    if places.isEmpty { return }
    json.key("relatedLocations")
    json.beginArray()
    for (index, place) in places.enumerated() {
      json.beginObject()
      json.key("id")
      json.integer(index + 1)
      json.physicalLocation(uri: place.uri, line: place.line)
      json.message(place.words)
      json.endObject()
    }
    json.endArray()
  }

  private func fingerprints(_ finding: Finding, to json: inout JSONBuilder) {
    let print = PrintableText.printable(finding.fingerprint)
    json.key("partialFingerprints")
    json.beginObject()
    // The same fault in another capture is the same alert, wherever it is shown.
    json.key("primaryLocationLineHash")
    json.string("\(print.split(separator: ":").last ?? "0"):1")
    json.key("tracecheckFingerprint/v1")
    json.string(print)
    json.endObject()
  }

  private func properties(
    _ finding: Finding, _ trace: Judgement, _ capture: JudgedCapture, to json: inout JSONBuilder
  ) {
    json.key("properties")
    json.beginObject()
    json.key("capture")
    json.string(PrintableText.printable(context.paths.shown(capture)))
    json.key("traceId")
    json.string(PrintableText.printable(trace.traceID))
    json.key("timeNanoseconds")
    json.integer(finding.timeNanoseconds)
    json.key("launch")
    json.integer(finding.launch)
    json.key("count")
    json.integer(finding.count)
    json.key("confidence")
    json.string(finding.confidence.rawValue)
    json.endObject()
  }
}

extension JSONBuilder {
  /// A SARIF message: an object with a text.
  fileprivate mutating func message(_ text: String, key name: String = "message") {
    key(name)
    beginObject()
    key("text")
    string(ReportEscapes.sarif(text))
    endObject()
  }

  fileprivate mutating func physicalLocation(uri: String, line: Int?) {
    key("physicalLocation")
    beginObject()
    key("artifactLocation")
    beginObject()
    key("uri")
    string(uri)
    endObject()
    if let line {
      key("region")
      beginObject()
      key("startLine")
      integer(line)
      endObject()
    }
    endObject()
  }
}
