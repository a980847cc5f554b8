// Finds fixed names by their bytes, without making strings of them.

import TraceModel

/// A fixed set of names, each with its place in the list from 1.
struct NameTable: Sendable {
  private var slots: [UInt16]
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]

  /// At most 65,535 names, none of which is empty.
  init(_ names: [String]) {
    var capacity = 16
    while capacity < names.count * 4 { capacity *= 2 }
    slots = [UInt16](repeating: 0, count: capacity)
    for (index, name) in names.enumerated() {
      let start = bytes.count
      bytes.append(contentsOf: name.utf8)
      ends.append(bytes.count)
      var slot = Self.hash(bytes.span, start..<bytes.count) & (capacity - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = UInt16(index + 1)
    }
  }

  /// The place of a name, from 1; 0 if it is none of these.
  @inline(__always)
  func number(of text: Span<UInt8>, _ range: Range<Int>) -> UInt16 {
    guard !range.isEmpty, range.upperBound <= text.count else { return 0 }
    let mask = slots.count - 1
    var slot = Self.hash(text, range) & mask
    while slots[slot] != 0 {
      let number = Int(slots[slot])
      let start = ends[number - 1]
      if ends[number] - start == range.count {
        var offset = 0
        while offset < range.count, bytes[start + offset] == text[range.lowerBound + offset] {
          offset += 1
        }
        if offset == range.count { return UInt16(truncatingIfNeeded: number) }
      }
      slot = (slot + 1) & mask
    }
    return 0
  }

  /// Five of the bytes and the length tell the names of the vocabulary apart well enough; the
  /// names are fixed, so that no input can make the searches longer.
  @inline(__always)
  private static func hash(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    let start = range.lowerBound
    let count = range.count
    var hash = UInt64(truncatingIfNeeded: count)
    hash = hash << 8 | UInt64(text[start])
    hash = hash << 8 | UInt64(text[start + count / 4])
    hash = hash << 8 | UInt64(text[start + count / 2])
    hash = hash << 8 | UInt64(text[start + count * 3 / 4])
    hash = hash << 8 | UInt64(text[start + count - 1])
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
