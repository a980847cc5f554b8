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
    abstract: "Reads every field of a trace, binary or NDJSON, and prints how many events it has.")

  @Argument(help: "The trace: NDJSON if its name ends so, else binary.")
  var path: String

  func run() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    print(path.hasSuffix(".ndjson") ? Self.lines(bytes) : Self.events(bytes))
  }

  /// As many bytes as the product's commands read at once.
  private static let pieceBytes = 262_144

  /// Decodes a binary trace, and tells how many events it has.
  static func events(_ bytes: [UInt8]) -> Int {
    var decoder = LctraceDecoder(codec: .zstd())
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
      case .end: return count
      default: break
      }
    }
  }

  /// Decodes an NDJSON trace, and tells how many events it has.
  static func lines(_ bytes: [UInt8]) -> Int {
    var decoder: any CaptureDecoder = CaptureFormat.ndjson.makeDecoder()
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
      case .end: return count
      default: break
      }
    }
  }
}
