// Snappy's block format, written with literals alone: every reader takes it, and metrics are small.

import TraceModel

/// Wraps bytes as a Snappy block (github.com/google/snappy, format_description.txt).
public enum SnappyBlock {
  /// Bytes of one literal: their number less one fits two bytes.
  static let literalBytesMax = 65_536

  /// The block: the number of bytes as a varint, and then the bytes as literals.
  public static func literals(_ bytes: [UInt8]) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(bytes.count + 16 + bytes.count / literalBytesMax * 3)
    WireBytes.append(UInt64(bytes.count), to: &block)
    var start = 0
    while start < bytes.count {
      let end = min(start + literalBytesMax, bytes.count)
      let last = end - start - 1
      switch last {
      case ..<60: block.append(UInt8(last) << 2)
      case ..<256:
        block.append(60 << 2)
        block.append(UInt8(last))
      default:
        block.append(61 << 2)
        block.append(UInt8(truncatingIfNeeded: last))
        block.append(UInt8(truncatingIfNeeded: last >> 8))
      }
      block.append(contentsOf: bytes[start..<end])
      start = end
    }
    return block
  }
}

/// Numbers as protobuf and Snappy write them.
enum WireBytes {
  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// The bytes that a number takes.
  static func count(_ number: UInt64) -> Int {
    max(1, (UInt64.bitWidth - number.leadingZeroBitCount + 6) / 7)
  }

  /// A field of bytes: its key, its length and the bytes.
  static func append(_ text: String, field: UInt8, to bytes: inout [UInt8]) {
    bytes.append(field << 3 | 2)
    append(UInt64(text.utf8.count), to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }
}
