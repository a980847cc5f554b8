// An answer as comma-separated values (RFC 4180), for spreadsheets and programs.

import TraceExport
import TraceNotation

/// A line with the names, and one for each row, each ending with CR LF.
///
/// A field with a comma, a quote or the end of a line stands in quotes. Null is an empty field, and
/// an empty text one with quotes, so that they can be told apart where there are several columns.
/// Bytes are hexadecimal, none of them as an empty text.
///
/// Captures may be made to attack whoever looks at them: characters that could mislead a terminal
/// are shown as `\u{…}`, and before a text that a spreadsheet would take for a formula stands an
/// apostrophe. Spreadsheets pass over blanks, tabs and line feeds before a formula, read the wide
/// forms of its signs as well, and some take what follows a tab for the next cell.
struct CSVAnswer: AnswerWriter {
  var output: [UInt8] = []

  mutating func begin(_ columns: [String]) {
    for (place, name) in columns.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      append(Array(name.utf8))
    }
    endLine()
  }

  mutating func row(_ values: [QueryValue]) {
    for (place, value) in values.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      switch value {
      case .null: break
      case .integer(let number): JSONText.append(number, to: &output)
      case .real(let number): output.append(contentsOf: number.description.utf8)
      case .text(let text): append(text)
      case .blob(let bytes) where bytes.isEmpty: append([])
      case .blob(let bytes): HexText.append(bytes, to: &output)
      }
    }
    // A line with nothing on it would be no row.
    if values == [.null] { output.append(contentsOf: "\"\"".utf8) }
    endLine()
  }

  mutating func end() {}

  private mutating func endLine() { output.append(contentsOf: "\r\n".utf8) }

  private static let quote = UInt8(ascii: "\"")
  private static let special: Set<UInt8> = [quote, UInt8(ascii: ","), 0x0A, 0x0D]

  private static let formulaSigns = ["=", "+", "-", "@", "＝", "＋", "－", "＠"].map {
    Array($0.utf8)
  }
  private static let tab = UInt8(ascii: "\t")

  private static func isFormula(_ text: [UInt8]) -> Bool {
    if text.first == tab { return true }
    let start = text.drop { $0 == tab || $0 == 0x0A || $0 == UInt8(ascii: " ") }
    return formulaSigns.contains { start.starts(with: $0) }
  }

  private mutating func append(_ text: [UInt8]) {
    let shown = Self.harmless(text)
    let isQuoted = shown.isEmpty || shown.contains(where: Self.special.contains)
    if isQuoted { output.append(Self.quote) }
    if Self.isFormula(shown) { output.append(UInt8(ascii: "'")) }
    for byte in shown {
      if byte == Self.quote { output.append(byte) }
      output.append(byte)
    }
    if isQuoted { output.append(Self.quote) }
  }

  /// The text without what could mislead; its lines and tabs stay.
  private static func harmless(_ text: [UInt8]) -> [UInt8] {
    var shown: [UInt8] = []
    shown.reserveCapacity(text.count)
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: keepsAsIs) {
      PrintableText.append(
        String(decoding: part, as: UTF8.self), to: &shown, scalarsMax: .max)
      if part.endIndex < text.endIndex { shown.append(text[part.endIndex]) }
    }
    return shown
  }

  private static func keepsAsIs(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x09 }
}
