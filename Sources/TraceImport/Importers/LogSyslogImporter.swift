// What `log show --style syslog` prints. This file must not know any message.

public import TraceModel

extension CaptureFormat {
  /// The syslog style of the `log` tool.
  public static let logSyslog = CaptureFormat(
    name: LogSyslogGrammar.formatName, title: "log show --style syslog",
    recognise: { LineRecogniser<LogSyslogGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<LogSyslogGrammar>() })
}

/// `YYYY-MM-DD HH:MM:SS.ffffff±ZZZZ  host process[pid]: (Library) [subsystem:category] message`,
/// with a level behind the process id where it isn't the default.
enum LogSyslogGrammar: LineGrammar {
  static let formatName = "log-syslog"

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.dateAndTime(line, at: &offset), hasZone(line, before: offset),
      line.take(Byte.space, at: &offset)
    else { return nil }
    line.skip(Byte.space, at: &offset)
    guard let names = SyslogColumns.read(line, from: offset), names.hostEnd > 0 else { return nil }
    offset = names.end
    let level = levelColumn(line, at: &offset)
    guard line.take(Byte.colon, at: &offset) else { return nil }
    LogPrefix.skip(line, at: &offset)
    return LogLine(
      time: time, process: names.hostEnd..<names.process.upperBound, pid: names.pid, level: level,
      message: offset)
  }

  private static let heading = bytes("Timestamp ")
  private static let headingColumns = bytes(" (process)[PID]")

  static func isHeading(_ line: Span<UInt8>) -> Bool {
    line.has(heading, at: 0) && line.find(headingColumns, from: heading.count) != nil
  }

  static func levelName(_ word: String) -> String? {
    switch word {
    case "Default", "Info", "Debug", "Error", "Fault": word.lowercased()
    default: nil
    }
  }

  /// The Xcode console has times without a zone, and `pid:tid` in its brackets.
  private static func hasZone(_ line: Span<UInt8>, before end: Int) -> Bool {
    guard end >= 5 else { return false }
    return line[end - 5] == Byte.plus || line[end - 5] == Byte.minus
  }

  /// ` <Error>`, if it is there.
  private static func levelColumn(_ line: Span<UInt8>, at offset: inout Int) -> Range<Int> {
    var place = offset
    guard line.take(Byte.space, at: &place), line.take(Byte.openAngle, at: &place),
      let end = line.first(
        Byte.closeAngle, from: place, to: place + ImportLimits.levelBytesMax)
    else { return 0..<0 }
    offset = end + 1
    return place..<end
  }
}
