// The one printer for text that comes from an input. A capture's author must not be able to move
// the cursor, colour, hide or reorder what the reader of a terminal sees, nor fake a line.

import TraceNotation

/// Makes texts of strangers harmless to look at.
public enum PrintableText {
  /// Unicode scalars shown of one text: longer ones hide the rest of the report.
  public static let scalarsMax = 400

  /// Appends a text: control, bidirectional, invisible and line-breaking characters become
  /// `\u{…}`, and so does the sign that would make a command of it where the output is the log of
  /// a job. What is longer than the limit is cut and marked with `…`.
  public static func append(
    _ text: String, to output: inout [UInt8], scalarsMax: Int = scalarsMax
  ) {
    var count = 0
    var commands = LogCommands()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if count == scalarsMax {
        output.append(contentsOf: "…".utf8)
        return
      }
      count += 1
      if commands.takes(scalar, before: rest) || isHarmful(scalar) {
        output.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8)
      } else {
        append(scalar, to: &output)
      }
    }
  }

  /// The text as ``append(_:to:scalarsMax:)`` shows it.
  public static func printable(_ text: String, scalarsMax: Int = scalarsMax) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes, scalarsMax: scalarsMax)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a text between double quotes as JSON, harmful characters as `\u202e`. Nothing is cut.
  public static func appendJSON(_ text: String, to output: inout [UInt8]) {
    var quoted: [UInt8] = []
    JSONText.append(text, to: &quoted)
    appendEscaped(quoted, to: &output)
  }

  /// Copies JSON or timeline text, with the harmful characters of its strings as `\u202e`, and
  /// `##[` and `##vso[` in them, which are commands in the log of a job, as `#\u0023[`.
  ///
  /// Control characters below 32 are kept, as in these notations they occur between strings only.
  /// The result means the same to every reader.
  public static func appendEscaped(_ notation: [UInt8], to output: inout [UInt8]) {
    guard mayHarm(notation) else {
      output.append(contentsOf: notation)
      return
    }
    var commands = LogCommands(beginsLine: false)
    var rest = String(decoding: notation, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if commands.takes(scalar, before: rest) || (scalar.value >= 0x7F && isHarmful(scalar)) {
        appendJSONEscape(scalar, to: &output)
      } else {
        append(scalar, to: &output)
      }
    }
  }

  /// Whether a text has a byte with which a harmful character begins, or two signs that begin a
  /// command: most texts have neither.
  public static func mayHarm(_ bytes: some Sequence<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      if byte >= 0x7F || (byte == UInt8(ascii: "#") && previous == byte) { return true }
      previous = byte
    }
    return false
  }

  private static func appendJSONEscape(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      output.append(contentsOf: "\\u".utf8)
      output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
      output.append(contentsOf: digits.utf8)
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    if scalar.isASCII {
      output.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      for byte in String(scalar).utf8 { output.append(byte) }
    }
  }

  /// Whether a terminal, a browser or a reader could be misled by this character.
  public static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: false
    // C0, DEL, C1 and the soft hyphen.
    case 0...0x1F, 0x7F...0x9F, 0xAD: true
    // Marks of direction; Mongolian, Arabic and Hangul characters that show nothing.
    case 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F: true
    // Zero-width, direction, line and paragraph separators, invisible operators.
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
    // Tags and variation selectors, which can carry hidden text.
    case 0xE0000...0xE0FFF: true
    // What is no character: XML doesn't have the last two of each plane.
    case 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
}
