// Tells well-formed UTF-8 from the rest, one character at a time.

enum UTF8Scan {
  enum Character {
    /// A well-formed character of this many bytes.
    case wellFormed(Int)
    /// The text stops inside a character that was well-formed so far.
    case cut
    case illFormed
  }

  /// The character whose first byte, 0x80 or above, stands at an index of the text.
  static func character(at index: Int, in text: Span<UInt8>) -> Character {
    let lead = text[index]
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    let count: Int
    switch lead {
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF:
      count = 3
      if lead == 0xE0 { lowest = 0xA0 }
      if lead == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      count = 4
      if lead == 0xF0 { lowest = 0x90 }
      if lead == 0xF4 { highest = 0x8F }
    default: return .illFormed
    }
    for offset in 1..<count {
      guard index + offset < text.count else { return .cut }
      let byte = text[index + offset]
      guard byte >= lowest, byte <= highest else { return .illFormed }
      lowest = 0x80
      highest = 0xBF
    }
    return .wellFormed(count)
  }
}
