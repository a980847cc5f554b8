// Reads the values of reports leniently: one of another type than expected is passed over.
// This file must not know any key.

import TraceModel
import TraceNotation

extension JSONPullParser {
  /// A text, at most ``ImportLimits/messageBytesMax`` bytes; nil for a value of another type.
  mutating func textBytes(in text: Span<UInt8>) throws(JSONError) -> [UInt8]? {
    guard peek(in: text) == UInt8(ascii: "\"") else {
      try passValue(in: text)
      return nil
    }
    let string = try string(in: text)
    var bytes: [UInt8] = []
    string.append(to: &bytes, in: text)
    if bytes.count > ImportLimits.messageBytesMax {
      bytes.removeLast(bytes.count - ImportLimits.messageBytesMax)
    }
    return bytes
  }

  /// A name, at most ``ImportLimits/nameBytesMax`` bytes; nil for an empty one or another type.
  mutating func name(in text: Span<UInt8>) throws(JSONError) -> String? {
    guard let bytes = try textBytes(in: text), !bytes.isEmpty else { return nil }
    return bytes.span.text(0..<bytes.count)
  }

  /// A whole number, also in quotes; nil for any other value.
  mutating func integer(in text: Span<UInt8>) throws(JSONError) -> Int64? {
    switch peek(in: text) {
    case UInt8(ascii: "\""):
      guard let bytes = try textBytes(in: text) else { return nil }
      var offset = 0
      if bytes.span.has([0x30, 0x78], at: 0) || bytes.span.has([0x30, 0x58], at: 0) {
        offset = 2
        return bytes.span.hexadecimal(at: &offset).flatMap { Int64(exactly: $0) }
      }
      return bytes.span.decimal(at: &offset).flatMap { Int64(exactly: $0) }
    case let byte? where byte == UInt8(ascii: "-") || byte &- 0x30 < 10:
      if case .integer(let value) = try number(in: text).value { return value }
      return nil
    default:
      try passValue(in: text)
      return nil
    }
  }

  /// Enters an object; a value of another type is passed over.
  mutating func entersObject(in text: Span<UInt8>) throws(JSONError) -> Bool {
    if peek(in: text) == Byte.openBrace {
      try beginObject(in: text)
      return true
    }
    try passValue(in: text)
    return false
  }

  /// Enters an array; a value of another type is passed over.
  mutating func entersArray(in text: Span<UInt8>) throws(JSONError) -> Bool {
    if peek(in: text) == Byte.openBracket {
      try beginArray(in: text)
      return true
    }
    try passValue(in: text)
    return false
  }
}

extension ReportContent {
  /// Says that a report's JSON ends too early or is damaged; what was read of it stays.
  mutating func problem(_ error: JSONError, line: UInt32) {
    problem(
      InputProblem(
        error.isAtEnd ? .truncated : .skipped, at: .line(Int(line), column: 1),
        "the report is damaged from here on: \(error.message)"))
  }
}

/// Counts lines up to places that come in order.
struct LineCounter {
  private var place = 0
  private var line: UInt32

  init(firstLine: UInt32 = 1) { line = firstLine }

  mutating func line(at position: Int, in text: Span<UInt8>) -> UInt32 {
    while place < position, place < text.count {
      if text[place] == Byte.newline, line < .max { line += 1 }
      place += 1
    }
    return line
  }
}
