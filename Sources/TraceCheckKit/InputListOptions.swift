// Which captures a check takes: those named and listed, and of all of them a share.

import ArgumentParser
import TraceExport
import TracePipeline

/// The inputs of a check.
struct InputListOptions: ParsableArguments {
  @OptionGroup var capturePaths: CapturePaths

  @Option(
    help: ArgumentHelp(
      "Check only the I-th of N shares of the traces; which share a trace is in follows from its"
        + " id.", valueName: "i/n"))
  var shard: String?

  /// Files with names of inputs.
  var filesFrom: [String] { capturePaths.filesFrom }

  /// The inputs as they were named and listed.
  func inputs() throws -> CaptureInputs {
    CaptureInputs(paths: try capturePaths.names(), shard: try share())
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
