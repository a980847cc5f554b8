// The JSON Lines report: one trace of the JSON report per line, so that reports can be joined with
// `cat` and read while they are written.

import TraceRules

extension ReportFormat {
  /// One element of the JSON report's `traces` per line.
  public static let jsonl = ReportFormat(name: "jsonl", mediaType: "application/jsonl") { _ in
    JSONLinesReport()
  }
}

private struct JSONLinesReport: ReportWriter {
  var output: [UInt8] = []

  mutating func capture(_ capture: JudgedCapture) {
    if capture.copyOf != nil { return }
    for trace in capture.traces {
      var json = JSONBuilder()
      json.trace(trace, of: capture)
      output.append(contentsOf: json.bytes)
      output.append(UInt8(ascii: "\n"))
    }
  }

  mutating func end(elapsedNanoseconds: Int64) {}
}
