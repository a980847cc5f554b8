// Writes a capture as blocks of a chosen form, for comparisons that the product's commands don't
// need.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceModel
import TracePipeline

/// Encodes a capture.
struct Encode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a capture as a binary trace of rows or of columns.")

  @Argument(help: "The capture.")
  var path: String

  @Option(name: .shortAndLong, help: "The trace to write.")
  var output: String

  @Option(help: "The least number of events of a block of columns.")
  var columnsFrom = FormatLimits.columnEventsMin

  @Option(help: "The zstd level.")
  var level = 3

  private struct Visitor: CaptureVisitor {
    var encoder: LctraceEncoder

    mutating func begin(_ header: TraceHeader) { encoder.begin(header) }
    mutating func consume(_ batch: EventBatch) { encoder.consume(batch) }
    mutating func endTrace() {}
    mutating func problem(_ problem: InputProblem) {}
  }

  func run() throws {
    var visitor = Visitor(
      encoder: LctraceEncoder(codec: .zstd(level: level), columnEventsMin: max(1, columnsFrom)))
    try CaptureReader.read(path: path, into: &visitor)
    visitor.encoder.end()
    try Data(visitor.encoder.output).write(to: URL(fileURLWithPath: output))
  }
}
