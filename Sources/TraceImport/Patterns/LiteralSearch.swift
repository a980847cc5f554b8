// Finds where a text first stands in bytes, in a time that doesn't depend on what either holds.
// This file must not know patterns.

/// A search for one text after Knuth, Morris and Pratt ("Fast pattern matching in strings", 1977).
struct LiteralSearch: Hashable, Sendable {
  let literal: [UInt8]
  /// For each length of a part of the text from its beginning: how much of the end of that part is
  /// a beginning of the text again.
  private var borders: [UInt16] = []

  /// A text may have as many bytes as a pattern.
  init(_ literal: [UInt8]) {
    self.literal = literal
    guard literal.count > 1 else { return }
    borders = [UInt16](repeating: 0, count: literal.count)
    var length = 0
    for place in 1..<literal.count {
      while length > 0, literal[place] != literal[length] { length = Int(borders[length - 1]) }
      if literal[place] == literal[length] { length += 1 }
      borders[place] = UInt16(clamping: length)
    }
  }

  /// The place of the first occurrence from an offset on; nil if there is none.
  func first(in bytes: Span<UInt8>, from start: Int) -> Int? {
    guard let head = literal.first else { return start <= bytes.count ? start : nil }
    var offset = start
    var length = 0
    while offset < bytes.count {
      if length == 0 {
        guard let place = bytes.first(head, from: offset, to: bytes.count) else { return nil }
        offset = place + 1
        length = 1
      } else if bytes[offset] == literal[length] {
        offset += 1
        length += 1
      } else {
        length = Int(borders[length - 1])
        continue
      }
      if length == literal.count { return offset - length }
    }
    return nil
  }
}
