// Divides bytes into the reports that were stored or pasted one behind the other.
// This file must not know what a report says.

import TraceNotation

/// Finds where in a text each of several reports begins.
struct ReportSplitter {
  private static let beginning = bytes("Incident Identifier:")
  private static let process = bytes("Process:")
  private static let causes = ["Exception Type:", "Termination Reason:"].map(bytes)
  /// A header is far smaller.
  private static let headerBytesMax = 65_536

  /// The reports of a text in their order; all of it if no second report begins in it.
  static func parts(of text: Span<UInt8>) -> [Range<Int>] {
    var start = afterSpace(text, 0)
    let isList = start < text.count && text[start] == Byte.openBracket
    if isList { start = afterSpace(text, start + 1) }
    var parts: [Range<Int>] = []
    while start < text.count, !isList || text[start] == Byte.openBrace {
      let end = end(of: text, from: start)
      let next = next(in: text, from: end)
      let first = parts.isEmpty && !isList ? 0 : start
      parts.append(first..<(isList ? end : next ?? text.count))
      guard let next else { break }
      start = next
    }
    return parts.isEmpty ? [0..<text.count] : parts
  }

  /// Where the report ends that begins at a place, or where it can't be read any further.
  private static func end(of text: Span<UInt8>, from start: Int) -> Int {
    var body = start
    if let (_, end) = header(text, from: start) { body = afterSpace(text, end) }
    guard body < text.count else { return text.count }
    guard text[body] == Byte.openBrace else { return endOfText(text, from: body) }
    var parser = JSONPullParser(at: body)
    do throws(JSONError) { try parser.passValue(in: text) } catch { return body + 1 }
    return parser.position
  }

  /// A report of text goes on until another one begins; it has told why its process ended by then.
  private static func endOfText(_ text: Span<UInt8>, from start: Int) -> Int {
    var hasCause = false
    var line = start
    while line < text.count {
      let end = text.first(Byte.newline, from: line, to: text.count) ?? text.count
      let key = ReportText.keyStart(text, line..<end)
      if line > start, key < end {
        if text[key] == Byte.openBrace, header(text, from: key) != nil { return line }
        if hasCause, text.has(beginning, at: key) || text.has(process, at: key) { return line }
      }
      if causes.contains(where: { text.has($0, at: key) }) { hasCause = true }
      line = end + 1
    }
    return text.count
  }

  /// Where the report after one begins: at the next value, or at what only reports begin with.
  private static func next(in text: Span<UInt8>, from end: Int) -> Int? {
    var place = end
    while place < text.count, text[place] <= Byte.space || text[place] == Byte.comma { place += 1 }
    if place < text.count, text[place] == Byte.openBrace { return place }
    while place < text.count {
      let lineEnd = text.first(Byte.newline, from: place, to: text.count) ?? text.count
      let key = ReportText.keyStart(text, place..<lineEnd)
      if key < lineEnd, text[key] == Byte.openBrace, header(text, from: key) != nil { return key }
      if text.has(beginning, at: key) || text.has(process, at: key) { return key }
      place = lineEnd + 1
    }
    return nil
  }

  private static func header(
    _ text: Span<UInt8>, from start: Int
  ) -> (line: ReportHeaderLine, end: Int)? {
    guard start < text.count, text[start] == Byte.openBrace else { return nil }
    let limit = start + min(headerBytesMax, text.count - start)
    return ReportHeaderLine.read(text.extracting(0..<limit), from: start)
  }

  private static func afterSpace(_ text: Span<UInt8>, _ start: Int) -> Int {
    var place = start
    while place < text.count, text[place] <= Byte.space { place += 1 }
    return place
  }
}
