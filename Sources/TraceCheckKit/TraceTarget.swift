// In which of our own formats a command writes a trace.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TracePipeline

/// Which format an output gets.
enum TraceTarget {
  /// - Parameter usual: The format if neither the option nor the extension says one.
  static func format(
    _ option: String?, output: String, usual: String?
  ) throws(UsageError) -> CaptureFormat {
    let names = CaptureFormats.all.filter(\.isOwn).map(\.name)
    if let option {
      guard let format = CaptureFormats.named(option), format.isOwn else {
        throw UsageError(unknown: "format to write", option, among: names)
      }
      return format
    }
    let name = FileExtension.of(output, isAmong: names) ? FileExtension.of(output) : usual
    if let name, let format = CaptureFormats.named(name) { return format }
    throw UsageError(
      "the extension of '\(PrintableText.printable(output, scalarsMax: 80))' names no format to"
        + " write; give --to with one of \(names.joined(separator: ", "))")
  }
}

extension ArgumentHelp {
  /// What `-o` takes.
  static var outputFile: ArgumentHelp {
    ArgumentHelp("The file to write, or - for standard output.", valueName: "out")
  }

  /// What `--to` takes where a trace is written.
  static var traceFormat: ArgumentHelp {
    ArgumentHelp(
      "The format to write: lctrace, ndjson or timeline; the extension of the output decides if"
        + " not given.",
      valueName: "format")
  }
}

/// Where a command writes a trace, and in which format.
struct TraceOutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: .outputFile)
  var output: String

  @Option(help: .traceFormat)
  var to: String?

  func format() throws(UsageError) -> CaptureFormat {
    try TraceTarget.format(to, output: output, usual: nil)
  }
}
