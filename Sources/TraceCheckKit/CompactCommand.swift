// `compact`: the same trace in fewer bytes, for keeping.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TracePipeline

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Compresses a trace harder, for archiving.",
    discussion: """
      Joins small blocks to large ones and compresses them at zstd level 19. The events stay the \
      same, and so does every finding.

      Example:
        tracecheck compact notes.lctrace -o archive/notes.lctrace
      """)

  @Argument(help: ArgumentHelp("The capture, or - for standard input.", valueName: "in"))
  var path: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The .lctrace to write, or - for standard output.", valueName: "out"))
  var output: String?

  @OptionGroup(title: "Input options") var input: InputOptions

  func run() throws {
    guard let output else {
      throw UsageError(
        "compact needs a file to write: name it with -o, for example -o archive.lctrace, or -o -"
          + " for standard output")
    }
    guard output == "-" || FileExtension.of(output) == CaptureFormat.lctrace.name else {
      throw UsageError(
        "compact writes .lctrace files only, and not"
          + " '\(PrintableText.printable(output, scalarsMax: 80))'")
    }
    var places = OutputPlaces(inputs: [path])
    if output != "-" { try places.add(output) }
    let writer = try TraceWriter(path: output, format: .lctrace, level: TraceWriter.archiveLevel)
    Interrupt.catchNext()
    let (_, capture) = try input.read(path, into: CompactVisitor(writer: writer))
    try writer.finish()
    try input.end(capture)
  }
}

/// Writes down what a capture says, in blocks as large as possible.
private struct CompactVisitor: CaptureVisitor {
  let writer: TraceWriter
  private var losses: LossKeeper
  private var merger = BatchMerger()

  init(writer: TraceWriter) {
    self.writer = writer
    losses = LossKeeper(keepsNumbers: writer.keepsNumbers)
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    losses.begin()
    try writer.begin(header)
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    let writer = writer
    for part in losses.parts(of: batch) {
      try merger.add(part) { (whole) throws(CaptureFailure) in try writer.consume(whole) }
    }
  }

  mutating func endTrace() throws(CaptureFailure) {
    let writer = writer
    try merger.flush { (whole) throws(CaptureFailure) in try writer.consume(whole) }
  }

  mutating func problem(_ problem: InputProblem) {}
  var isSatisfied: Bool { writer.isClosed }
}
