// The bytes of an input that a decoder still needs. Memory follows the largest record.

import TraceModel

/// A sliding window over an input.
struct InputWindow: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The place of the first unread byte in ``bytes``.
  private(set) var head = 0
  /// The place in the input of the first of ``bytes``.
  private(set) var firstOffset: UInt64 = 0

  init() {}

  var unreadCount: Int { bytes.count - head }
  /// The place in the input of the first unread byte.
  var offset: UInt64 { firstOffset + UInt64(head) }
  /// The place in the input after the last byte.
  var endOffset: UInt64 { firstOffset + UInt64(bytes.count) }

  /// Adds bytes. What was read is dropped first once it is at least half of the window, so that
  /// every byte is moved less than twice on average.
  mutating func append(_ input: Span<UInt8>) {
    if head * 2 >= bytes.count {
      bytes.removeSubrange(0..<head)
      firstOffset += UInt64(head)
      head = 0
    }
    bytes.append(copying: input)
  }

  /// Moves on to a place of ``bytes``, which must not lie before the head.
  mutating func advance(to place: Int) {
    precondition(place >= head && place <= bytes.count)
    head = place
  }

  /// What stands at the head.
  enum Ahead {
    case empty
    /// A record or signature that needs more bytes.
    case incomplete
    case signature(major: UInt8, minor: UInt8)
    /// A whole record whose checksum is right.
    case record(RecordFrame)
    /// Neither signature nor intact record.
    case damaged
  }

  func lookAhead() -> Ahead {
    let bytes = bytes.span
    guard head < bytes.count else { return .empty }
    if bytes[head] == FileSignature.magic[0] {
      switch FileSignature.probe(bytes, at: head) {
      case .present(let major, let minor): return .signature(major: major, minor: minor)
      case .incomplete: return .incomplete
      case .absent: return .damaged
      }
    }
    switch RecordFrame.probe(bytes, at: head) {
    case .present(let frame):
      let isIntact = CRC32C.checksum(bytes, frame.checked) == frame.storedChecksum(bytes)
      return isIntact ? .record(frame) : .damaged
    case .incomplete: return .incomplete
    case .absent: return .damaged
    }
  }
}
