// `redact`: a capture without names and free text, to be shown to strangers.

import ArgumentParser
import TraceExport
import TraceIO
import TraceImport
import TraceModel
import TracePipeline

struct RedactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact",
    abstract: "Replaces names and free text of a capture by keyed hashes.",
    discussion: """
      Task names, paths, identifiers, queues, markers, descriptions, kinds and arguments of your \
      own and the app's identifier become hashes, and equal texts equal hashes, so that the \
      built-in rules give the same verdicts. What stays: times, process and thread numbers, the \
      vocabulary's own numbers and words, the system's words, versions, and the model of the \
      device. The trace id is left out. Rules of your own that compare texts find other texts.

      Examples:
        tracecheck redact notes.lctrace -o public.lctrace
        tracecheck redact device.log -o public.ndjson --key-file secret.key
      """)

  @Argument(help: ArgumentHelp("The capture, or - for standard input.", valueName: "in"))
  var path: String

  @OptionGroup var target: TraceOutputOptions

  @OptionGroup var redaction: RedactionOptions
  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Input options") var configuration: ConfigurationOptions

  func run() throws {
    let (output, format) = (target.output, try target.format())
    let lines = LineOptions(patterns: try configuration.capturePatterns())
    var places = OutputPlaces(inputs: [path] + [redaction.keyFile].compactMap { $0 })
    if output != "-" { try places.add(output) }
    let names = try redaction.redaction()
    let writer = try TraceWriter(path: output, format: format)
    Interrupt.catchNext()
    let (_, capture) = try input.read(
      path, lines: lines, into: RedactVisitor(writer: writer, redaction: names))
    try writer.finish()
    try input.end(capture)
  }
}

/// Writes down what a capture says, redacted.
private struct RedactVisitor: CaptureVisitor {
  let writer: TraceWriter
  let redaction: TraceRedaction
  private var losses: LossKeeper

  init(writer: TraceWriter, redaction: TraceRedaction) {
    self.writer = writer
    self.redaction = redaction
    losses = LossKeeper(keepsNumbers: writer.keepsNumbers)
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    losses.begin()
    try writer.begin(redaction.header(header))
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    let writer = writer
    for part in losses.parts(of: batch) {
      try redaction.redact(part) { (part) throws(CaptureFailure) in try writer.consume(part) }
    }
  }

  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
  var isSatisfied: Bool { writer.isClosed }
}
