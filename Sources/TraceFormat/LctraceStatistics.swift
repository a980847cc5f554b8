// What a reader has seen of a file, for `info`.

/// Counts of a `.lctrace` input, so far.
public struct LctraceStatistics: Hashable, Sendable {
  /// Versions of the last signature; nil before one was read.
  public var majorVersion: UInt8?
  public var minorVersion: UInt8?
  public var traceCount = 0
  public var recordCount = 0
  public var blockCount = 0
  public var eventCount = 0
  /// Events that stood in blocks that are missing or can't be read, as far as blocks that are there
  /// tell.
  public var lostEventCount = 0
  /// Bytes of all blocks' content before compression.
  public var rawByteCount = 0
  /// The same as it stands in the file.
  public var storedByteCount = 0
  /// Blocks by the number of their encoding.
  public var blocksByEncoding: [UInt8: Int] = [:]
  /// Blocks by the number of their codec.
  public var blocksByCodec: [UInt8: Int] = [:]
  public var indexRecordCount = 0
  /// Records of types that this version doesn't know, and that every reader may skip.
  public var skippedRecordCount = 0

  public init() {}

  /// Counts events that are lost: hostile places of several traces exceed any number.
  mutating func addLost(_ count: Int) {
    lostEventCount = min(lostEventCount, .max - count) + count
  }

  mutating func add(_ summary: BlockSummary) {
    blockCount += 1
    eventCount += summary.eventCount
    rawByteCount += summary.rawByteCount
    storedByteCount += summary.storedByteCount
    blocksByEncoding[summary.encoding, default: 0] += 1
    blocksByCodec[summary.codec, default: 0] += 1
  }
}
