// Numbers and texts as the formats of others have them: little-endian, and as protocol buffers.
// This file must not know any format.

/// Bytes that are being written.
struct ReferenceBytes {
  var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  mutating func number(_ value: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    for _ in 0..<value.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Zeros until the number of bytes is a multiple of eight.
  mutating func align() {
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  /// Overwrites a number of eight bytes.
  mutating func set(_ value: UInt64, at place: Int) {
    for byte in 0..<8 { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
  }

  // MARK: Protocol buffers

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func field(_ number: Int, _ value: UInt64) {
    varint(UInt64(number) << 3)
    varint(value)
  }

  mutating func field(_ number: Int, double bits: UInt64) {
    varint(UInt64(number) << 3 | 1)
    self.number(bits)
  }

  mutating func field(_ number: Int, bytes value: some Collection<UInt8>) {
    varint(UInt64(number) << 3 | 2)
    varint(UInt64(value.count))
    append(value)
  }

  mutating func field(_ number: Int, _ text: String) { field(number, bytes: text.utf8) }

  mutating func field(_ number: Int, message body: (inout ReferenceBytes) -> Void) {
    var inner = ReferenceBytes()
    body(&inner)
    field(number, bytes: inner.bytes)
  }
}
