// The JSON report: one object for the whole call, written capture by capture.

import TraceModel
import TraceRules

extension ReportFormat {
  /// One JSON object: the traces with their findings, a summary, problems and copies.
  public static let json = ReportFormat(name: "json", mediaType: "application/json") {
    JSONReport($0)
  }
}

private struct JSONReport: ReportWriter {
  var output: [UInt8] = []
  private var hasTraces = false
  private var summary = ReportSummary()
  /// The elements of `problems` and `copies`, which stand at the end of the report.
  private var problems: [UInt8] = []
  private var copies: [UInt8] = []
  private var gate: GateSummary?
  private let context: ReportContext

  init(_ context: ReportContext) {
    self.context = context
    var json = JSONBuilder()
    json.beginObject()
    json.key("schema_version")
    json.integer(1)
    json.key("tool")
    json.beginObject()
    json.key("name")
    json.string("tracecheck")
    json.key("version")
    json.string(context.toolVersion)
    json.endObject()
    output = json.bytes
    output.append(contentsOf: ",\n\"traces\":[".utf8)
  }

  mutating func capture(_ capture: JudgedCapture) {
    summary.add(capture)
    if let original = capture.copyOf {
      var json = JSONBuilder()
      json.beginObject()
      json.key("path")
      json.string(capture.path)
      json.key("copy_of")
      json.string(original)
      json.endObject()
      Self.append(json.bytes, to: &copies)
      return
    }
    if let failure = capture.failure {
      var json = JSONBuilder()
      json.problem(
        path: capture.path, consequence: "unreadable", location: .input, failure.message,
        advice: failure.advice)
      Self.append(json.bytes, to: &problems)
    }
    for problem in capture.problems {
      var json = JSONBuilder()
      json.problem(
        path: capture.path, consequence: problem.consequence.rawValue, location: problem.location,
        problem.message, advice: problem.advice)
      Self.append(json.bytes, to: &problems)
    }
    for (index, trace) in capture.traces.enumerated() {
      var json = JSONBuilder()
      json.trace(trace, number: index + 1, of: capture, context)
      output.append(contentsOf: (hasTraces ? ",\n" : "\n").utf8)
      output.append(contentsOf: json.bytes)
      hasTraces = true
    }
  }

  mutating func gate(_ summary: GateSummary) { gate = summary }

  mutating func end(elapsedNanoseconds: Int64) {
    output.append(contentsOf: "],\n\"summary\":".utf8)
    var json = JSONBuilder()
    json.beginObject()
    json.key("traces")
    json.integer(summary.traces)
    json.key("events")
    json.integer(summary.events)
    json.key("errors")
    json.integer(summary.errors)
    json.key("warnings")
    json.integer(summary.warnings)
    json.key("notes")
    json.integer(summary.notes)
    json.key("unknown")
    json.integer(summary.unknown)
    json.key("unreadable")
    json.integer(summary.unreadable)
    json.key("damaged")
    json.integer(summary.damaged)
    json.key("problems_omitted")
    json.integer(summary.problemsOmitted)
    json.key("suppressed")
    json.integer(summary.suppressed)
    if let gate {
      json.key("known")
      json.integer(summary.known)
      json.key("fixed")
      json.integer(gate.fixed.count)
      json.key("graver")
      json.integer(gate.graverCount)
      json.key("milder")
      json.integer(gate.milder.count)
      json.key("undecidable")
      json.integer(gate.undecidableCount)
    }
    json.endObject()
    output.append(contentsOf: json.bytes)
    output.append(contentsOf: ",\n\"problems\":[".utf8)
    output.append(contentsOf: problems)
    output.append(contentsOf: "],\n\"copies\":[".utf8)
    output.append(contentsOf: copies)
    output.append(contentsOf: "]".utf8)
    if let gate {
      output.append(contentsOf: ",\n\"coverage\":".utf8)
      output.append(contentsOf: Self.coverage(gate))
    }
    output.append(contentsOf: "}\n".utf8)
  }

  /// Coverage that fell since the baseline.
  private static func coverage(_ gate: GateSummary) -> [UInt8] {
    var json = JSONBuilder()
    json.beginArray()
    for item in gate.partial {
      json.beginObject()
      json.key("app")
      json.string(item.app)
      json.key("rule")
      json.string(item.rule)
      json.key("evaluated")
      json.integer(item.evaluatedCount)
      json.key("traces")
      json.integer(item.traceCount)
      json.key("other_rules")
      json.integer(item.otherRuleCount)
      json.key("message")
      json.string(item.words)
      json.endObject()
    }
    json.endArray()
    return json.bytes
  }

  private static func append(_ element: [UInt8], to list: inout [UInt8]) {
    list.append(contentsOf: (list.isEmpty ? "\n" : ",\n").utf8)
    list.append(contentsOf: element)
  }
}
