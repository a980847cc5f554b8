// The reference workload in the forms of ours that are measured, each made when it is first needed.
// This file must not know what is measured.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceModel
import TraceNotation

/// The workload in the forms that are measured, and the folder with its files.
struct BenchWorkload {
  let folder: URL
  let drawnCount: Int
  /// Events of the vocabulary that the draws became.
  let eventCount: Int
  /// Blocks as they are recorded, by zstd -3.
  let usual: [UInt8]
  /// As files: of ours, as JSON Lines, and these compressed.
  let trace: URL
  let text: URL
  let compressedText: URL

  init(events: Int, folder: URL) throws {
    self.folder = folder
    drawnCount = events
    text = folder.appendingPathComponent("workload.ndjson")
    compressedText = folder.appendingPathComponent("workload.ndjson.zst")
    trace = folder.appendingPathComponent("workload.lctrace")
    try Data().write(to: text)
    let file = try FileHandle(forWritingTo: text)
    var notation = NDJSONEncoder()
    notation.begin(ReferenceWorkload.header)
    var encoder = LctraceEncoder(codec: .zstd(level: 3))
    encoder.begin(ReferenceWorkload.header)
    var count = 0
    try ReferenceWorkload.make(count: events) { batch in
      count += batch.count
      encoder.consume(batch)
      notation.consume(batch)
      try file.write(contentsOf: Data(notation.output))
      notation.output.removeAll(keepingCapacity: true)
    }
    try file.close()
    encoder.end()
    eventCount = count
    usual = encoder.output
    try Data(usual).write(to: trace)
    if BenchPrograms.has("zstd") { _ = try Self.compress(text) }
  }

  /// Compresses a file by zstd -3 beside it, and tells how many bytes that gave.
  static func compress(_ file: URL) throws -> Int {
    _ = try BenchProcess.run(["zstd", "-q", "-f", "-3", file.path, "-o", file.path + ".zst"])
    return try byteCount(URL(fileURLWithPath: file.path + ".zst"))
  }

  static func byteCount(_ file: URL) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
  }

  /// The workload encoded in other ways, all in one go.
  func encoded(_ encoders: [LctraceEncoder], isPhoneClock: Bool = false) throws -> [[UInt8]] {
    var encoders = encoders
    for place in encoders.indices { encoders[place].begin(ReferenceWorkload.header) }
    try ReferenceWorkload.make(count: drawnCount, isPhoneClock: isPhoneClock) { batch in
      for place in encoders.indices { encoders[place].consume(batch) }
    }
    for place in encoders.indices { encoders[place].end() }
    return encoders.map(\.output)
  }

  /// The same events of another app.
  func renamed(_ app: String) -> [UInt8] {
    var header = ReferenceWorkload.header
    header[.appBundleID] = .string(app)
    var decoder = LctraceDecoder(codec: .zstd())
    var encoder = LctraceEncoder(codec: .zstd(level: 1))
    encoder.begin(header)
    var batch = EventBatch()
    decoder.feed(usual.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .batch: encoder.consume(batch)
      case .end:
        encoder.end()
        return encoder.output
      default: break
      }
    }
  }

  /// A trace of a hundred events, in both forms.
  func small() throws -> (binary: URL, text: URL) {
    var notation = NDJSONEncoder()
    var encoder = LctraceEncoder(codec: .zstd(level: 3))
    notation.begin(ReferenceWorkload.header)
    encoder.begin(ReferenceWorkload.header)
    try ReferenceWorkload.make(count: 98) { batch in
      notation.consume(batch)
      encoder.consume(batch)
    }
    notation.end()
    encoder.end()
    let binary = folder.appendingPathComponent("small.lctrace")
    let text = folder.appendingPathComponent("small.ndjson")
    try Data(encoder.output).write(to: binary)
    try Data(notation.output).write(to: text)
    return (binary, text)
  }
}
