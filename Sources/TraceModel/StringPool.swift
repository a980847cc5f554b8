// Texts of one block, stored once each and named by number.
// This file must not know what the texts are used for.

/// Texts stored end to end, each named by its place.
///
/// Adding a text that is already there returns the number it has. The hash is seeded per process,
/// so that a hostile input can't choose texts that collide.
public struct StringPool: Sendable {
  /// The UTF-8 of all texts, end to end.
  public private(set) var bytes: [UInt8] = []
  /// Where each text ends in ``bytes``.
  public private(set) var ends: [UInt32] = []
  private var slots: [UInt32] = []

  private static let seed = UInt64.random(in: .min ... .max)
  /// An odd factor, so that no two numbers have the same product.
  private static let factor = UInt64.random(in: .min ... .max) | 1

  public init() {}

  public var count: Int { ends.count }

  /// The place of a text in ``bytes``. The index must be below ``count``.
  @inlinable
  public func range(at index: Int) -> Range<Int> {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    return start..<Int(ends[index])
  }

  /// The text with this number; ill-formed UTF-8 is repaired.
  public subscript(index: Int) -> String {
    String(decoding: bytes[range(at: index)], as: UTF8.self)
  }

  /// Whether the text with this number has exactly these bytes. Doesn't allocate.
  public func equals(_ index: Int, _ text: String) -> Bool {
    bytes[range(at: index)].elementsEqual(text.utf8)
  }

  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = 0 }
  }

  /// Adds a text without looking whether it is there already, as a reader of a block does.
  public mutating func append(_ text: Span<UInt8>) {
    for index in text.indices { bytes.append(text[index]) }
    ends.append(UInt32(bytes.count))
  }

  /// The number of a text, which is added if it is new.
  public mutating func intern(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { buffer in unsafe intern(buffer.span) }
  }

  /// The number of a text, which is added if it is new.
  public mutating func intern(_ text: Span<UInt8>) -> Int {
    if (count + 1) * 2 > slots.count { grow() }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: Self.hash(text)) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if equals(index, text) { return index }
      slot = (slot + 1) & mask
    }
    append(text)
    slots[slot] = UInt32(count)
    return count - 1
  }

  private func equals(_ index: Int, _ text: Span<UInt8>) -> Bool {
    let range = range(at: index)
    guard range.count == text.count else { return false }
    let own = bytes.span
    let start = range.lowerBound
    var offset = 0
    while offset <= text.count - Self.wordBytes {
      if Self.word(own, at: start + offset) != Self.word(text, at: offset) { return false }
      offset += Self.wordBytes
    }
    while offset < text.count {
      if own[start + offset] != text[offset] { return false }
      offset += 1
    }
    return true
  }

  private mutating func grow() {
    let capacity = max(16, slots.count * 2)
    slots = [UInt32](repeating: 0, count: capacity)
    for index in 0..<count {
      let range = range(at: index)
      var slot = Int(truncatingIfNeeded: Self.hash(bytes.span.extracting(range))) & (capacity - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// Both halves of a product depend on all bits of both factors, one of which nobody knows.
  private static func hash(_ text: Span<UInt8>) -> UInt64 {
    let factor = factor
    var hash = seed ^ UInt64(text.count)
    var index = 0
    while index <= text.count - wordBytes {
      let product = (hash ^ word(text, at: index)).multipliedFullWidth(by: factor)
      hash = product.high ^ product.low
      index += wordBytes
    }
    var rest: UInt64 = 0
    while index < text.count {
      rest = rest << 8 | UInt64(text[index])
      index += 1
    }
    let product = (hash ^ rest).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }

  private static let wordBytes = 8

  /// The eight bytes at an index, which must be there: the load checks it.
  @inline(__always)
  private static func word(_ text: Span<UInt8>, at index: Int) -> UInt64 {
    // Every pattern of bits is a number, so that nothing but the bounds can be wrong.
    unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
  }
}
