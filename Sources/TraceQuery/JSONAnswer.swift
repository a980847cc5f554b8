// An answer as JSON: one array of objects, or an object on each line.

import TraceExport
import TraceNotation

/// Objects with a member for each column.
///
/// Integers are exact, numbers the shortest that read back the same, infinite ones null. Bytes are
/// a text of hexadecimal digits. A name that several columns have gets a number from the second on.
/// Characters that could mislead a terminal or the runner of a job are escaped.
struct JSONAnswer: AnswerWriter {
  var output: [UInt8] = []
  private let isLines: Bool
  /// The keys as JSON, with their colons.
  private var keys: [[UInt8]] = []
  private var hasRows = false

  init(isLines: Bool) { self.isLines = isLines }

  mutating func begin(_ columns: [String]) {
    var used = Set(columns)
    var seen: Set<String> = []
    keys = columns.map { column in
      var name = column
      if !seen.insert(column).inserted {
        var number = 2
        while used.contains("\(column)_\(number)") { number += 1 }
        name = "\(column)_\(number)"
        used.insert(name)
      }
      var key: [UInt8] = []
      PrintableText.appendJSON(name, to: &key)
      key.append(UInt8(ascii: ":"))
      return key
    }
    if !isLines { output.append(UInt8(ascii: "[")) }
  }

  mutating func row(_ values: [QueryValue]) {
    if !isLines { output.append(contentsOf: hasRows ? ",\n".utf8 : "\n".utf8) }
    hasRows = true
    output.append(UInt8(ascii: "{"))
    for (place, value) in values.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      output.append(contentsOf: keys[place])
      append(value)
    }
    output.append(UInt8(ascii: "}"))
    if isLines { output.append(UInt8(ascii: "\n")) }
  }

  mutating func end() {
    if !isLines { output.append(contentsOf: hasRows ? "\n]\n".utf8 : "]\n".utf8) }
  }

  private mutating func append(_ value: QueryValue) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .integer(let number): JSONText.append(number, to: &output)
    case .real(let number): JSONText.append(number, to: &output)
    case .text(let text):
      // Most texts hold nothing that is looked for here.
      if PrintableText.mayHarm(text) {
        PrintableText.appendJSON(String(decoding: text, as: UTF8.self), to: &output)
      } else {
        JSONText.append(string: text.span, to: &output)
      }
    case .blob(let bytes):
      output.append(UInt8(ascii: "\""))
      HexText.append(bytes, to: &output)
      output.append(UInt8(ascii: "\""))
    }
  }
}
