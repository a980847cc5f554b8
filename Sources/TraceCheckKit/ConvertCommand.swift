// `convert`: any capture to one of our own formats.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TracePipeline

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a capture to .lctrace, .ndjson or .timeline.",
    discussion: """
      Examples:
        tracecheck convert device.log -o notes.lctrace
        tracecheck convert - -o - --to timeline < notes.lctrace
      """)

  @Argument(help: ArgumentHelp("The capture, or - for standard input.", valueName: "in"))
  var path: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "out"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "The format to write: lctrace, ndjson or timeline; the extension of the output decides if"
        + " not given.",
      valueName: "format"))
  var to: String?

  @OptionGroup(title: "Input options") var input: InputOptions

  func run() throws {
    let format = try target()
    var places = OutputPlaces(inputs: [path])
    if output != "-" { try places.add(output) }
    let writer = try TraceWriter(path: output, format: format)
    Interrupt.catchNext()
    let (_, capture) = try input.read(path, into: ConvertVisitor(writer: writer))
    try writer.finish()
    try input.end(capture)
  }

  private func target() throws(UsageError) -> CaptureFormat {
    let names = CaptureFormats.all.filter(\.isOwn).map(\.name)
    if let to {
      guard let format = CaptureFormats.named(to), format.isOwn else {
        throw UsageError(unknown: "format to write", to, among: names)
      }
      return format
    }
    let known = names.first { output.hasSuffix(".\($0)") }
    guard let known, let format = CaptureFormats.named(known) else {
      throw UsageError(
        "the extension of '\(PrintableText.printable(output, scalarsMax: 80))' names no format to"
          + " write; give --to with one of \(names.joined(separator: ", "))")
    }
    return format
  }
}

/// Writes down what a capture says.
struct ConvertVisitor: CaptureVisitor {
  var writer: TraceWriter

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try writer.begin(header) }
  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) { try writer.consume(batch) }
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
  var isSatisfied: Bool { writer.isClosed }
}
