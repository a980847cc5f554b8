// Divides bytes into the reports that were stored or pasted one behind the other.
// This file must not know what a report says.

import TraceNotation

/// Finds where in a text each of several reports begins.
struct ReportSplitter {
  private static let beginning = bytes("Incident Identifier:")
  private static let process = bytes("Process:")
  private static let threads = ["Thread 0:", "Thread 0 Crashed", "Thread 0 name"].map(bytes)
  private static let exception = bytes("Exception Type:")
  private static let reason = bytes("Termination Reason:")
  private static let type = bytes("\"bug_type\"")
  /// A header is far smaller.
  private static let headerBytesMax = 8_192

  /// The reports of a text in their order, and what is left behind the last one that is looked for;
  /// all of it if no second report begins in it.
  static func parts(of text: Span<UInt8>) -> [Range<Int>] {
    var start = afterSpace(text, 0)
    let isList = start < text.count && text[start] == Byte.openBracket
    if isList { start = afterSpace(text, start + 1) }
    var parts: [Range<Int>] = []
    while start < text.count, !isList || text[start] == Byte.openBrace {
      if parts.count == ImportLimits.reportTracesMax {
        parts.append(start..<text.count)
        break
      }
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
    return text[body] == Byte.openBrace ? endOfJSON(text, from: body) : endOfText(text, from: body)
  }

  /// Where the value is closed that begins at a place, or where a header cuts it off.
  private static func endOfJSON(_ text: Span<UInt8>, from start: Int) -> Int {
    var depth = 0
    var isInString = false
    var place = start
    while place < text.count {
      let byte = text[place]
      place += 1
      switch byte {
      case Byte.newline:
        isInString = false
        if isHeaderLine(text, from: place) { return place }
      case Byte.backslash where isInString: place += 1
      case Byte.quote: isInString.toggle()
      case Byte.openBrace where !isInString, Byte.openBracket where !isInString: depth += 1
      case Byte.closeBrace where !isInString, Byte.closeBracket where !isInString:
        depth -= 1
        if depth <= 0 { return place }
      default: break
      }
    }
    return text.count
  }

  /// A report of text goes on until another one begins, or an excerpt of one; it has told why its
  /// process ended by then.
  private static func endOfText(_ text: Span<UInt8>, from start: Int) -> Int {
    var seen: Causes = []
    var isNamed = false
    var hasThreads = false
    var line = start
    while line < text.count {
      let end = text.first(Byte.newline, from: line, to: text.count) ?? text.count
      let key = ReportText.keyStart(text, line..<end)
      let causes = causes(text, key..<end)
      if line > start, key < end {
        if isHeaderLine(text, from: key) { return line }
        if !seen.isEmpty, text.has(beginning, at: key) || text.has(process, at: key) {
          return line
        }
        // What an app wrote in its report may have such lines, too, in front of the threads.
        let isExcerpt =
          isNamed
          ? hasThreads && !causes.subtracting(.exception).isEmpty : !seen.isDisjoint(with: causes)
        if isExcerpt { return line }
      }
      seen.formUnion(causes)
      isNamed = isNamed || text.has(beginning, at: key) || text.has(process, at: key)
      hasThreads = hasThreads || threads.contains { text.has($0, at: key) }
      line = end + 1
    }
    return text.count
  }

  /// Whether a part of a text begins as an excerpt does, or a sentence with its words.
  static func isSentence(_ part: Span<UInt8>) -> Bool {
    let end = part.first(Byte.newline, from: 0, to: part.count) ?? part.count
    return !causes(part, ReportText.keyStart(part, 0..<end)..<end).isEmpty
  }

  /// What a line tells of why a process ended.
  private struct Causes: OptionSet {
    let rawValue: UInt8
    static let exception = Causes(rawValue: 1)
    static let reason = Causes(rawValue: 2)
    static let context = Causes(rawValue: 4)
  }

  private static func causes(_ text: Span<UInt8>, _ line: Range<Int>) -> Causes {
    var causes: Causes = []
    if text.has(exception, at: line.lowerBound) { causes.insert(.exception) }
    if text.has(reason, at: line.lowerBound) { causes.insert(.reason) }
    if text.has(ReportText.context, at: line.lowerBound)
      || causes.contains(.reason)
        && text.extracting(line).find(ReportText.context, from: 0) != nil
    {
      causes.insert(.context)
    }
    return causes
  }

  /// Where the report after one begins: at the next value, or at what only reports begin with.
  private static func next(in text: Span<UInt8>, from end: Int) -> Int? {
    var place = end
    while place < text.count, text[place] <= Byte.space || text[place] == Byte.comma { place += 1 }
    if place < text.count, text[place] == Byte.openBrace { return place }
    while place < text.count {
      let lineEnd = text.first(Byte.newline, from: place, to: text.count) ?? text.count
      let key = ReportText.keyStart(text, place..<lineEnd)
      if isHeaderLine(text, from: key) { return key }
      if text.has(beginning, at: key) || text.has(process, at: key) { return key }
      if !causes(text, key..<lineEnd).isEmpty { return key }
      place = lineEnd + 1
    }
    return nil
  }

  /// Whether a line from a place on is a header; costs no more than the line is long.
  private static func isHeaderLine(_ text: Span<UInt8>, from start: Int) -> Bool {
    guard start < text.count, text[start] == Byte.openBrace,
      let end = text.first(Byte.newline, from: start, to: text.count)
    else { return false }
    let line = text.extracting(start..<end + 1)
    return line.find(type, from: 0) != nil && ReportHeaderLine.read(line, from: 0) != nil
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
