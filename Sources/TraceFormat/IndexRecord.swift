// The index record: what blocks a trace has and where, chained backwards from the end.
// It is advice. Whoever uses it checks every record it leads to.

import TraceModel

/// Where a block is, and what its header says.
public struct LctraceIndexEntry: Hashable, Sendable {
  /// The place of the block's record in the file.
  public var offset: UInt64
  /// Bytes of the block's record.
  public var recordByteCount: Int
  /// The number of the block's trace in the file, from 0.
  public var traceIndex: Int
  public var summary: BlockSummary
}

/// Collects entries, and writes index records.
struct IndexWriter: Sendable {
  private var entries: [LctraceIndexEntry] = []
  private var blockCount = 0
  private var traceStart: UInt64 = 0
  private var previousIndex: UInt64?

  init() {}

  /// A trace of one block is found as fast without index.
  var isWorthwhile: Bool { blockCount > 1 && !entries.isEmpty }
  var isFull: Bool { entries.count >= FormatLimits.blocksPerIndex }

  mutating func beginTrace(at offset: UInt64) {
    entries.removeAll(keepingCapacity: true)
    blockCount = 0
    traceStart = offset
    previousIndex = nil
  }

  mutating func add(_ summary: BlockSummary, at offset: UInt64, recordByteCount: Int) {
    blockCount += 1
    entries.append(
      LctraceIndexEntry(
        offset: offset, recordByteCount: recordByteCount, traceIndex: 0, summary: summary))
  }

  /// Appends the body of an index record that will stand at an offset, and forgets the entries.
  mutating func append(at offset: UInt64, sequence: UInt32, to output: inout [UInt8]) {
    output.appendVarint(offset - traceStart)
    output.appendVarint(previousIndex.map { offset - $0 } ?? 0)
    output.appendVarint(entries.count)
    var before = traceStart
    for entry in entries {
      output.appendVarint(entry.offset - before)
      output.appendVarint(entry.recordByteCount)
      output.appendVarint(entry.summary.storedByteCount)
      entry.summary.append(to: &output)
      before = entry.offset
    }
    // The record's own length stands last, so that the record can be found from its end.
    let bodyBytes = output.count + 4
    let frame = 6 + Self.varintBytes(UInt64(sequence)) + Self.varintBytes(UInt64(bodyBytes)) + 4
    output.appendLittleEndian(UInt32(frame + bodyBytes))
    previousIndex = offset
    entries.removeAll(keepingCapacity: true)
  }

  private static func varintBytes(_ value: UInt64) -> Int {
    max(1, (64 - value.leadingZeroBitCount + 6) / 7)
  }
}

/// An index record, read.
struct IndexRecord {
  var traceStart: UInt64
  var previousIndex: UInt64?
  /// In the order of the file; the trace's number isn't filled in.
  var entries: [LctraceIndexEntry]

  /// Reads the body of the index record that stands at an offset. Everything it points to lies
  /// before it.
  init(_ body: Span<UInt8>, at offset: UInt64) throws(FormatDamage) {
    var place = 0
    traceStart = try Self.offset(before: offset, by: try ByteReader.varint(body, &place))
    let distance = try ByteReader.varint(body, &place)
    previousIndex = distance == 0 ? nil : try Self.offset(before: offset, by: distance)
    let count = try ByteReader.count(
      body, &place, max: FormatLimits.indexEntriesMax, "index entries")
    entries = []
    var before = traceStart
    for _ in 0..<count {
      let (start, overflow) = before.addingReportingOverflow(try ByteReader.varint(body, &place))
      let bytes = try ByteReader.count(
        body, &place, max: FormatLimits.recordBodyBytesMax + FormatLimits.recordFrameBytesMax,
        "bytes of a record")
      guard !overflow, start < offset, UInt64(bytes) <= offset - start else {
        throw FormatDamage("an entry points behind the index")
      }
      let stored = try ByteReader.count(
        body, &place, max: FormatLimits.recordBodyBytesMax, "bytes of a chunk")
      var summary = try BlockSummary(body, &place)
      summary.storedByteCount = stored
      entries.append(
        LctraceIndexEntry(
          offset: start, recordByteCount: bytes, traceIndex: 0, summary: summary))
      before = start
    }
    guard body.count - place == 4 else { throw FormatDamage("bytes follow its last entry") }
  }

  private static func offset(
    before offset: UInt64, by distance: UInt64
  ) throws(FormatDamage) -> UInt64 {
    guard distance <= offset else { throw FormatDamage("it points before the start of the file") }
    return offset - distance
  }
}
