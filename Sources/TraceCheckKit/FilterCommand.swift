// `filter`: some events of a capture as a trace of their own.

import ArgumentParser
import TraceExport
import TraceFormat
import TraceIO
import TraceModel
import TracePipeline

struct FilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Writes the events of a time, of some kinds or of some threads to a trace.",
    discussion: """
      Blocks of a .lctrace in which nothing is wanted are not read. Kinds that are left out are \
      taken out of what the header says is covered, so that no rule concludes anything from their \
      absence; and what was chosen from a trace has no trace id.

      Examples:
        tracecheck filter notes.lctrace -o minute.lctrace --after 60s --before 2m
        tracecheck filter notes.lctrace -o tasks.ndjson --kind 'bgtask.*'
      """)

  @Argument(help: ArgumentHelp("The capture, or - for standard input.", valueName: "in"))
  var path: String

  @OptionGroup var target: TraceOutputOptions

  @OptionGroup var selection: EventSelection

  @OptionGroup(title: "Input options") var input: InputOptions

  func run() throws {
    let filter = try selection.filter()
    let (output, format) = (target.output, try target.format())
    var places = OutputPlaces(inputs: [path])
    if output != "-" { try places.add(output) }
    let writer = try TraceWriter(path: output, format: format)
    Interrupt.catchNext()
    let (_, capture) = try input.read(path, into: FilterVisitor(writer: writer, filter: filter))
    try writer.finish()
    try input.end(capture)
  }
}

/// Writes down those events that are wanted.
private struct FilterVisitor: CaptureVisitor {
  let writer: TraceWriter
  private var filter: EventFilter
  private var merger = BatchMerger()
  private var losses: LossKeeper
  /// Whether something was wrong with the trace, before its header or behind it: from there on no
  /// block is left out.
  private var isDamaged = false

  init(writer: TraceWriter, filter: EventFilter) {
    self.writer = writer
    self.filter = filter
    losses = LossKeeper(keepsNumbers: filter.passesAll && writer.keepsNumbers)
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    filter.begin()
    losses.begin()
    try writer.begin(filter.header(header))
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    let writer = writer
    for batch in losses.parts(of: batch, isPartial: skipsBlocks && !isDamaged) {
      for part in filter.passesAll ? [batch] : filter.parts(of: batch) {
        try merger.add(part) { (whole) throws(CaptureFailure) in try writer.consume(whole) }
      }
    }
  }

  mutating func endTrace() throws(CaptureFailure) {
    let writer = writer
    isDamaged = false
    try merger.flush { (whole) throws(CaptureFailure) in try writer.consume(whole) }
  }

  mutating func problem(_ problem: InputProblem) { isDamaged = true }
  var isSatisfied: Bool { writer.isClosed }
  var skipsBlocks: Bool { !filter.passesAll }
  func wants(_ block: BlockSummary) -> Bool { filter.mayPass(block) }
}
