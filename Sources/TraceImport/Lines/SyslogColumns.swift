// `[host ]process[(library)][pid]`, which the formats that come from syslog share, and the stamp
// that NSLog puts before a message once more. This file must not know which format it is.

import TraceModel

/// The columns of syslog behind the time, as places in the line.
struct SyslogColumns {
  /// The name, with the name of the device before it if there is one.
  var process: Range<Int>
  /// Where the process starts if the first word is the device's name; 0 if it can't be.
  var hostEnd: Int
  var pid: Int64
  /// The job in parentheses that launchd names behind its process id, without them.
  var job = 0..<0
  /// The place behind all that.
  var end: Int

  /// Bytes of host, process and library together.
  private static let columnsBytesMax = 2 * ImportLimits.nameBytesMax

  @inline(__always)
  static func read(_ line: Span<UInt8>, from start: Int) -> SyslogColumns? {
    let limit = min(line.count, start + columnsBytesMax)
    var place = start
    while place < limit {
      let byte = line[place]
      if byte == Byte.colon || byte < Byte.space { return nil }
      if byte == Byte.openBracket, place > start, let found = processID(line, at: place) {
        return columns(line, start, bracket: place, found.pid, found.end)
      }
      place += 1
    }
    return nil
  }

  /// `[pid]`, with what may follow it.
  private static func processID(
    _ line: Span<UInt8>, at bracket: Int
  ) -> (pid: Int64, end: Int)? {
    var place = bracket + 1
    guard let pid = line.decimal(at: &place), let pid = Int64(exactly: pid),
      line.take(Byte.closeBracket, at: &place), place < line.count,
      line[place] == Byte.colon || line[place] == Byte.space
    else { return nil }
    return (pid, place)
  }

  private static func columns(
    _ line: Span<UInt8>, _ start: Int, bracket: Int, _ pid: Int64, _ end: Int
  ) -> SyslogColumns? {
    let nameEnd = libraryStart(line, start, bracket) ?? bracket
    guard nameEnd > start else { return nil }
    var hostEnd = 0
    // A name of which the second word is in parentheses has two words.
    if let blank = line.first(Byte.space, from: start, to: nameEnd), blank > start,
      blank + 1 < nameEnd, line[blank + 1] != Byte.openParenthesis
    {
      hostEnd = blank + 1
    }
    var columns = SyslogColumns(
      process: start..<nameEnd, hostEnd: hostEnd, pid: pid, end: end)
    if end + 1 < line.count, line[end] == Byte.space, line[end + 1] == Byte.openParenthesis,
      let close = line.first(
        Byte.closeParenthesis, from: end + 2, to: end + 2 + ImportLimits.nameBytesMax)
    {
      columns.job = end + 2..<close
      columns.end = close + 1
    }
    return columns
  }

  /// The place of the `(` of a library, which follows the name at once.
  private static func libraryStart(_ line: Span<UInt8>, _ start: Int, _ bracket: Int) -> Int? {
    guard bracket > start, line[bracket - 1] == Byte.closeParenthesis else { return nil }
    var place = bracket - 1
    while place > start {
      place -= 1
      if line[place] == Byte.openParenthesis {
        return place > start && line[place - 1] != Byte.space ? place : nil
      }
    }
    return nil
  }

  /// Where the message starts, given the place behind the columns: behind a second stamp or the
  /// uptime, and at the job if it is an app.
  func messageStart(_ line: Span<UInt8>, from start: Int) -> Int {
    if !job.isEmpty, line.has(Self.applicationJob, at: job.lowerBound) {
      return job.lowerBound - 1
    }
    var offset = start
    line.skip(Byte.space, at: &offset)
    if let end = Self.stampEnd(line, from: offset) { return end }
    LogPrefix.skipUptime(line, at: &offset)
    return offset
  }

  /// The place behind `YYYY-MM-DD HH:MM:SS.mmm App[pid:tid] ` or
  /// `YYYY-MM-DD HH:MM:SS ±ZZZZ App[pid]: `; nil if neither stands there.
  private static func stampEnd(_ line: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    guard LogTime.dateAndTime(line, at: &place) != nil, line.take(Byte.space, at: &place) else {
      return nil
    }
    if place < line.count, line[place] == Byte.plus || line[place] == Byte.minus {
      place += 1
      guard line.digits(4, at: &place) != nil, line.take(Byte.space, at: &place) else { return nil }
    }
    if ProcessBrackets.read(line, at: &place, threadRadix: .decimalOrHexadecimal) == nil {
      guard let names = read(line, from: place) else { return nil }
      place = names.end
      _ = line.take(Byte.colon, at: &place)
    }
    line.skip(Byte.space, at: &place)
    return place
  }

  private static let applicationJob = bytes("UIKitApplication:")
}
