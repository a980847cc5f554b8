// MCAP as its C++ writer's defaults have it: chunks of 768 KiB compressed by zstd -1, checksums, a
// summary, and an index of every message, which its writers can leave out.

import TraceCodecs
import TraceFormat
import TraceModel

/// Writes a trace as MCAP: a channel for each kind, messages as protocol buffers.
struct MCAPReference {
  private(set) var output = ReferenceBytes()

  private static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  private static let chunkBytesMax = 786_432

  private enum Code: UInt8 {
    case header = 1
    case footer, schema, channel, message, chunk, messageIndex, chunkIndex
    case statistics = 11
    case summaryOffset = 14
    case dataEnd
  }

  private struct ChunkEntry {
    var start: UInt64
    var end: UInt64
    var offset: UInt64
    var byteCount: UInt64
    var indexOffsets: [(channel: UInt16, offset: UInt64)] = []
    var indexByteCount: UInt64 = 0
    var compressedByteCount: UInt64
    var rawByteCount: UInt64
  }

  private let hasMessageIndex: Bool
  private var codec = ChunkCodec.zstd(level: 1)
  private let schemas: MCAPSchemas
  private var messageCounts: [UInt64]
  private var chunks: [ChunkEntry] = []
  // The chunk that is being filled.
  private var raw = ReferenceBytes()
  private var index: [[(time: UInt64, offset: UInt64)]]
  private var first: UInt64 = .max
  private var last: UInt64 = 0

  init(_ trace: ReferenceTrace, hasMessageIndex: Bool) {
    self.hasMessageIndex = hasMessageIndex
    schemas = MCAPSchemas(trace)
    messageCounts = [UInt64](repeating: 0, count: schemas.channels.count)
    index = [[(time: UInt64, offset: UInt64)]](repeating: [], count: schemas.channels.count)
    output.append(Self.magic)
    Self.record(.header, to: &output) {
      Self.text("", to: &$0)
      Self.text("tracedev", to: &$0)
    }
    var message = ReferenceBytes()
    trace.visit { entry in
      message.removeAll()
      schemas.append(entry, to: &message)
      write(message, channel: schemas.channelOfShape[entry.shape], at: entry.time)
    }
    endChunk()
    Self.record(.dataEnd, to: &output) { $0.number(UInt32(0)) }
    writeSummary()
    output.append(Self.magic)
  }

  private static func record(
    _ code: Code, to output: inout ReferenceBytes, _ body: (inout ReferenceBytes) -> Void
  ) {
    output.number(code.rawValue)
    let place = output.count
    output.number(UInt64(0))
    body(&output)
    output.set(UInt64(output.count - place - 8), at: place)
  }

  private static func text(_ text: String, to output: inout ReferenceBytes) {
    output.number(UInt32(text.utf8.count))
    output.append(text.utf8)
  }

  private static func schema(
    _ number: Int, _ channel: MCAPSchemas.Channel, to output: inout ReferenceBytes
  ) {
    record(.schema, to: &output) {
      $0.number(UInt16(number + 1))
      text("\(MCAPSchemas.package).\(channel.message)", to: &$0)
      text("protobuf", to: &$0)
      $0.number(UInt32(channel.descriptor.count))
      $0.append(channel.descriptor)
    }
  }

  private static func channel(
    _ number: Int, _ channel: MCAPSchemas.Channel, to output: inout ReferenceBytes
  ) {
    record(.channel, to: &output) {
      $0.number(UInt16(number + 1))
      $0.number(UInt16(number + 1))
      text(channel.topic, to: &$0)
      text("protobuf", to: &$0)
      $0.number(UInt32(0))
    }
  }

  private mutating func write(_ message: ReferenceBytes, channel: Int, at time: UInt64) {
    if messageCounts[channel] == 0 {
      Self.schema(channel, schemas.channels[channel], to: &raw)
      Self.channel(channel, schemas.channels[channel], to: &raw)
    }
    messageCounts[channel] += 1
    if hasMessageIndex { index[channel].append((time, UInt64(raw.count))) }
    Self.record(.message, to: &raw) {
      $0.number(UInt16(channel + 1))
      // Writers without a counter leave it at 0, which compresses best.
      $0.number(UInt32(0))
      $0.number(time)
      $0.number(time)
      $0.append(message.bytes)
    }
    first = min(first, time)
    last = max(last, time)
    if raw.count >= Self.chunkBytesMax { endChunk() }
  }

