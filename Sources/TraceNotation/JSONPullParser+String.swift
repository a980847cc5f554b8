// Strings of JSON texts: finding their end, checking them, and taking them out.

/// A string of a JSON text: where it stands. The text is not held.
///
/// It has been checked: its escapes are right and its bytes are well-formed UTF-8.
public struct JSONString: Hashable, Sendable {
  /// The bytes between the quotes.
  public let range: Range<Int>
  /// The number of bytes once the escapes are replaced.
  public let decodedCount: Int

  init(range: Range<Int>, decodedCount: Int) {
    self.range = range
    self.decodedCount = decodedCount
  }

  /// Whether the bytes between the quotes are not yet the string itself.
  @inline(__always)
  public var hasEscapes: Bool { decodedCount != range.count }

  /// Whether the string is this text. Allocates only for strings with escapes.
  public func equals(_ other: String, in text: Span<UInt8>) -> Bool {
    guard other.utf8.count == decodedCount else { return false }
    if hasEscapes { return string(in: text) == other }
    var index = range.lowerBound
    for byte in other.utf8 {
      guard index < text.count, text[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// The string itself.
  public func string(in text: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    append(to: &bytes, in: text)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the string's UTF-8; half of a surrogate pair becomes U+FFFD.
  public func append(to bytes: inout [UInt8], in text: Span<UInt8>) {
    var index = range.lowerBound
    if !hasEscapes {
      while index < range.upperBound {
        bytes.append(text[index])
        index += 1
      }
      return
    }
    while index < range.upperBound {
      let byte = text[index]
      if byte != UInt8(ascii: "\\") {
        bytes.append(byte)
        index += 1
      } else if let escape = JSONEscape(at: index, in: text) {
        escape.append(to: &bytes)
        index += escape.count
      } else {
        return
      }
    }
  }
}

/// An escape in a string: its length in the text and the character that it stands for.
struct JSONEscape {
  private(set) var count: Int
  private(set) var scalar: UInt32

  /// The escape whose backslash stands at an index; nil if it is none.
  init?(at index: Int, in text: Span<UInt8>) {
    guard index + 1 < text.count else { return nil }
    count = text[index + 1] == UInt8(ascii: "u") ? 6 : 2
    switch text[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      scalar = UInt32(text[index + 1])
    case UInt8(ascii: "b"): scalar = 0x08
    case UInt8(ascii: "f"): scalar = 0x0C
    case UInt8(ascii: "n"): scalar = 0x0A
    case UInt8(ascii: "r"): scalar = 0x0D
    case UInt8(ascii: "t"): scalar = 0x09
    case UInt8(ascii: "u"):
      guard let unit = Self.unit(at: index, in: text) else { return nil }
      if unit & 0xF800 != 0xD800 {
        scalar = unit
      } else if unit < 0xDC00, let low = Self.unit(at: index + 6, in: text),
        low & 0xFC00 == 0xDC00
      {
        scalar = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        count = 12
      } else {
        scalar = 0xFFFD
      }
    default: return nil
    }
  }

  /// The code unit of a `\u` escape at an index; nil if there is none.
  private static func unit(at index: Int, in text: Span<UInt8>) -> UInt32? {
    guard index + 5 < text.count, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for place in index + 2..<index + 6 {
      guard let digit = hexadecimal(text[place]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x37
    case 0x61...0x66: UInt32(byte) - 0x57
    default: nil
    }
  }

  /// The number of bytes that the character has in UTF-8.
  var decodedCount: Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }

  func append(to bytes: inout [UInt8]) {
    switch decodedCount {
    case 1: bytes.append(UInt8(truncatingIfNeeded: scalar))
    case 2:
      bytes.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    case 3:
      bytes.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    default:
      bytes.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }
  }
}

extension JSONPullParser {
  /// Reads the string whose opening quote stands at the position.
  @inline(__always)
  mutating func scanString(in text: Span<UInt8>) throws(JSONError) -> JSONString {
    let start = position + 1
    let index = Self.endOfPlainBytes(in: text, from: start)
    guard index < text.count, text[index] == UInt8(ascii: "\"") else {
      return try scanStringWithEscapes(in: text, from: index)
    }
    guard index - start <= stringBytesMax else {
      throw JSONError(.stringTooLong(bytesMax: stringBytesMax), at: position, in: text)
    }
    position = index + 1
    return JSONString(range: start..<index, decodedCount: index - start)
  }

  /// Where the string ends that goes on at an index, or has a byte that needs a closer look; the
  /// end of the text if it has neither.
  @inline(__always)
  static func endOfPlainBytes(in text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index <= text.count - ByteWord.count {
      let count = ByteWord.plainCount(ByteWord.load(text, at: index))
      index += count
      if count < ByteWord.count { return index }
    }
    while index < text.count {
      let byte = text[index]
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
      else { break }
      index += 1
    }
    return index
  }

  /// Goes on with a string at its first byte that needs a closer look.
  private mutating func scanStringWithEscapes(
    in text: Span<UInt8>, from first: Int
  ) throws(JSONError) -> JSONString {
    let start = position + 1
    var index = first
    var saved = 0
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""):
        let count = index - start - saved
        guard count <= stringBytesMax else {
          throw JSONError(.stringTooLong(bytesMax: stringBytesMax), at: position, in: text)
        }
        position = index + 1
        return JSONString(range: start..<index, decodedCount: count)
      case UInt8(ascii: "\\"):
        guard let escape = JSONEscape(at: index, in: text) else {
          throw escapeError(at: index, in: text)
        }
        saved += escape.count - escape.decodedCount
        index += escape.count
      case 0..<0x20: throw JSONError(.unexpected(.printable), at: index, in: text)
      case 0x20..<0x80: index += 1
      default:
        switch UTF8Scan.character(at: index, in: text) {
        case .wellFormed(let count): index += count
        case .cut: throw JSONError(.unexpected(.utf8), at: text.count, in: text)
        case .illFormed: throw JSONError(.unexpected(.utf8), at: index, in: text)
        }
      }
    }
    throw JSONError(.unexpected(.closingQuote), at: text.count, in: text)
  }

  /// What is wrong with the escape whose backslash stands at an index.
  private func escapeError(at index: Int, in text: Span<UInt8>) -> JSONError {
    guard index + 1 < text.count, text[index + 1] == UInt8(ascii: "u") else {
      return JSONError(.unexpected(.escape), at: index + 1, in: text)
    }
    var place = index + 2
    while place < text.count, place < index + 6, JSONEscape.hexadecimal(text[place]) != nil {
      place += 1
    }
    return JSONError(.unexpected(.hexadecimal), at: place, in: text)
  }
}
