// Which columns a block has, and how large each is. Stands in the block's header, so that a reader
// fetches and opens only what it needs.

/// The size of one column of a block.
public struct ColumnSize: Hashable, Sendable {
  public var rawByteCount = 0
  /// As it stands in the file.
  public var storedByteCount = 0
}

/// The columns of a block with the encoding 2, in their order.
enum Column {
  /// Names, texts, threads, templates, and how each template's times and arguments are coded.
  static let dictionary = 0
  /// One byte for each event: its column template.
  static let templates = 1
  /// For each group of events: the time before it, and the length of its low bits.
  static let groups = 2
  /// The low bits of the differences of times. Never compressed: they are noise.
  static let lowBits = 3
  /// The arguments of the events, one slot of one template after the other.
  static let arguments = 4
  /// The first stream of symbols of the differences of times. Others may follow.
  static let symbols = 5
}

/// The sizes of all columns of a block.
struct ColumnLayout {
  static func append(_ columns: [ColumnSize], to output: inout [UInt8]) {
    output.appendVarint(columns.count)
    for column in columns {
      output.appendVarint(column.rawByteCount)
      output.appendVarint(column.storedByteCount)
    }
  }

  /// Reads the sizes, and compares each with its bound, and their sum with what the header says.
  static func read(
    _ bytes: Span<UInt8>, _ offset: inout Int, rawByteCount: Int
  ) throws(FormatDamage) -> [ColumnSize] {
    let count = try ByteReader.count(
      bytes, &offset, max: Column.symbols + FormatLimits.symbolStreamsMax, "columns")
    guard count > Column.symbols else { throw FormatDamage("it has only \(count) columns") }
    var columns: [ColumnSize] = []
    columns.reserveCapacity(count)
    var total = 0
    for _ in 0..<count {
      let raw = try ByteReader.count(
        bytes, &offset, max: FormatLimits.columnRawBytesMax, "uncompressed bytes of a column")
      let stored = try ByteReader.count(
        bytes, &offset, max: FormatLimits.columnStoredBytesMax, "bytes of a column")
      columns.append(ColumnSize(rawByteCount: raw, storedByteCount: stored))
      total += raw
    }
    guard total == rawByteCount else {
      throw FormatDamage("its columns have \(total) bytes, its header declares \(rawByteCount)")
    }
    guard columns[Column.lowBits].rawByteCount == columns[Column.lowBits].storedByteCount else {
      throw FormatDamage("it declares two sizes of a column that isn't compressed")
    }
    return columns
  }

  /// Where a column stands in the chunk of a block. The sizes were read, so no sum overflows.
  static func range(of column: Int, _ columns: [ColumnSize]) -> Range<Int> {
    var start = 0
    for size in columns[..<column] { start += size.storedByteCount }
    return start..<start + columns[column].storedByteCount
  }
}
