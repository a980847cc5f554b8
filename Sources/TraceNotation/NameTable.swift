// Finds fixed names by their bytes, without making strings of them.

import TraceModel

/// A fixed set of names, each with its place in the list from 1.
struct NameTable: Sendable {
  private var slots: [Slot]
  private let mask: Int
  private var bytes: [UInt8] = []

  /// A name: its ends as words, which are all of it up to 16 bytes.
  private struct Slot: Sendable {
    var first: UInt64 = 0
    var last: UInt64 = 0
    var count: UInt16 = 0
    /// The name's place from 1; 0 if the slot is empty.
    var number: UInt16 = 0
    /// Where the name stands in the bytes.
    var start: UInt32 = 0
  }

  /// At most 65,535 names, none of which is empty.
  init(_ names: [String]) {
    var capacity = 16
    while capacity < names.count * 4 { capacity *= 2 }
    mask = capacity - 1
    slots = [Slot](repeating: Slot(), count: capacity)
    for (index, name) in names.enumerated() {
      let start = bytes.count
      bytes.append(contentsOf: name.utf8)
      let range = start..<bytes.count
      let (first, last) = Self.ends(bytes.span, range)
      var slot = Self.hash(first, last) & mask
      while slots[slot].number != 0 { slot = (slot + 1) & mask }
      slots[slot] = Slot(
        first: first, last: last, count: UInt16(range.count), number: UInt16(index + 1),
        start: UInt32(start))
    }
  }

  /// The place of a name, from 1; 0 if it is none of these.
  @inline(__always)
  func number(of text: Span<UInt8>, _ range: Range<Int>) -> UInt16 {
    guard !range.isEmpty, range.upperBound <= text.count else { return 0 }
    let (first, last) = Self.ends(text, range)
    let slots = slots.span
    var place = Self.hash(first, last) & mask
    while slots[place].number != 0 {
      if slots[place].first == first, slots[place].last == last,
        slots[place].count == range.count,
        range.count <= 2 * ByteWord.count || isMiddle(of: slots[place], text, range)
      {
        return slots[place].number
      }
      place = (place + 1) & mask
    }
    return 0
  }

  /// Whether what stands between the ends is the same.
  @inline(__always)
  private func isMiddle(of slot: Slot, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let bytes = bytes.span
    var offset = ByteWord.count
    while offset < range.count - ByteWord.count {
      if ByteWord.load(bytes, at: Int(slot.start) + offset)
        != ByteWord.load(text, at: range.lowerBound + offset)
      {
        return false
      }
      offset += ByteWord.count
    }
    return true
  }

  /// The first and the last eight bytes of a name; a shorter one is both.
  @inline(__always)
  private static func ends(_ text: Span<UInt8>, _ range: Range<Int>) -> (UInt64, UInt64) {
    if range.count >= ByteWord.count {
      return (
        ByteWord.load(text, at: range.lowerBound),
        ByteWord.load(text, at: range.upperBound - ByteWord.count)
      )
    }
    let word = ByteWord.load(text, range)
    return (word, word)
  }

  /// The ends tell the names of the vocabulary apart well enough; the names are fixed, so that no
  /// input can make the searches longer.
  @inline(__always)
  private static func hash(_ first: UInt64, _ last: UInt64) -> Int {
    let hash = (first &* 0x9E37_79B9_7F4A_7C15) ^ last
    return Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }
}

extension NameTable {
  /// Kinds of the vocabulary by their numbers.
  static let kinds = NameTable(Vocabulary.kinds.map(\.name))

  /// Arguments of the vocabulary by their numbers.
  static let arguments = NameTable(
    (1..<ArgumentName.firstUnknownNumber).lazy
      .map { ArgumentName(rawValue: $0).knownText }
      .prefix { $0 != nil }
      .compactMap { $0 })
}
