// Writes JSON: strings, numbers and booleans, always in the same form.
// This file must not know what is written.

import TraceModel

/// Appends pieces of JSON to a buffer of the caller.
///
/// Strings escape quotes, backslashes, control characters (also U+007F to U+009F), U+2028, U+2029,
/// and the characters that reorder text or take no width (U+061C, U+200B to U+200F, U+202A to
/// U+202E, U+2060 to U+206F, U+FEFF), so that a terminal shows what is there. Everything else is
/// UTF-8 as it stands, and ill-formed bytes become U+FFFD.
public enum JSONText {
  /// Appends a string in quotes.
  public static func append(_ string: String, to bytes: inout [UInt8]) {
    var string = string
    // The buffer is used only while the call lasts, as a span.
    string.withUTF8 { buffer in unsafe append(string: buffer.span, to: &bytes) }
  }

  /// Appends a string in quotes from its UTF-8.
  public static func append(string text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        bytes.append(byte)
        index += 1
      } else if byte < 0x80 {
        appendEscape(byte, to: &bytes)
        index += 1
      } else {
        index += appendCharacter(at: index, of: text, to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  public static func append(_ value: Bool, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  public static func append(_ value: Int64, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(value.magnitude, to: &bytes)
  }

  public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var count = 1
    var bound: UInt64 = 10
    while value >= bound {
      count += 1
      // The greatest value has 20 digits.
      if count == 20 { break }
      bound *= 10
    }
    let start = bytes.count
    for _ in 0..<count { bytes.append(0x30) }
    var rest = value
    var place = start + count
    while rest > 0 {
      place -= 1
      bytes[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends the shortest text that reads back as the same double; it has a dot or an exponent.
  /// JSON has no infinities: a value that isn't finite becomes `null`.
  public static func append(_ value: Double, to bytes: inout [UInt8]) {
    guard value.isFinite else {
      bytes.append(contentsOf: "null".utf8)
      return
    }
    bytes.append(contentsOf: value.description.utf8)
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default: appendUnit(UInt16(byte), to: &bytes)
    }
  }

  /// Appends `u` and four digits.
  private static func appendUnit(_ unit: UInt16, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// Appends the character that begins with a byte of 0x80 or above; returns its length.
  private static func appendCharacter(
    at index: Int, of text: Span<UInt8>, to bytes: inout [UInt8]
  ) -> Int {
    guard case .wellFormed(let count) = UTF8Scan.character(at: index, in: text) else {
      bytes.append(0xEF)
      bytes.append(0xBF)
      bytes.append(0xBD)
      return 1
    }
    if let unit = hiddenUnit(at: index, of: text, byteCount: count) {
      bytes.append(UInt8(ascii: "\\"))
      appendUnit(unit, to: &bytes)
    } else {
      for offset in 0..<count { bytes.append(text[index + offset]) }
    }
    return count
  }

  /// The character that begins here and takes so many bytes, if it is escaped.
  private static func hiddenUnit(
    at index: Int, of text: Span<UInt8>, byteCount: Int
  ) -> UInt16? {
    let unit: UInt16
    switch byteCount {
    case 2: unit = UInt16(text[index] & 0x1F) << 6 | UInt16(text[index + 1] & 0x3F)
    case 3:
      unit =
        UInt16(text[index] & 0x0F) << 12 | UInt16(text[index + 1] & 0x3F) << 6
        | UInt16(text[index + 2] & 0x3F)
    default: return nil
    }
    return switch unit {
    // C1 controls; the Arabic letter mark.
    case 0x80...0x9F, 0x061C: unit
    // Of no width and marks of direction; separators, embeddings and overrides.
    case 0x200B...0x200F, 0x2028...0x202E: unit
    // Joiners, invisible operators, isolates; the byte-order mark.
    case 0x2060...0x206F, 0xFEFF: unit
    default: nil
    }
  }
}
