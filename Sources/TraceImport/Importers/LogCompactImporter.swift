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
  static let bareLinesAreMessages = false

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.dateAndTime(line, at: &offset), line.take(Byte.space, at: &offset),
      let level = levelColumn(line, at: &offset)
    else { return nil }
    let start = offset
    guard let names = ProcessBrackets.read(line, at: &offset, threadRadix: .hexadecimal) else {
      return nil
    }
    line.skip(Byte.space, at: &offset)
    skipLibrary(line, at: &offset)
    skipSubsystem(line, at: &offset)
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

  private static func skipLibrary(_ line: Span<UInt8>, at offset: inout Int) {
    guard offset < line.count, line[offset] == Byte.openParenthesis,
      let end = line.first(
        Byte.closeParenthesis, from: offset, to: offset + ImportLimits.nameBytesMax),
      end + 1 < line.count, line[end + 1] == Byte.space
    else { return }
    offset = end + 2
  }

  /// A subsystem has a dot or an identifier before its colon, and no `<`, which tells it from a
  /// target such as `[app<com.example.notes>:41]`.
  private static func skipSubsystem(_ line: Span<UInt8>, at offset: inout Int) {
    guard offset < line.count, line[offset] == Byte.openBracket else { return }
    var place = offset + 1
    var hasColon = false
    while place < line.count, place - offset < ImportLimits.nameBytesMax {
      switch line[place] {
      case Byte.openAngle: return
      case Byte.colon: hasColon = true
      case Byte.closeBracket:
        guard hasColon else { return }
        offset = place + 1
        line.skip(Byte.space, at: &offset)
        return
      default: break
      }
      place += 1
    }
  }
}
