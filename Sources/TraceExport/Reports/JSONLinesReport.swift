// The JSON Lines report: one trace of the JSON report per line, so that reports can be joined with
// `cat` and read while they are written. An input that can't be read is a line, too.

import TraceModel
import TraceRules

extension ReportFormat {
  /// One element of the JSON report's `traces` per line.
  public static let jsonl = ReportFormat(name: "jsonl", mediaType: "application/jsonl") {
    JSONLinesReport(context: $0)
  }
}

private struct JSONLinesReport: ReportWriter {
  var output: [UInt8] = []
  let context: ReportContext

  mutating func capture(_ capture: JudgedCapture) {
    if capture.copyOf != nil { return }
    if let failure = capture.failure, capture.traces.isEmpty {
      line { $0.unreadable(failure, path: capture.path) }
    }
    let context = context
    for (index, trace) in capture.traces.enumerated() {
      line { $0.trace(trace, number: index + 1, of: capture, context) }
    }
  }

  private mutating func line(_ write: (inout JSONBuilder) -> Void) {
    var json = JSONBuilder()
    write(&json)
    output.append(contentsOf: json.bytes)
    output.append(UInt8(ascii: "\n"))
  }

  mutating func end(elapsedNanoseconds: Int64) {}
}
