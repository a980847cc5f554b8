// What `log show` and `log stream` print in their default style. This file must not know any
// message.

public import TraceModel

extension CaptureFormat {
  /// The default style of the `log` tool.
  public static let logDefault = CaptureFormat(
    name: LogDefaultGrammar.formatName, title: "log show --style default",
    recognise: { LineRecogniser<LogDefaultGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<LogDefaultGrammar>() })
}

/// `YYYY-MM-DD HH:MM:SS.ffffff±ZZZZ 0xthread Type 0xactivity PID TTL process: (Library)
/// [subsystem:category] message`. Old systems print no TTL.
enum LogDefaultGrammar: LineGrammar {
  static let formatName = "log-default"

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.dateAndTime(line, at: &offset), skipBlanks(line, at: &offset),
      let thread = number(line, at: &offset), skipBlanks(line, at: &offset),
      let level = levelColumn(line, at: &offset), skipBlanks(line, at: &offset),
      number(line, at: &offset) != nil, skipBlanks(line, at: &offset),
      let pid = line.decimal(at: &offset), let pid = Int64(exactly: pid),
      skipBlanks(line, at: &offset)
    else { return nil }
    skipLifetime(line, at: &offset)
    let start = offset
    guard
      let colon = line.first(Byte.colon, from: start, to: start + ImportLimits.nameBytesMax),
      colon > start
    else { return nil }
    offset = colon + 1
    LogPrefix.skip(line, at: &offset)
    return LogLine(
      time: time, process: start..<colon, pid: pid, thread: Int64(exactly: thread), level: level,
      message: offset)
  }

  private static let heading = bytes("Timestamp ")
  private static let headingColumns = bytes(" Thread     Type        Activity ")

  static func isHeading(_ line: Span<UInt8>) -> Bool {
    line.has(heading, at: 0) && line.find(headingColumns, from: heading.count) != nil
  }

  static func levelName(_ word: String) -> String? {
    switch word {
    case "Default", "Info", "Debug", "Error", "Fault": word.lowercased()
    default: nil
    }
  }

  /// `0x1cc1515`.
  private static func number(_ line: Span<UInt8>, at offset: inout Int) -> UInt64? {
    guard line.take(48, at: &offset), line.take(120, at: &offset) else { return nil }
    return line.hexadecimal(at: &offset)
  }

  private static func levelColumn(_ line: Span<UInt8>, at offset: inout Int) -> Range<Int>? {
    let start = offset
    while offset < line.count, offset - start < ImportLimits.levelBytesMax,
      (line[offset] | 32) &- 97 < 26
    {
      offset += 1
    }
    return offset > start ? start..<offset : nil
  }

  private static func skipBlanks(_ line: Span<UInt8>, at offset: inout Int) -> Bool {
    let start = offset
    line.skip(Byte.space, at: &offset)
    return offset > start
  }

  /// A number before more than one blank is a time to live, and not the name of a process.
  private static func skipLifetime(_ line: Span<UInt8>, at offset: inout Int) {
    var place = offset
    guard line.decimal(at: &place) != nil, place + 1 < line.count, line[place] == Byte.space,
      line[place + 1] == Byte.space
    else { return }
    line.skip(Byte.space, at: &place)
    offset = place
  }
}
