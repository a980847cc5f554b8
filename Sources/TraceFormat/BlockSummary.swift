// What a block says of itself before it is decoded: bounds, kinds and quality.
// It stands uncompressed at the start of a block, and again in the index.

public import TraceModel

/// What a block holds.
public struct BlockSummary: Hashable, Sendable {
  /// The checksum of the header record of the block's trace: it tells traces apart when the
  /// header is lost.
  public var traceTag: UInt32 = 0
  /// How the events are laid out: 1 rows, 2 columns.
  public var encoding: UInt8 = BlockSummary.rowEncoding
  /// How the content is compressed: 1 stored, 2 zstd.
  public var codec: UInt8 = 0
  public var eventCount = 0
  /// The place of the first event in its trace, from 0.
  public var firstOrdinal = 0
  public var tickRate = TickRate.nanoseconds
  /// The least time of the block's events, in ticks.
  public var earliestTicks: Int64 = 0
  /// The greatest time of the block's events, in ticks.
  public var latestTicks: Int64 = 0
  /// The kinds of the block's events; a kind may be there without an event.
  public var kinds = KindSet()
  public var threadCount = 0
  public var quality = BlockQuality()
  /// Bytes of dictionary and events before compression.
  public var rawByteCount = 0
  /// Bytes of dictionary and events as they stand in the file.
  public var storedByteCount = 0
  /// The sizes of the columns, in their order; none for rows.
  public var columns: [ColumnSize] = []

  public init() {}

  static let rowEncoding: UInt8 = 1
  static let columnEncoding: UInt8 = 2

  public var earliestNanoseconds: Int64 { tickRate.nanoseconds(earliestTicks) }
  public var latestNanoseconds: Int64 { tickRate.nanoseconds(latestTicks) }
}

/// What a reader may rely on without decoding a block.
public struct BlockQuality: Hashable, Sendable {
  /// No event is earlier than the one before it.
  public var isNonDecreasing = false
  /// Events stand in the order of time and, at the same time, of thread identifiers.
  public var isSorted = false
  /// Every thread's events are numbered, and no number is missing inside the block.
  public var isNumbered = false
  /// Enters that no return in the block follows: of a span on its thread, of a window anywhere.
  public var unmatchedEnterCount = 0
  /// Returns that no enter in the block precedes.
  public var unmatchedReturnCount = 0
  /// Kinds outside the vocabulary that the block names.
  public var unknownKindCount = 0

  public init() {}
}

extension BlockSummary {
  /// Appends the block header: its length, and what it says.
  func append(to output: inout [UInt8]) {
    var header: [UInt8] = []
    header.reserveCapacity(96)
    header.appendLittleEndian(traceTag)
    header.append(encoding)
    header.append(codec)
    header.appendVarint(eventCount)
    header.appendVarint(firstOrdinal)
    header.appendVarint(tickRate.numerator)
    header.appendVarint(tickRate.denominator)
    header.appendZigzag(earliestTicks)
    header.appendVarint(UInt64(bitPattern: latestTicks &- earliestTicks))
    kinds.append(to: &header)
    header.appendVarint(threadCount)
    header.append(
      (quality.isNonDecreasing ? 1 : 0) | (quality.isSorted ? 2 : 0) | (quality.isNumbered ? 4 : 0))
    header.appendVarint(quality.unmatchedEnterCount)
    header.appendVarint(quality.unmatchedReturnCount)
    header.appendVarint(quality.unknownKindCount)
    header.appendVarint(rawByteCount)
    if encoding == Self.columnEncoding { ColumnLayout.append(columns, to: &header) }
    output.appendVarint(header.count)
    output.append(contentsOf: header)
  }

  /// Reads a block header and checks it against the bounds. Bytes that a later minor version
  /// added at its end are passed over. The stored size isn't part of it.
  init(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) {
    let length = try ByteReader.count(
      bytes, &offset, max: FormatLimits.blockHeaderBytesMax, "bytes of block header")
    let range = try ByteReader.range(bytes, &offset, count: length)
    let header = bytes.extracting(range)
    var place = 0
    traceTag = try ByteReader.uint32(header, &place)
    encoding = try ByteReader.byte(header, &place)
    codec = try ByteReader.byte(header, &place)
    eventCount = try ByteReader.count(header, &place, max: FormatLimits.eventsMax, "events")
    guard eventCount > 0 else { throw FormatDamage("it declares no events") }
    let ordinal = try ByteReader.varint(header, &place)
    guard ordinal <= FormatLimits.ordinalMax else {
      throw FormatDamage("it declares the place \(ordinal) in the trace")
    }
    firstOrdinal = Int(ordinal)
    let numerator = try ByteReader.varint(header, &place)
    let denominator = try ByteReader.varint(header, &place)
    guard let rate = TickRate(numerator: numerator, denominator: denominator) else {
      throw FormatDamage("it declares the tick rate \(numerator)/\(denominator)")
    }
    tickRate = rate
    earliestTicks = try ByteReader.zigzag(header, &place)
    latestTicks = earliestTicks &+ Int64(bitPattern: try ByteReader.varint(header, &place))
    guard latestTicks >= earliestTicks else {
      throw FormatDamage("its latest time stands before its earliest")
    }
    kinds = try KindSet(header, &place)
    FormatVocabulary.addLateKinds(to: &kinds)
    threadCount = try ByteReader.count(header, &place, max: FormatLimits.threadsMax, "threads")
    let flags = try ByteReader.byte(header, &place)
    quality.isNonDecreasing = flags & 1 != 0
    quality.isSorted = flags & 2 != 0
    quality.isNumbered = flags & 4 != 0
    quality.unmatchedEnterCount = try ByteReader.count(
      header, &place, max: FormatLimits.eventsMax, "unmatched enters")
    quality.unmatchedReturnCount = try ByteReader.count(
      header, &place, max: FormatLimits.eventsMax, "unmatched returns")
    quality.unknownKindCount = try ByteReader.count(
      header, &place, max: FormatLimits.unknownNamesMax, "unknown kinds")
    rawByteCount = try ByteReader.count(
      header, &place, max: FormatLimits.blockRawBytesMax, "uncompressed bytes")
    if encoding == Self.columnEncoding {
      columns = try ColumnLayout.read(header, &place, rawByteCount: rawByteCount)
    }
  }
}

extension KindSet {
  /// Appends the set's 32 bytes without the zero bytes at both ends, after the number of zero
  /// bytes left out at the start and the number of bytes that follow.
  fileprivate func append(to output: inout [UInt8]) {
    var bytes: [UInt8] = []
    for word in [word0, word1, word2, word3] { bytes.appendLittleEndian(word) }
    let first = bytes.firstIndex { $0 != 0 } ?? 32
    let end = (bytes.lastIndex { $0 != 0 } ?? 31) + 1
    output.append(UInt8(first))
    output.append(UInt8(end - first))
    output.append(contentsOf: bytes[first..<end])
  }

  fileprivate init(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) {
    self.init()
    let first = Int(try ByteReader.byte(bytes, &offset))
    let count = Int(try ByteReader.byte(bytes, &offset))
    guard first + count <= 32 else { throw FormatDamage("its set of kinds exceeds 32 bytes") }
    var words: [UInt64] = [0, 0, 0, 0]
    for place in first..<first + count {
      let byte = try ByteReader.byte(bytes, &offset)
      words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8)
    }
    (word0, word1, word2, word3) = (words[0], words[1], words[2], words[3])
  }
}
