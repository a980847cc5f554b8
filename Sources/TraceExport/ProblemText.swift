// One line for each problem of an input, in the form that editors and people know:
// `path:line:column: what is wrong`.

public import TraceModel

/// Formats what goes to standard error.
public enum ProblemText {
  /// The lines for everything that was wrong with a capture; empty if nothing was.
  public static func lines(of capture: JudgedCapture) -> [UInt8] {
    var output: [UInt8] = []
    if let failure = capture.failure ?? capture.notice {
      append(path: capture.path, .input, failure.message, failure.advice, to: &output)
    }
    for problem in capture.problems {
      append(path: capture.path, problem, to: &output)
    }
    if capture.problemsOmittedCount > 0 {
      append(
        path: capture.path, .input, "\(capture.problemsOmittedCount) more problems",
        "",
        to: &output)
    }
    return output
  }

  /// The line for a failure that belongs to no input.
  public static func line(of failure: CaptureFailure) -> [UInt8] {
    var output: [UInt8] = []
    append(path: "tracecheck", .input, failure.message, failure.advice, to: &output)
    return output
  }

  /// Appends the line for one problem.
  public static func append(path: String, _ problem: InputProblem, to output: inout [UInt8]) {
    append(path: path, problem.location, problem.message, problem.advice, to: &output)
  }

  private static func append(
    path: String, _ location: InputProblem.Location, _ message: String, _ advice: String,
    to output: inout [UInt8]
  ) {
    PrintableText.append(path, to: &output)
    switch location {
    case .input: break
    case .bytes(let range):
      // The last byte is named, not the one behind it.
      let isOne = range.count <= 1
      output.append(
        contentsOf: isOne
          ? ": byte \(range.lowerBound)".utf8
          : ": bytes \(range.lowerBound)-\(range.upperBound - 1)".utf8)
    case .line(let line, let column): output.append(contentsOf: ":\(line):\(column)".utf8)
    }
    output.append(contentsOf: ": ".utf8)
    PrintableText.append(message, to: &output)
    if !advice.isEmpty {
      output.append(contentsOf: "; ".utf8)
      PrintableText.append(advice, to: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }
}
