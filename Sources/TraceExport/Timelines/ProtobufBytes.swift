// Writes fields of protocol buffers into bytes: varints, fixed numbers, texts and messages.
// This file must not know any message.

import TraceModel

/// Appends fields to a message.
struct ProtobufBytes: Sendable {
  private(set) var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  /// Begins another message in the same memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func varint(_ field: Int, _ value: UInt64) {
    tag(field, wireType: 0)
    append(value)
  }

  /// A signed number as protocol buffers have it: negative ones take ten bytes.
  mutating func integer(_ field: Int, _ value: Int64) {
    varint(field, UInt64(bitPattern: value))
  }

  mutating func boolean(_ field: Int, _ value: Bool) { varint(field, value ? 1 : 0) }

  mutating func fixed64(_ field: Int, _ value: UInt64) {
    tag(field, wireType: 1)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func double(_ field: Int, _ value: Double) { fixed64(field, value.bitPattern) }

  mutating func string(_ field: Int, _ text: String) {
    tag(field, wireType: 2)
    append(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func message(_ field: Int, _ message: ProtobufBytes) {
    tag(field, wireType: 2)
    append(UInt64(message.bytes.count))
    bytes.append(contentsOf: message.bytes)
  }

  /// A message inside this one.
  mutating func message(_ field: Int, _ body: (inout ProtobufBytes) -> Void) {
    var inner = ProtobufBytes()
    body(&inner)
    message(field, inner)
  }

  private mutating func tag(_ field: Int, wireType: UInt64) {
    append(UInt64(field) << 3 | wireType)
  }

  private mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
