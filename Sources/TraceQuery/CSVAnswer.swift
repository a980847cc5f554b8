// An answer as comma-separated values (RFC 4180), for spreadsheets and programs.

import TraceNotation

/// A line with the names, and one for each row, each ending with CR LF.
///
/// A field with a comma, a quote or the end of a line stands in quotes. Null is an empty field, and
/// an empty text one with quotes, so that they can be told apart where there are several columns.
/// Bytes are hexadecimal, none of them as an empty text.
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

  private mutating func append(_ text: [UInt8]) {
    guard text.isEmpty || text.contains(where: Self.special.contains) else {
      output.append(contentsOf: text)
      return
    }
    output.append(Self.quote)
    for byte in text {
      if byte == Self.quote { output.append(byte) }
      output.append(byte)
    }
    output.append(Self.quote)
  }
}
