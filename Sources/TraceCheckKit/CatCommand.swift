// `cat`: prints the events of a capture, all or some.

import ArgumentParser
import TraceExport
import TraceFormat
import TraceIO
import TraceModel
import TraceNotation
import TracePipeline

struct CatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Prints the events of a capture.",
    discussion: """
      Examples:
        tracecheck cat notes.lctrace --kind 'bgtask.*' --after 10s
        tracecheck cat notes.lctrace --format ndjson | jq .event
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case timeline, ndjson
  }

  @Argument(help: ArgumentHelp("The capture, or - for standard input.", valueName: "file"))
  var path: String

  @Option(help: "The notation to print.")
  var format: Format = .timeline

  @OptionGroup var selection: EventSelection
  @OptionGroup(title: "Input options") var input: InputOptions

  func run() throws {
    let (visitor, capture) = try input.read(path, into: CatVisitor(format, try selection.filter()))
    var ended = visitor
    try ended.finish()
    try input.end(capture)
  }
}

/// Prints what a capture says, made harmless for terminals.
private struct CatVisitor: CaptureVisitor {
  private var encoder: any TraceEncoder
  private var filter: EventFilter
  private var stream = OutputStream.standardOutput
  private var printed: [UInt8] = []
  private var losses = LossKeeper(keepsNumbers: false)
  /// Whether something was wrong with the trace, before its header or behind it: from there on no
  /// block is left out.
  private var isDamaged = false

  init(_ format: CatCommand.Format, _ filter: EventFilter) {
    encoder = format == .ndjson ? NDJSONEncoder() : TimelineEncoder()
    self.filter = filter
  }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    filter.begin()
    losses.begin()
    try print { try $0.begin(header) }
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    for whole in losses.parts(of: batch, isPartial: skipsBlocks && !isDamaged) {
      for part in filter.passesAll ? [whole] : filter.parts(of: whole) {
        try BatchSlices.forEach(of: part) { (slice) throws(CaptureFailure) in
          try print { try $0.consume(slice) }
        }
      }
    }
  }

  mutating func endTrace() { isDamaged = false }
  mutating func problem(_ problem: InputProblem) { isDamaged = true }

  mutating func finish() throws(CaptureFailure) { try print { try $0.end() } }

  var isSatisfied: Bool { stream.isClosed }
  var skipsBlocks: Bool { !filter.passesAll }
  func wants(_ block: BlockSummary) -> Bool { filter.mayPass(block) }

  private mutating func print(
    _ step: (inout any TraceEncoder) throws -> Void
  ) throws(CaptureFailure) {
    do {
      try step(&encoder)
      printed.removeAll(keepingCapacity: true)
      PrintableText.appendEscaped(encoder.output, to: &printed)
      encoder.output.removeAll(keepingCapacity: true)
      try stream.write(printed)
    } catch {
      throw CaptureFailure("can't print: \(error)", .output)
    }
  }
}
