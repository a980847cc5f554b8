// Keys that name the same thing across batches: identifiers, tokens, scenes, streams.
// This file must not know what a key stands for.

package import TraceModel

/// An argument's value as a key. Equal integers are equal whatever type they were stored in.
package enum ArgumentKey: Hashable, Sendable {
  /// Bytes of a text that count: many keys are kept for long, and identifiers are shorter.
  package static let textBytesMax = 256

  /// The event has no such argument.
  case absent
  case bits(UInt64)
  /// A fractional number, by its bits.
  case fraction(UInt64)
  case boolean(Bool)
  case text(String)
}

extension EventBatch {
  package func key(_ name: ArgumentName, of event: Event) -> ArgumentKey {
    bits(name, of: event).map { key($0.1, as: $0.0) } ?? .absent
  }

  /// The key that the bits of an argument stand for.
  package func key(_ bits: UInt64, as type: ArgumentType) -> ArgumentKey {
    switch type {
    case .integer, .unsigned: return .bits(bits)
    case .number:
      let number = Double(bitPattern: bits)
      if let integer = Int64(exactly: number) { return .bits(UInt64(bitPattern: integer)) }
      if let integer = UInt64(exactly: number) { return .bits(integer) }
      return .fraction(bits)
    case .boolean: return .boolean(bits != 0)
    case .string, .json:
      let range = strings.range(at: Int(bits)).prefix(ArgumentKey.textBytesMax)
      return .text(String(decoding: strings.bytes[range], as: UTF8.self))
    }
  }
}
