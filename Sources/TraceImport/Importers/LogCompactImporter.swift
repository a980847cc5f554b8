// What `log show --style compact` prints. This file must not know any message.

public import TraceModel

extension CaptureFormat {
  /// The compact style of the `log` tool, as simulators and log archives are read with.
  public static let logCompact = CaptureFormat(
    name: LogCompactGrammar.formatName, title: "log show --style compact",
    recognise: { LineRecogniser<LogCompactGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<LogCompactGrammar>() })
}

/// `YYYY-MM-DD HH:MM:SS.mmm Ty Process[PID:TIDhex] (Library) [subsystem:category] message`.
enum LogCompactGrammar: LineGrammar {
  static let formatName = "log-compact"

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.dateAndTime(line, at: &offset), line.take(Byte.space, at: &offset),
      let level = levelColumn(line, at: &offset)
    else { return nil }
    let start = offset
    guard let names = ProcessBrackets.read(line, at: &offset, threadRadix: .hexadecimal) else {
      return nil
    }
    LogPrefix.skip(line, at: &offset)
    return LogLine(
      time: time, process: start..<names.nameEnd, pid: names.pid, thread: names.thread,
      level: level, message: offset)
  }

  private static let heading = bytes("Timestamp ")
  private static let headingColumns = bytes(" Ty Process[PID:TID]")

  static func isHeading(_ line: Span<UInt8>) -> Bool {
    line.has(heading, at: 0) && line.find(headingColumns, from: heading.count) != nil
  }

  static func levelName(_ word: String) -> String? {
    switch word {
    case "Df": "default"
    case "Db": "debug"
    case "I": "info"
    case "E": "error"
    case "F": "fault"
    default: nil
    }
  }

  /// One or two letters, padded to two, then a blank.
  static func levelColumn(_ line: Span<UInt8>, at offset: inout Int) -> Range<Int>? {
    guard offset + 3 <= line.count, line[offset + 2] == Byte.space else { return nil }
    let start = offset
    switch (line[offset], line[offset + 1]) {
    case (68, 102), (68, 98):
      offset += 3
      return start..<start + 2
    case (65, Byte.space), (69, Byte.space), (70, Byte.space), (73, Byte.space):
      offset += 3
      return start..<start + 1
    default: return nil
    }
  }
}
