// Reads the index of a file from its end. Whatever is wrong with it, the answer is "no index".

import TraceModel

/// The blocks of a file, as its index records tell them.
public struct LctraceIndex: Sendable {
  /// All blocks in the order of the file.
  public private(set) var entries: [LctraceIndexEntry] = []
  /// Where each trace of the file begins.
  public private(set) var traceStarts: [UInt64] = []

  /// Reads the index of a file; nil if a part of it is missing or wrong, and the caller scans.
  ///
  /// - Parameters:
  ///   - byteCount: The file's size.
  ///   - read: Bytes of the file from an offset on, exactly as many as asked for; else nil.
  public init?(byteCount: UInt64, read: (_ offset: UInt64, _ count: Int) -> [UInt8]?) {
    var end = byteCount
    // Traces and their entries, last first.
    var traces: [(start: UInt64, entries: [LctraceIndexEntry])] = []
    var total = 0
    while end > 0 {
      guard var (offset, record) = Self.record(endingAt: end, read) else { return nil }
      let start = record.traceStart
      var entries = Array(record.entries.reversed())
      while let previous = record.previousIndex {
        guard previous >= start, total + entries.count <= FormatLimits.indexEntriesTotalMax,
          let before = Self.record(startingAt: previous, before: offset, read),
          before.traceStart == start
        else { return nil }
        (offset, record) = (previous, before)
        entries.append(contentsOf: record.entries.reversed())
      }
      total += entries.count
      guard start < end, total <= FormatLimits.indexEntriesTotalMax else { return nil }
      traces.append((start, entries.reversed()))
      end = start
    }
    for (index, trace) in traces.reversed().enumerated() {
      traceStarts.append(trace.start)
      for var entry in trace.entries {
        entry.traceIndex = index
        entries.append(entry)
      }
    }
    guard !traceStarts.isEmpty, isInOrder else { return nil }
  }

  /// Whether no two records of blocks overlap.
  private var isInOrder: Bool {
    var end: UInt64 = 0
    for entry in entries {
      guard entry.offset >= end else { return false }
      end = entry.offset + UInt64(entry.recordByteCount)
    }
    return true
  }

  private static let frameBytesMin = 12
  private static let recordBytesMax =
    FormatLimits.recordBodyBytesMax + FormatLimits.recordFrameBytesMax

  /// The index record that ends at a place.
  private static func record(
    endingAt end: UInt64, _ read: (UInt64, Int) -> [UInt8]?
  ) -> (offset: UInt64, record: IndexRecord)? {
    guard end >= 8, let tail = read(end - 8, 8), tail.count == 8 else { return nil }
    var place = 0
    guard let length = try? ByteReader.uint32(tail.span, &place), UInt64(length) <= end,
      (frameBytesMin...recordBytesMax).contains(Int(length))
    else { return nil }
    let offset = end - UInt64(length)
    guard let bytes = read(offset, Int(length)), bytes.count == Int(length),
      let record = parse(bytes, at: offset)
    else { return nil }
    return (offset, record)
  }

  /// The index record that starts at a place and ends before another.
  private static func record(
    startingAt offset: UInt64, before end: UInt64, _ read: (UInt64, Int) -> [UInt8]?
  ) -> IndexRecord? {
    guard offset < end else { return nil }
    let available = Int(min(end - offset, UInt64(FormatLimits.recordFrameBytesMax)))
    guard let head = read(offset, available), head.count == available,
      let length = RecordFrame.head(head.span)?.byteCount, length <= recordBytesMax,
      UInt64(length) <= end - offset, let bytes = read(offset, length), bytes.count == length
    else { return nil }
    return parse(bytes, at: offset)
  }

  private static func parse(_ bytes: [UInt8], at offset: UInt64) -> IndexRecord? {
    guard case .present(let frame) = RecordFrame.probe(bytes.span, at: 0),
      frame.end == bytes.count, frame.type == RecordType.index,
      CRC32C.checksum(bytes.span, frame.checked) == frame.storedChecksum(bytes.span)
    else { return nil }
    return try? IndexRecord(bytes.span.extracting(frame.body), at: offset)
  }
}
