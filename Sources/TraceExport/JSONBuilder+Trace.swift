// The JSON of one trace, one finding and one problem, as the JSON and JSON Lines reports share it.
// Names and order of the keys are a contract with scripts: a key is only ever added at an end.

public import TraceModel
import TraceRules

extension JSONBuilder {
  /// - Parameter number: Which trace of the capture it is, from 1.
  mutating func trace(
    _ trace: Judgement, number: Int, of capture: JudgedCapture, _ context: ReportContext
  ) {
    beginObject()
    key("path")
    string(capture.path)
    key("trace_id")
    string(trace.traceID)
    key("format")
    string(capture.format)
    for (name, field) in Self.headerKeys {
      key(name)
      stringOrNull(trace.header.string(field))
    }
    key("profile")
    string(trace.profile)
    key("events")
    integer(trace.eventCount)
    key("launches")
    integer(trace.launchCount)
    key("first_ns")
    integer(trace.firstNanoseconds)
    key("last_ns")
    integer(trace.lastNanoseconds)
    key("completeness")
    string(trace.completeness.rawValue)
    key("findings")
    beginArray()
    for item in trace.findings { finding(item, of: capture) }
    endArray()
    key("quality")
    beginArray()
    for note in trace.quality { quality(note) }
    endArray()
    key("verdicts")
    verdicts(trace.verdicts)
    key("suppressed")
    beginArray()
    for item in trace.suppressed {
      beginObject()
      key("reason")
      string(item.reason)
      key("expires")
      stringOrNull(item.expires)
      key("origin")
      string(item.origin)
      key("finding")
      finding(item.finding, of: capture)
      endObject()
    }
    endArray()
    key("number")
    integer(number)
    if let sources = capture.sources {
      key("sources")
      beginArray()
      for path in sources.paths { string(path) }
      endArray()
    }
    if context.tellsMeasures, number <= capture.measures.count {
      key("measures")
      measures(
        capture.measures[number - 1], of: trace,
        contentHash: number <= capture.contentHashes.count
          ? capture.contentHashes[number - 1] : nil, context)
    }
    endObject()
  }

  /// An input of which nothing could be read, as one line of the JSON Lines report.
  mutating func unreadable(_ failure: CaptureFailure, path: String) {
    beginObject()
    key("path")
    string(path)
    key("unreadable")
    beginObject()
    key("message")
    string(failure.message)
    key("advice")
    string(failure.advice)
    endObject()
    endObject()
  }

  private static let headerKeys: KeyValuePairs<String, HeaderField> = [
    "app": .appBundleID, "app_version": .appVersion, "os_version": .osVersion,
    "device_model": .deviceModel,
  ]

  private mutating func finding(_ finding: Finding, of capture: JudgedCapture) {
    beginObject()
    key("rule")
    string(finding.rule)
    key("slug")
    string(finding.slug)
    key("severity")
    string(finding.severity.rawValue)
    key("reason")
    stringOrNull(finding.reason)
    key("message")
    string(finding.message)
    key("time_ns")
    integer(finding.timeNanoseconds)
    key("thread")
    integer(finding.thread)
    key("launch")
    integer(finding.launch)
    key("count")
    integer(finding.count)
    key("last_time_ns")
    integer(finding.lastTimeNanoseconds)
    key("subject")
    string(finding.subject)
    key("fingerprint")
    string(finding.fingerprint)
    key("confidence")
    string(finding.confidence.rawValue)
    key("witness")
    beginArray()
    for event in finding.witness { witness(event, of: capture) }
    endArray()
    key("witness_omitted")
    integer(finding.witnessOmittedCount)
    if let state = finding.baseline {
      key("baseline")
      string(state.rawValue)
    }
    endObject()
  }

  private mutating func witness(_ event: WitnessEvent, of capture: JudgedCapture) {
    beginObject()
    key("index")
    integer(event.ordinal)
    key("time_ns")
    integer(event.timeNanoseconds)
    key("event")
    string(event.event)
    key("phase")
    string(event.phase.word)
    key("thread")
    integer(event.thread)
    key("role")
    string(event.role)
    key("args")
    beginObject()
    for argument in event.arguments {
      key(argument.name)
      value(argument.value)
    }
    endObject()
    let places = capture.places(of: event)
    key("source")
    if let first = places.first { place(first) } else { null() }
    if places.count > 1 {
      key("sources")
      beginArray()
      for item in places { place(item) }
      endArray()
    }
    endObject()
  }

  private mutating func place(_ place: SourcePlace) {
    beginObject()
    key("path")
    string(place.path)
    key("line")
    integer(place.line)
    endObject()
  }

  /// Writes the value of an argument.
  public mutating func value(_ value: ArgumentValue) {
    switch value {
    case .integer(let value): integer(value)
    case .unsigned(let value): integer(value)
    case .number(let value): number(value)
    case .boolean(let value): boolean(value)
    case .string(let text): string(text)
    case .json(let text): json(text)
    }
  }

  /// Writes the value of a header field.
  public mutating func value(_ value: HeaderValue) {
    switch value {
    case .integer(let value): integer(value)
    case .boolean(let value): boolean(value)
    case .string(let text): string(text)
    case .strings(let texts):
      beginArray()
      for text in texts { string(text) }
      endArray()
    case .json(let text): json(text)
    }
  }

  private mutating func quality(_ note: QualityNote) {
    beginObject()
    key("id")
    string(note.id)
    key("count")
    integer(note.count)
    key("message")
    string(note.message)
    endObject()
  }

  private mutating func verdicts(_ verdicts: [String: VerdictCounts]) {
    beginObject()
    for (rule, counts) in verdicts.sorted(by: { $0.key < $1.key }) {
      key(rule)
      beginObject()
      key("violated")
      integer(counts.violated)
      key("unknown")
      integer(counts.unknown)
      key("not_evaluated")
      boolean(counts.notEvaluated)
      key("unknown_reasons")
      beginObject()
      for (reason, count) in counts.unknownReasons.sorted(by: { $0.key < $1.key }) {
        key(reason)
        integer(count)
      }
      endObject()
      endObject()
    }
    endObject()
  }

  mutating func problem(
    path: String, consequence: String, location: InputProblem.Location, _ message: String,
    advice: String
  ) {
    beginObject()
    key("path")
    string(path)
    key("consequence")
    string(consequence)
    var bytes: Range<UInt64>?
    var place: (line: Int, column: Int)?
    switch location {
    case .input: break
    case .bytes(let range): bytes = range
    case .line(let line, let column): place = (line, column)
    }
    for (name, number) in [
      ("first_byte", bytes.map { "\($0.lowerBound)" }),
      ("end_byte", bytes.map { "\($0.upperBound)" }),
      ("line", place.map { "\($0.line)" }), ("column", place.map { "\($0.column)" }),
    ] {
      key(name)
      literal(number ?? "null")
    }
    key("message")
    string(message)
    key("advice")
    string(advice)
    endObject()
  }
}
