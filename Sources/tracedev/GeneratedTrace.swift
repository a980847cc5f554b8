// A generated trace, and the bytes of every form that it can have.
// This file must not know how traces are judged.

import TraceCodecs
import TraceExport
import TraceFormat
import TraceModel
import TraceNotation
import TracePipeline
import TraceSimulator
import TraceTestSupport

/// A trace in blocks of a few events.
struct GeneratedTrace {
  var header = TraceHeader()
  private(set) var blocks: [EventBatch] = []

  /// Blocks are as small as this, or as large: one event in each, and all in one or two.
  private static let blockEvents = [1, 7, 40, 300, 5_000]

  /// A session of a simulated phone, or a life without any sense, every fourth time.
  init(seed: UInt64) {
    var collector = Collector(blockEvents: Self.blockEvents[Int(seed % 5)])
    if seed % 4 == 3 {
      var random = SeededGenerator(seed: seed)
      let (header, events) = RandomLives.life(&random)
      collector.begin(header)
      collector.consume(events)
      collector.end()
    } else {
      let profiles = SystemProfile.allCases
      Simulation(seed: seed, profile: profiles[Int(seed % UInt64(profiles.count))])
        .run(into: &collector)
    }
    header = collector.header
    blocks = collector.blocks
    // A trace without an id is told from others by all of its events: no block stays closed.
    header[.traceID] =
      seed % 6 == 0 ? nil : .string(String(seed, radix: 16).padded(to: 32))
  }

  private struct Collector: TraceSink {
    let blockEvents: Int
    var header = TraceHeader()
    var blocks: [EventBatch] = []
    var assembler = BatchAssembler()

    init(blockEvents: Int) { self.blockEvents = blockEvents }

    mutating func begin(_ header: TraceHeader) { self.header = header }

    mutating func consume(_ batch: EventBatch) {
      for index in 0..<batch.count { add(index, of: batch) }
    }

    mutating func add(_ index: Int, of batch: EventBatch) {
      assembler.copy(index, of: batch)
      if assembler.batch.count >= blockEvents || assembler.isFull { cut() }
    }

    mutating func end() { if assembler.batch.count > 0 { cut() } }

    private mutating func cut() {
      var block = EventBatch()
      assembler.take(into: &block)
      blocks.append(block)
    }
  }

  var isInOrder: Bool { PassedBlocks.isInOrder(blocks) }

  // MARK: Forms

  var notation: [UInt8] { written(by: NDJSONEncoder()) }

  func stored(columnEventsMin: Int, level: Int = TraceWriter.usualLevel) -> [UInt8] {
    written(by: LctraceEncoder(codec: .zstd(level: level), columnEventsMin: columnEventsMin))
  }

  private func written<Encoder: TraceEncoder>(by encoder: Encoder) -> [UInt8] {
    var encoder = encoder
    do {
      try encoder.begin(header)
      for block in blocks { try encoder.consume(block) }
      try encoder.end()
    } catch {
      // What is generated is within the limits of every form.
      preconditionFailure("can't be written: \(error)")
    }
    return encoder.output
  }

  /// The trace in two parts that merge to it: events of one time stay together.
  var parts: (first: GeneratedTrace, second: GeneratedTrace) {
    var collectors = [Collector(blockEvents: 11), Collector(blockEvents: 64)]
    var chosen = 0
    var last = Int64.min
    for block in blocks {
      for index in 0..<block.count {
        if block.timesNanoseconds[index] != last { chosen = 1 - chosen }
        last = block.timesNanoseconds[index]
        collectors[chosen].add(index, of: block)
      }
    }
    return (part(&collectors[0]), part(&collectors[1]))
  }

  private func part(_ collector: inout Collector) -> GeneratedTrace {
    collector.end()
    var part = self
    part.blocks = collector.blocks
    return part
  }

  /// Without its last record, which is the index if the trace has one.
  static func withoutIndex(_ bytes: [UInt8]) -> [UInt8]? {
    guard LctraceIndex(byteCount: UInt64(bytes.count), read: { Self.bytes(bytes, $0, $1) }) != nil,
      bytes.count >= 8
    else { return nil }
    let length = bytes.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return Array(bytes.dropLast(length))
  }

  private static func bytes(_ bytes: [UInt8], _ offset: UInt64, _ count: Int) -> [UInt8]? {
    guard let start = Int(exactly: offset), count <= bytes.count, start <= bytes.count - count
    else { return nil }
    return Array(bytes[start..<start + count])
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
