// The blocks of a file that can be read without reading the rest: the index, believed only as far
// as the file itself bears it out.

public import TraceModel

/// Where the traces and blocks of a file stand, and what each block's own header says.
///
/// Everything but the content of blocks is compared: every byte of the file belongs to a signature,
/// a header, a block with the header that the index has for it, or an index record. Blocks that the
/// index leaves out, or describes otherwise, are hence noticed.
public struct LctraceMap: Sendable {
  /// One trace of the file.
  public struct Trace: Sendable {
    public var header: TraceHeader
    /// Its blocks, in their order.
    public var blocks: [LctraceIndexEntry]
  }

  /// Reads so many bytes of the file from an offset on; nil if they aren't there.
  public typealias Read = (_ offset: UInt64, _ count: Int) -> [UInt8]?

  public private(set) var traces: [Trace] = []

  /// Bytes in which a block's header nearly always fits.
  private static let headBytes = 512

  /// Reads the map of a file: some hundred bytes for each block. Nil if there is no index, or
  /// anything contradicts it; the file is then read from its start.
  ///
  /// - Parameters:
  ///   - byteCount: The file's size.
  ///   - read: Reads a part of the file.
  public init?(byteCount: UInt64, read: Read) {
    guard let index = LctraceIndex(byteCount: byteCount, read: read) else { return nil }
    var entries = index.entries[...]
    for (number, start) in index.traceStarts.enumerated() {
      let end =
        number + 1 < index.traceStarts.count ? index.traceStarts[number + 1] : byteCount
      let own = entries.prefix { $0.traceIndex == number }
      entries = entries.dropFirst(own.count)
      guard let trace = Self.trace(start..<end, own, read) else { return nil }
      traces.append(trace)
    }
    guard entries.isEmpty else { return nil }
  }

  private static func trace(
    _ range: Range<UInt64>, _ entries: ArraySlice<LctraceIndexEntry>, _ read: Read
  ) -> Trace? {
    let signatureBytes = FileSignature.byteCount
    guard range.upperBound - range.lowerBound > UInt64(signatureBytes),
      let signature = read(range.lowerBound, signatureBytes),
      case .present(FileSignature.majorVersion, _) = FileSignature.probe(signature.span, at: 0)
    else { return nil }
    var place = range.lowerBound + UInt64(signatureBytes)
    guard let record = Self.record(at: place, before: range.upperBound, read),
      case .present(let frame) = RecordFrame.probe(record.span, at: 0), frame.sequence == 0,
      frame.type == RecordType.header,
      let (header, _) = try? HeaderBody.read(record.span.extracting(frame.body))
    else { return nil }
    let tag = frame.storedChecksum(record.span)
    place += UInt64(record.count)
    var sequence: UInt32 = 1
    var ordinal = 0
    for entry in entries {
      guard passIndexRecords(&place, until: entry.offset, &sequence, read),
        entry.summary.traceTag == tag, entry.summary.firstOrdinal == ordinal,
        isBlock(entry, sequence, before: range.upperBound, read)
      else { return nil }
      place = entry.offset + UInt64(entry.recordByteCount)
      ordinal += entry.summary.eventCount
      sequence &+= 1
    }
    guard passIndexRecords(&place, until: range.upperBound, &sequence, read) else { return nil }
    return Trace(header: header, blocks: Array(entries))
  }

  /// Whether nothing but whole index records stands up to a place.
  private static func passIndexRecords(
    _ place: inout UInt64, until end: UInt64, _ sequence: inout UInt32, _ read: Read
  ) -> Bool {
    while place < end {
      guard let record = Self.record(at: place, before: end, read),
        let head = RecordFrame.head(record.span), head.type == RecordType.index,
        head.sequence == sequence
      else { return false }
      place += UInt64(record.count)
      sequence &+= 1
    }
    return place == end
  }

  /// The whole record at a place, if it is intact and ends in time.
  private static func record(at place: UInt64, before end: UInt64, _ read: Read) -> [UInt8]? {
    guard place < end else { return nil }
    let available = Int(min(end - place, UInt64(FormatLimits.recordFrameBytesMax)))
    guard let start = read(place, available), let head = RecordFrame.head(start.span),
      // Headers and index records are small; a lie here must not cost the memory of a block.
      head.body.count <= FormatLimits.headerBytesMax + FormatLimits.indexBodyBytesMax,
      UInt64(head.byteCount) <= end - place, let record = read(place, head.byteCount),
      case .present(let frame) = RecordFrame.probe(record.span, at: 0), frame.end == record.count,
      CRC32C.checksum(record.span, frame.checked) == frame.storedChecksum(record.span)
    else { return nil }
    return record
  }

  /// Whether a block stands where an entry says, with the header that the entry repeats.
  private static func isBlock(
    _ entry: LctraceIndexEntry, _ sequence: UInt32, before end: UInt64, _ read: Read
  ) -> Bool {
    guard UInt64(entry.recordByteCount) <= end - min(end, entry.offset) else { return false }
    var count = min(entry.recordByteCount, headBytes)
    guard var bytes = read(entry.offset, count), let head = RecordFrame.head(bytes.span),
      head.type == RecordType.block, head.sequence == sequence,
      head.byteCount == entry.recordByteCount
    else { return false }
    let most =
      FormatLimits.recordFrameBytesMax + FormatLimits.blockHeaderBytesMax
    if let summary = Self.summary(bytes, head) { return summary == entry.summary }
    count = min(entry.recordByteCount, most)
    guard count > bytes.count, let more = read(entry.offset, count) else { return false }
    bytes = more
    return Self.summary(bytes, head) == entry.summary
  }

  private static func summary(_ bytes: [UInt8], _ head: RecordFrame.Head) -> BlockSummary? {
    guard head.body.lowerBound < bytes.count else { return nil }
    let body = bytes.span.extracting(head.body.lowerBound..<min(bytes.count, head.body.upperBound))
    var offset = 0
    guard var summary = try? BlockSummary(body, &offset) else { return nil }
    summary.storedByteCount = head.body.count - offset
    return summary
  }
}
