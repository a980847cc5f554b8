// How much room a text takes where it is shown: columns of a terminal, pixels of a picture.
// This file must not know what is shown.

import TraceModel

/// The columns that texts take in a terminal.
public enum DisplayColumns {
  /// The columns of a text.
  public static func count(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + count($1) }
  }

  /// The columns of a letter with its accents: none, one or two.
  public static func count(_ letter: Character) -> Int {
    letter.unicodeScalars.reduce(0) { max($0, count($1)) }
  }

  private static func count(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// Letters of East Asia in full width, and emoji: Unicode's classes W and F, by their blocks.
  static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }

  /// The text, or its beginning and `…` where it takes more than so many columns.
  public static func fitted(_ text: String, columnsMax: Int) -> String {
    fitted(text, roomMax: columnsMax, ellipsis: 1) { count($0) }
  }

  /// The text, or its beginning and `…` where it takes more than some room.
  static func fitted<Room: Comparable & AdditiveArithmetic>(
    _ text: String, roomMax: Room, ellipsis: Room, _ room: (Character) -> Room
  ) -> String {
    var whole = Room.zero
    var kept = text.startIndex
    for index in text.indices {
      whole += room(text[index])
      if whole > roomMax { return text[..<kept] + "…" }
      if whole + ellipsis <= roomMax { kept = text.index(after: index) }
    }
    return text
  }
}

/// The pixels that texts take in a picture, estimated: nobody knows the reader's font.
enum TextPixels {
  /// The width of a text in letters of a height.
  static func width(_ text: some StringProtocol, size: Double) -> Double {
    text.reduce(0) { $0 + width($1, size: size) }
  }

  /// The text, or its beginning and `…` where it is wider.
  static func fitted(_ text: String, widthMax: Double, size: Double) -> String {
    DisplayColumns.fitted(text, roomMax: widthMax, ellipsis: size) { width($0, size: size) }
  }

  /// Rather too wide than too narrow; the shares are those of common fonts without serifs.
  private static func width(_ letter: Character, size: Double) -> Double {
    guard let ascii = letter.asciiValue else {
      let columns = DisplayColumns.count(letter)
      return columns == 2 ? 1.05 * size : columns == 1 ? 0.8 * size : 0
    }
    switch ascii {
    case UInt8(ascii: "i"), UInt8(ascii: "j"), UInt8(ascii: "l"), UInt8(ascii: "t"),
      UInt8(ascii: "f"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"),
      UInt8(ascii: ";"), UInt8(ascii: "'"), UInt8(ascii: " "), UInt8(ascii: "|"):
      return 0.36 * size
    case UInt8(ascii: "m"), UInt8(ascii: "w"), UInt8(ascii: "M"), UInt8(ascii: "W"),
      UInt8(ascii: "@"), UInt8(ascii: "%"):
      return 0.98 * size
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return 0.74 * size
    default: return 0.61 * size
    }
  }
}
