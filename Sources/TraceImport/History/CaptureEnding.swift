// What is said of a capture when all its traces have been told: problems, then remarks.
// This file must not know line formats or wordings.

import TraceModel

/// The last steps of a finished import.
struct CaptureEnding: Sendable {
  private var problems: [InputProblem] = []
  private var remarks: [CaptureRemark] = []

  init(_ history: CaptureHistory, _ summary: CaptureSummary) {
    noteProblems(history, summary)
    noteRemarks(history, summary)
  }

  mutating func next() -> DecoderStep {
    if !problems.isEmpty { return .problem(problems.removeFirst()) }
    return remarks.isEmpty ? .end : .remark(remarks.removeFirst())
  }

  private mutating func noteProblems(_ history: CaptureHistory, _ summary: CaptureSummary) {
    if let line = summary.firstTooLongLine {
      problems.append(
        InputProblem(
          .skipped, at: .line(Int(line), column: ImportLimits.lineBytesMax + 1),
          "a line is longer than \(ImportLimits.lineBytesMax) bytes; "
            + "the rest of such lines is skipped"
        ))
    }
    if history.log.directory.isFull {
      problems.append(
        InputProblem(
          .skipped, at: .input,
          "more than \(ImportLimits.processesMax) processes have life-cycle lines at a time; "
            + "those of further processes are skipped",
          advice: "export the lines of the app and of runningboardd and SpringBoard only"))
    }
    if history.hasTooManyTraces {
      problems.append(
        InputProblem(
          .truncated, at: .input,
          "more than \(ImportLimits.logTracesMax) processes have life-cycle lines; "
            + "those of further processes are not read",
          advice: "cut the capture into parts"))
    }
  }

  /// What is said of a capture without events.
  private static func nothing(told count: Int, of lines: String) -> CaptureRemark {
    guard count > 0 else {
      return CaptureRemark(id: "capture", message: "no life-cycle lines among \(lines)")
    }
    return CaptureRemark(
      id: CaptureRemark.eventlessID,
      message: "no line tells what an app did; \(count) of \(lines) told of launches, rights or "
        + "states of apps")
  }

  private mutating func noteRemarks(_ history: CaptureHistory, _ summary: CaptureSummary) {
    let warnings = history.log.warnings
    if history.traceCount == 0, warnings.isEmpty {
      var source = ""
      if !summary.processName.isEmpty {
        source = " of \(summary.processName)" + (summary.hasSeveralProcesses ? " and others" : "")
      }
      remarks.append(
        Self.nothing(told: history.log.toldCount, of: "\(summary.lineCount) lines\(source)"))
    }
    if let line = summary.firstCutLine {
      remarks.append(
        CaptureRemark(
          id: "capture",
          message: "line \(line) is longer than \(ImportLimits.lineBytesMax) bytes; "
            + "only the beginning of such lines is read"))
    }
    for warning in warnings { remarks.append(CaptureRemark(id: "capture", message: warning)) }
  }
}
