// A trace of which is known what stands where: its events from those who made them, its records
// from the specification. This file must not ask a reader.

import ArgumentParser
import TraceCodecs
import TraceFormat
import TraceModel
import TraceTestSupport

/// A small trace, its records and its blocks.
struct KnownTrace: Sendable {
  /// What a trace consists of.
  enum Form: String, CaseIterable, Sendable {
    /// One trace of blocks of rows.
    case rows
    /// One trace of blocks of columns.
    case columns
    /// Two traces in one file, each with an index.
    case index
  }

  /// A block as it was written.
  struct Block: Sendable {
    /// The place of its record among all.
    var record: Int
    /// The number of its trace in the file.
    var trace: Int
    var firstOrdinal: Int
    var events: [DecodedEvent]
  }

  private(set) var bytes: [UInt8] = []
  private(set) var headers: [TraceHeader] = []
  private(set) var blocks: [Block] = []
  /// Signatures and records, in order; together they are all bytes.
  private(set) var records: [Range<Int>] = []
  /// The trace of each of them.
  private(set) var traceOfRecord: [Int] = []
  /// Those that are a signature or a header.
  private(set) var beginnings: Set<Int> = []
  let form: Form

  private static let eventsPerBlock: [Form: Int] = [.rows: 6, .columns: 18, .index: 5]
  private static let blocksPerTrace: [Form: Int] = [.rows: 8, .columns: 4, .index: 4]

  init(_ form: Form, seed: UInt64) throws {
    self.form = form
    var random = RandomTraces(seed: seed, eventsMax: 200)
    var encoder = LctraceEncoder(
      codec: form == .rows ? .stored : .zstd(),
      columnEventsMin: form == .columns ? 1 : FormatLimits.columnEventsMin)
    var batches: [[EventBatch]] = []
    for number in 0..<(form == .index ? 2 : 1) {
      var header = TraceHeader()
      header[.osVersion] = .string("17.\(number)")
      header[.backgroundModes] = .strings(["audio", "fetch"])
      header[.traceID] = .string("trace-\(number)")
      headers.append(header)
      let own = Self.batches(
        &random, count: Self.blocksPerTrace[form] ?? 0, events: Self.eventsPerBlock[form] ?? 0)
      batches.append(own)
      encoder.begin(header)
      for batch in own { encoder.consume(batch) }
    }
    encoder.end()
    bytes = encoder.output
    try walk(batches)
  }

  var summary: String {
    "\(bytes.count) bytes, \(headers.count) traces, \(blocks.count) blocks, "
      + "\(blocks.reduce(0) { $0 + $1.events.count }) events"
  }

  /// Blocks of random events, the same number in each.
  private static func batches(_ random: inout RandomTraces, count: Int, events: Int) -> [EventBatch]
  {
    var batches: [EventBatch] = []
    var assembler = BatchAssembler()
    while batches.count < count {
      for event in random.next().batches.flatMap(\.decodedEvents) where batches.count < count {
        // Long texts would make the trace too large to be damaged in every place.
        if event.arguments.contains(where: { isLong($0.value) }) { continue }
        assembler.append(event)
        guard assembler.batch.count == events else { continue }
        var batch = EventBatch()
        assembler.take(into: &batch)
        batches.append(batch)
      }
    }
    return batches
  }

  private static func isLong(_ value: ArgumentValue) -> Bool {
    if case .string(let text) = value { text.utf8.count > 100 } else { false }
  }

  // The records, by the specification.

  private static let signatureByteCount = 12
  private static let magic: [UInt8] = [0x89, 0x4C, 0x43, 0x54]
  private static let syncWord: [UInt8] = [0xFE, 0x4C, 0x43, 0x01]
  private static let checksumByteCount = 4

  private mutating func walk(_ batches: [[EventBatch]]) throws {
    var place = 0
    var trace = -1
    var numbers = [Int](repeating: 0, count: batches.count)
    var ordinal = 0
    var indexCount = 0
    while place < bytes.count {
      let start = place
      if bytes[place...].starts(with: Self.magic) {
        trace += 1
        ordinal = 0
        place += Self.signatureByteCount
        beginnings.insert(records.count)
      } else {
        guard bytes[place...].starts(with: Self.syncWord), trace >= 0 else {
          throw ValidationError("no record begins at byte \(place)")
        }
        let type = bytes[place + 4]
        place += 6
        _ = varint(&place)
        let count = varint(&place)
        switch type {
        case 1: beginnings.insert(records.count)
        case 2:
          let events = batches[trace][numbers[trace]].decodedEvents
          numbers[trace] += 1
          try expectEncoding(ofBlockAt: place)
          blocks.append(
            Block(record: records.count, trace: trace, firstOrdinal: ordinal, events: events))
          ordinal += events.count
        default: indexCount += 1
        }
        place += count + Self.checksumByteCount
      }
      records.append(start..<place)
      traceOfRecord.append(trace)
    }
    guard place == bytes.count, numbers == batches.map(\.count), indexCount == batches.count else {
      throw ValidationError("the trace hasn't the records that it should have")
    }
  }

  /// Whether the block is stored as the form says: its header is a length, the tag, the encoding.
  private func expectEncoding(ofBlockAt body: Int) throws {
    var place = body
    _ = varint(&place)
    guard bytes[place + 4] == (form == .columns ? 2 : 1) else {
      throw ValidationError("a block is stored in another way than it should be")
    }
  }

  private func varint(_ place: inout Int) -> Int {
    var value = 0
    var shift = 0
    while true {
      let byte = bytes[place]
      place += 1
      value |= Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { return value }
    }
  }

  // Damage.

  /// The trace with a damage. A copy stands behind the other block.
  func damaged(_ mutation: Mutation) -> [UInt8] {
    if case .byte(let place, let value) = mutation {
      var copy = bytes
      copy[place] = value
      return copy
    }
    if case .cut(let count) = mutation { return Array(bytes[..<count]) }
    return order(mutation).flatMap { bytes[records[$0]] }
  }

  /// The records in the order that a damage brings them into.
  func order(_ mutation: Mutation) -> [Int] {
    var order = Array(records.indices)
    switch mutation {
    case .byte, .cut: break
    case .swapped(let first, let second):
      order.swapAt(blocks[first].record, blocks[second].record)
    case .doubled(let block, let place):
      order.insert(blocks[block].record, at: blocks[place].record + 1)
    case .dropped(let first, let second):
      order.removeAll { $0 == blocks[first].record || $0 == blocks[second].record }
    }
    return order
  }

  /// The record that a byte is in.
  func record(at place: Int) -> Int {
    records.firstIndex { $0.contains(place) } ?? records.count
  }
}
