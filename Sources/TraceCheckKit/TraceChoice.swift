// Which trace of a capture is drawn, for captures that hold several.

import TraceExport

/// A trace of a capture, and the option that names it.
struct TraceChoice {
  var option: String
  var path: String
  /// From 1.
  var number: Int

  /// Says that there is more than what is drawn, or nothing.
  ///
  /// - Throws: ``UsageError`` if the capture doesn't hold the trace.
  func tell(traceCount: Int) throws(UsageError) {
    let path = PrintableText.printable(path)
    if traceCount < number {
      let holds = traceCount == 1 ? "1 trace" : "\(traceCount) traces"
      let advice =
        traceCount == 0
        ? "" : traceCount == 1 ? "; leave it out" : "; give a number from 1 to \(traceCount)"
      throw UsageError("\(option) \(number) is not in \(path), which holds \(holds)\(advice)")
    }
    if traceCount > 1 {
      printProblems(
        Array(
          "\(path): trace \(number) of \(traceCount) is drawn; \(option) names another\n".utf8))
    }
  }
}