  private mutating func endChunk() {
    guard raw.count > 0 else { return }
    var compressed: [UInt8] = []
    let content = raw.bytes
    codec.compress(content.span, into: &compressed)
    let offset = UInt64(output.count)
    Self.record(.chunk, to: &output) {
      $0.number(first)
      $0.number(last)
      $0.number(UInt64(raw.count))
      $0.number(MCAPChecksum.value(raw.bytes[...]))
      Self.text("zstd", to: &$0)
      $0.number(UInt64(compressed.count))
      $0.append(compressed)
    }
    var entry = ChunkEntry(
      start: first, end: last, offset: offset, byteCount: UInt64(output.count) - offset,
      compressedByteCount: UInt64(compressed.count), rawByteCount: UInt64(raw.count))
    let indexStart = output.count
    for channel in index.indices where !index[channel].isEmpty {
      entry.indexOffsets.append((UInt16(channel + 1), UInt64(output.count)))
      Self.record(.messageIndex, to: &output) {
        $0.number(UInt16(channel + 1))
        $0.number(UInt32(index[channel].count * 16))
        for message in index[channel] {
          $0.number(message.time)
          $0.number(message.offset)
        }
      }
      index[channel].removeAll(keepingCapacity: true)
    }
    entry.indexByteCount = UInt64(output.count - indexStart)
    chunks.append(entry)
    raw.removeAll()
    (first, last) = (.max, 0)
  }

  // MARK: Summary

  private mutating func writeSummary() {
    let start = output.count
    var groups: [(code: Code, start: Int)] = []
    func begin(_ code: Code) { groups.append((code, output.count)) }
    begin(.schema)
    for (number, channel) in schemas.channels.enumerated() {
      Self.schema(number, channel, to: &output)
    }
    begin(.channel)
    for (number, channel) in schemas.channels.enumerated() {
      Self.channel(number, channel, to: &output)
    }
    begin(.statistics)
    writeStatistics()
    begin(.chunkIndex)
    for chunk in chunks { write(chunk) }
    let offsets = output.count
    for (place, group) in groups.enumerated() {
      let end = place + 1 < groups.count ? groups[place + 1].start : offsets
      guard end > group.start else { continue }
      Self.record(.summaryOffset, to: &output) {
        $0.number(group.code.rawValue)
        $0.number(UInt64(group.start))
        $0.number(UInt64(end - group.start))
      }
    }
    // The checksum is also over the footer's own code and length.
    output.number(Code.footer.rawValue)
    output.number(UInt64(20))
    output.number(UInt64(start))
    output.number(UInt64(offsets))
    output.number(MCAPChecksum.value(output.bytes[start...]))
  }

  private mutating func writeStatistics() {
    let counts = messageCounts
    let chunks = chunks
    Self.record(.statistics, to: &output) {
      $0.number(counts.reduce(0, +))
      $0.number(UInt16(counts.count))
      $0.number(UInt32(counts.count))
      $0.number(UInt32(0))
      $0.number(UInt32(0))
      $0.number(UInt32(chunks.count))
      $0.number(chunks.map(\.start).min() ?? 0)
      $0.number(chunks.map(\.end).max() ?? 0)
      $0.number(UInt32(counts.count * 10))
      for (channel, count) in counts.enumerated() {
        $0.number(UInt16(channel + 1))
        $0.number(count)
      }
    }
  }

  private mutating func write(_ chunk: ChunkEntry) {
    Self.record(.chunkIndex, to: &output) {
      $0.number(chunk.start)
      $0.number(chunk.end)
      $0.number(chunk.offset)
      $0.number(chunk.byteCount)
      $0.number(UInt32(chunk.indexOffsets.count * 10))
      for entry in chunk.indexOffsets {
        $0.number(entry.channel)
        $0.number(entry.offset)
      }
      $0.number(chunk.indexByteCount)
      Self.text("zstd", to: &$0)
      $0.number(chunk.compressedByteCount)
      $0.number(chunk.rawByteCount)
    }
  }
}

/// The CRC-32 of zlib, which MCAP uses.
enum MCAPChecksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    var value = UInt32(byte)
    for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    return value
  }

  static func value(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var value = UInt32.max
    for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    return ~value
  }
}
