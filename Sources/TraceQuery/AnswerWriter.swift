// The forms of an answer, and what writes them.

/// The form of an answer.
public enum AnswerFormat: String, CaseIterable, Sendable {
  case table, csv, json, jsonl

  /// A writer of answers in this form.
  public func makeWriter() -> any AnswerWriter {
    switch self {
    case .table: TableAnswer()
    case .csv: CSVAnswer()
    case .json: JSONAnswer(isLines: false)
    case .jsonl: JSONAnswer(isLines: true)
    }
  }
}

/// Turns an answer into bytes: the names, every row, the end.
///
/// After every call the caller takes what stands in ``output`` and empties it.
public protocol AnswerWriter {
  var output: [UInt8] { get set }
  mutating func begin(_ columns: [String])
  /// Takes a row with as many values as there are columns.
  mutating func row(_ values: [QueryValue])
  mutating func end()
}

/// Bytes as hexadecimal digits, two for each.
enum HexText {
  private static let digits = Array("0123456789abcdef".utf8)

  static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    for byte in bytes {
      output.append(digits[Int(byte >> 4)])
      output.append(digits[Int(byte & 15)])
    }
  }
}
