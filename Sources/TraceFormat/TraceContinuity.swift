// Which trace the records belong to, and which of its records have been seen.

/// The thread that a reader follows through the records of a file.
struct TraceContinuity: Sendable {
  /// The tag of the current trace: the checksum of its header record. Nil before a header.
  private(set) var tag: UInt32?
  /// The place of the next event if nothing is missing.
  var nextOrdinal = 0
  private var seen = SeenRecords()
  private var headerSequence: UInt32?

  init() {}

  /// A signature was read: whatever follows is new, even if it equals what was before.
  mutating func beginFile() { self = TraceContinuity() }

  /// A header was read.
  mutating func beginTrace(header sequence: UInt32, _ checksum: UInt32) {
    self = TraceContinuity()
    tag = checksum
    headerSequence = sequence
    _ = seen.insert(sequence, checksum)
  }

  /// A block was read of a trace whose header is missing.
  mutating func beginTrace(tag: UInt32, block sequence: UInt32, _ checksum: UInt32) {
    self = TraceContinuity()
    self.tag = tag
    _ = seen.insert(sequence, checksum)
  }

  /// Whether a header record is the one that began the current trace.
  func isKnownHeader(_ sequence: UInt32, _ checksum: UInt32) -> Bool {
    tag == checksum && headerSequence == sequence
  }

  mutating func follow(_ sequence: UInt32, _ checksum: UInt32) -> SeenRecords.Place {
    seen.insert(sequence, checksum)
  }
}
