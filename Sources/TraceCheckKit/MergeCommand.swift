// `merge`: several traces of one app become one, in order of time.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TracePipeline

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges traces of one app into one, in order of time.",
    discussion: """
      Times are compared on the clock on the wall where every trace carries an anchor, in its \
      header as recordings do or as wall_ns of trace.start. Where one doesn't, and where anchors \
      agree within 0.1 s, they are taken for those of one clock, as of the parts of a trace. \
      Memory follows the blocks and not the traces. Logs are joined by 'convert --together'.

      Examples:
        tracecheck merge part1.lctrace part2.lctrace -o whole.lctrace
        cat part1.lctrace part2.lctrace > both.lctrace   # two traces in one file, judged apart
      """)

  @Argument(help: ArgumentHelp("The traces; - for standard input.", valueName: "in"))
  var paths: [String]

  @OptionGroup var target: TraceOutputOptions

  @OptionGroup(title: "Input options") var input: InputOptions

  func run() throws {
    if paths.count > TraceMerge.inputsMax {
      throw UsageError(
        "\(paths.count) traces are named, and at most \(TraceMerge.inputsMax) are merged at once;"
          + " merge them in groups")
    }
    if paths.filter({ $0 == CaptureInputs.standardInput }).count > 1 {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    let (output, format) = (target.output, try target.format())
    var places = OutputPlaces(inputs: paths)
    if output != "-" { try places.add(output) }
    Interrupt.catchNext()
    var merge = try opened(
      try input.format(), try input.overrides(),
      keepsNumbers: TraceWriter.keepsNumbers(in: format))
    for note in merge.notes {
      printProblems(Array("warning: \(PrintableText.printable(note, scalarsMax: 8_192))\n".utf8))
    }
    var visitor = MergeVisitor(
      writer: try TraceWriter(path: output, format: format),
      capture: JudgedCapture(path: paths.joined(separator: " + ")))
    do throws(CaptureFailure) {
      try merge.read(into: &visitor)
      try visitor.writer.finish()
    } catch {
      if error.kind == .output || error.kind == .interrupted { throw error }
      throw CaptureFailureAt(path: visitor.capture.path, failure: error)
    }
    try input.end(visitor.capture)
  }

  private func opened(
    _ format: CaptureFormat?, _ overrides: HeaderOverrides, keepsNumbers: Bool
  ) throws -> TraceMerge {
    do throws(TraceMerge.Refusal) {
      return try TraceMerge(
        paths: paths, format: format, overrides: overrides, keepsNumbers: keepsNumbers)
    } catch {
      if error.failure.kind == .interrupted { throw error.failure }
      throw CaptureFailureAt(path: error.path, failure: error.failure)
    }
  }
}

/// Writes down the merged trace, and keeps what was wrong with its parts.
private struct MergeVisitor: CaptureVisitor {
  let writer: TraceWriter
  var capture: JudgedCapture

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try writer.begin(header) }
  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) { try writer.consume(batch) }
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) { capture.add(problem) }
  var isSatisfied: Bool { writer.isClosed }
}
