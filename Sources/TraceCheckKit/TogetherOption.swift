// What the commands that take `--together` share.

import TracePipeline

enum TogetherOption {
  static let help =
    "Treat all inputs as captures of one run: joined by process and wall clock, each end reported"
    + " once."

  /// Refuses inputs that can't be read twice: first it is found out what belongs together.
  static func check(_ inputs: CaptureInputs) throws(UsageError) {
    guard !inputs.hasLiveEntries else {
      throw UsageError(
        "--together reads every input twice, and standard input or a pipe can be read once; save"
          + " it to a file and name that")
    }
  }
}
