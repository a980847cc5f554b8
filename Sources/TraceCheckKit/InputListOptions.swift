// Which captures a check takes: those named and listed, and of all of them a share.

import ArgumentParser
import TraceExport
import TraceIO
import TracePipeline

/// The inputs of a check.
struct InputListOptions: ParsableArguments {
  @OptionGroup var capturePaths: CapturePaths

  @Option(
    help: ArgumentHelp(
      "Check only the I-th of N shares of the traces; which share a trace is in follows from its"
        + " id.", valueName: "i/n"))
  var shard: String?

  @Option(
    help: ArgumentHelp(
      "Check so many captures at once; the reports stay the same. (default: one for each core)",
      valueName: "n"))
  var jobs: Int?

  /// Captures at once: a thread for each is all that the system may have to give.
  private static let jobsMax = 256

  func jobCount() throws(UsageError) -> Int {
    guard let jobs else { return min(ProcessorCores.count, Self.jobsMax) }
    guard (1...Self.jobsMax).contains(jobs) else {
      throw UsageError("--jobs takes a number from 1 to \(Self.jobsMax), and not \(jobs)")
    }
    return jobs
  }

  /// Files with names of inputs.
  var filesFrom: [String] { capturePaths.filesFrom }

  /// The inputs as they were named and listed.
  ///
  /// - Parameter together: Whether they are taken for captures of one run.
  func inputs(together: Bool = false) throws -> CaptureInputs {
    if together, shard != nil {
      throw UsageError("--together needs all inputs, and --shard leaves some out; give one of them")
    }
    let inputs = try capturePaths.inputs(shard: try share())
    if together { try TogetherOption.check(inputs) }
    return inputs
  }

  private func share() throws(UsageError) -> CaptureInputs.Shard? {
    guard let shard else { return nil }
    guard let share = CaptureInputs.Shard(shard) else {
      throw UsageError(
        "--shard takes I/N with I from 1 to N, for example 2/8, and not"
          + " '\(PrintableText.printable(shard, scalarsMax: 80))'")
    }
    return share
  }
}
