// The options of a comparison with a baseline, and how its file is read and written.

import ArgumentParser
import TraceExport
import TraceGate
import TraceIO

/// Which baseline findings are compared with.
struct BaselineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Findings in this file are known: only others make the exit status 1.", valueName: "file"))
  var baseline: String?

  @Flag(help: "Findings of the baseline that aren't found any more make the exit status 1, too.")
  var strictBaseline = false

  @Flag(help: "Report only what the baseline doesn't know.")
  var newOnly = false

  /// The comparison; nil if there is none to make.
  func comparison() throws -> BaselineComparison? {
    guard let baseline else {
      if strictBaseline { throw UsageError("--strict-baseline needs --baseline FILE") }
      if newOnly { throw UsageError("--new-only needs --baseline FILE") }
      return nil
    }
    return BaselineComparison(try Self.read(baseline), path: baseline)
  }

  private static func read(_ path: String) throws -> Baseline {
    if path.isEmpty { throw UsageError("--baseline names no file") }
    if path == "-" { throw UsageError("--baseline takes a file, and not standard input") }
    let shown = PrintableText.printable(path)
    if DirectoryListing.kind(of: path) == .missing {
      throw UsageError(
        "there is no baseline \(shown); make one with 'tracecheck gate PATH… --write-baseline"
          + " \(shown)'")
    }
    let bytes = try RuleFileLoader.bytes(of: path, max: Baseline.bytesMax)
    if bytes.count > Baseline.bytesMax {
      throw UsageError("\(shown) is longer than \(Baseline.bytesMax >> 20) MiB")
    }
    do throws(BaselineError) {
      return try Baseline(bytes)
    } catch {
      throw UsageError("\(shown):\(error.line): \(error.message)")
    }
  }
}

extension Baseline {
  /// Writes the file, whole or not at all.
  func write(to path: String, family: (String) -> String?) throws(FileError) {
    var file = try OutputFile(path: path)
    try file.write(bytes(family: family))
    try file.commit()
  }
}
