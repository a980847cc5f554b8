// Reads every field of a trace and does nothing else, for measurements from outside.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceModel
import TraceNotation

/// Reads a trace to its end.
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads every field of a trace, binary or NDJSON, and prints how many events it has.",
    discussion: "Ends at the first defect, with status 1.")

  @Argument(help: "The trace: NDJSON if its name ends so, else binary.")
  var path: String

  func run() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    print(try path.hasSuffix(".ndjson") ? Self.lines(bytes) : Self.events(bytes))
  }

  /// As many bytes as the product's commands read at once.
  private static let pieceBytes = 262_144

  /// Decodes a binary trace, and tells how many events it has.
  static func events(_ bytes: [UInt8]) throws -> Int {
    try count(LctraceDecoder(codec: .zstd()), bytes)
  }

  /// Decodes an NDJSON trace, and tells how many events it has.
  static func lines(_ bytes: [UInt8]) throws -> Int {
    try count(CaptureFormat.ndjson.makeDecoder(), bytes)
  }

  private static func count(_ decoder: some CaptureDecoder, _ bytes: [UInt8]) throws -> Int {
    var decoder = decoder
    var batch = EventBatch()
    var offset = 0
    var count = 0
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        guard offset < bytes.count else {
          decoder.finish()
          continue
        }
        let end = min(bytes.count, offset + pieceBytes)
        decoder.feed(bytes.span.extracting(offset..<end))
        offset = end
      case .batch: count += batch.count
      case .problem(let problem): throw DecodeFailure(problem: problem)
      case .end: return count
      case .header, .remark, .stream: break
      }
    }
  }
}

/// What is wrong with a trace, as the command says it.
struct DecodeFailure: Error, CustomStringConvertible {
  var problem: InputProblem

  var description: String {
    let place =
      switch problem.location {
      case .input: ""
      case .bytes(let range): "byte \(range.lowerBound): "
      case .line(let line, let column): "line \(line), column \(column): "
      }
    return place + problem.message + (problem.advice.isEmpty ? "" : "; \(problem.advice)")
  }
}
