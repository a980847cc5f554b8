// The inputs of a command that takes any number of captures.

import ArgumentParser
import TraceExport
import TracePipeline

/// Captures, directories, standard input, and lists of them.
struct CapturePaths: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Captures, directories, or - for standard input.", valueName: "path"))
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "Also check the inputs named in this file, one per line; - reads the names from standard"
        + " input.",
      valueName: "file"))
  var filesFrom: [String] = []

  @Flag(name: .customShort("0"), help: "The names in --files-from end with a zero byte.")
  var isNulSeparated = false

  /// The inputs, in the order given.
  ///
  /// - Parameter shard: Which of the traces are checked; nil for all.
  func inputs(shard: CaptureInputs.Shard? = nil) throws -> CaptureInputs {
    var names = paths
    if isNulSeparated, filesFrom.isEmpty {
      throw UsageError("-0 says how names in --files-from end, and there is no --files-from")
    }
    for list in filesFrom {
      do throws(CaptureFailure) {
        names += try CaptureInputs.names(listedIn: list, isNulSeparated: isNulSeparated)
      } catch {
        throw CaptureFailureAt(path: list, failure: error)
      }
    }
    if names.isEmpty, filesFrom.isEmpty {
      throw UsageError(
        "there is nothing to check: name captures or directories, or - for standard input")
    }
    if names.contains("") || filesFrom.contains("") {
      throw UsageError("the name of an input is empty; name captures or directories")
    }
    let standardInputs = (names + filesFrom).filter { $0 == CaptureInputs.standardInput }.count
    if standardInputs > 1 {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    var inputs = CaptureInputs(paths: names, shard: shard)
    // Nothing is checked then, which must not look like captures without findings.
    if names.isEmpty { for list in filesFrom { inputs.addEmptyList(list) } }
    return inputs
  }
}
