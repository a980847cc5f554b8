// Makes texts from a file well-formed UTF-8 without changing their length.
// Every upper layer may then copy the bytes of a text as they are.

/// Repairs ill-formed UTF-8.
enum TextRepair {
  /// Replaces every byte of the range that belongs to no well-formed character by a question
  /// mark. The length stays, so limits and places that were checked before stay true.
  static func repair(_ bytes: inout [UInt8], _ range: Range<Int>) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if bytes[offset] < 0x80 {
        offset += 1
        continue
      }
      let length = characterBytes(bytes.span, offset, range.upperBound)
      if length == 0 {
        bytes[offset] = UInt8(ascii: "?")
        offset += 1
      } else {
        offset += length
      }
    }
  }

  /// The longest beginning of a text that has at most `bytesMax` bytes and cuts no character.
  static func cut(_ text: Span<UInt8>, bytesMax: Int) -> Int {
    guard text.count > bytesMax else { return text.count }
    var end = bytesMax
    while end > 0, end > bytesMax - 4, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// Bytes of the well-formed character of two to four bytes at a place; 0 if there is none
  /// (Unicode 15, table 3-7).
  private static func characterBytes(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    let first = bytes[start]
    let count: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch first {
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, low) = (3, 0xA0)
    case 0xED: (count, high) = (3, 0x9F)
    case 0xE1...0xEF: count = 3
    case 0xF0: (count, low) = (4, 0x90)
    case 0xF4: (count, high) = (4, 0x8F)
    case 0xF1...0xF3: count = 4
    default: return 0
    }
    guard end - start >= count, bytes[start + 1] >= low, bytes[start + 1] <= high else { return 0 }
    for place in 2..<max(2, count) where bytes[start + place] & 0xC0 != 0x80 { return 0 }
    return count
  }
}
