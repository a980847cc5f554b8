// What a line format has to say of a line: where its columns are.
// This file must not know any message.

import TraceModel

/// The columns of one log line, as places in the line.
struct LogLine: Sendable {
  /// Nil for a line without its own time.
  var time: LogTime?
  var process: Range<Int> = 0..<0
  var pid: Int64?
  var thread: Int64?
  var level: Range<Int> = 0..<0
  /// Where the message starts.
  var message = 0
  /// Where it starts if what looks like a column before it is part of it; 0 if it can't be.
  var wholeMessage = 0
  /// Where the name of the process starts if the first word of ``process`` is the device's name;
  /// 0 if it can't be.
  var hostEnd = 0
}

/// The grammar of one format of log lines. Adding a format means adding one such type.
protocol LineGrammar: Sendable {
  static var formatName: String { get }
  /// Whether a line that doesn't fit the grammar is a message on its own, as in the console of
  /// Xcode; otherwise it goes on with the message before it.
  static var bareLinesAreMessages: Bool { get }
  /// Whether lines say the number of the process that logs them.
  static var hasProcessIDs: Bool { get }
  /// Whether only simulators print this format.
  static var isOfSimulator: Bool { get }
  /// The columns of a line; nil if it doesn't begin as the format says.
  static func columns(of line: Span<UInt8>) -> LogLine?
  /// Whether a line is the heading that only this format has.
  static func isHeading(_ line: Span<UInt8>) -> Bool
  /// The place behind what another tool puts before the format's lines; 0 without it.
  static func wrapperEnd(of line: Span<UInt8>) -> Int
  /// What the format's word for a level means in the header, nil if it is no level.
  static func levelName(_ word: String) -> String?
}

extension LineGrammar {
  static var bareLinesAreMessages: Bool { false }
  static var isOfSimulator: Bool { false }
  static var hasProcessIDs: Bool { true }

  static func isHeading(_ line: Span<UInt8>) -> Bool { false }

  static func wrapperEnd(of line: Span<UInt8>) -> Int { 0 }

  /// The place behind marks that publishing adds to a line: quotes, comments, list marks.
  static func markEnd(of line: Span<UInt8>) -> Int {
    var offset = 0
    while offset < line.count {
      switch line[offset] {
      case Byte.space, Byte.closeAngle, 35, 47, 42, 96, 124, 34: offset += 1
      default: return offset
      }
    }
    return offset
  }

  /// The columns of a line, also behind publishing marks and inside another tool's line. Offsets
  /// count from `start`.
  @inline(__always)
  static func columnsBehindMarks(of line: Span<UInt8>, start: inout Int) -> LogLine? {
    start = 0
    if let columns = columns(of: line) { return columns }
    return columnsOfMarked(line, start: &start)
  }

  private static func columnsOfMarked(_ line: Span<UInt8>, start: inout Int) -> LogLine? {
    var mark = wrapperEnd(of: line)
    if mark == 0 { mark = markEnd(of: line) }
    if mark == 0 { mark = lineNumberEnd(of: line) }
    guard mark > 0, mark < line.count else { return nil }
    start = mark
    return columns(of: line.extracting(mark..<line.count))
  }

  /// The place behind the number that `grep -n` puts before a line; 0 without one.
  private static func lineNumberEnd(of line: Span<UInt8>) -> Int {
    var offset = 0
    while offset < line.count, line[offset] &- 48 < 10 { offset += 1 }
    guard offset > 0, offset < line.count,
      line[offset] == Byte.colon || line[offset] == Byte.minus
    else { return 0 }
    return offset + 1
  }
}
