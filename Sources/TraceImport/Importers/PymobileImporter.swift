// What `pymobiledevice3 syslog live` prints, with or without colours. This file must not know any
// message.

public import TraceModel

extension CaptureFormat {
  /// The text of pymobiledevice3.
  public static let pymobile = CaptureFormat(
    name: PymobileGrammar.formatName, title: "pymobiledevice3 syslog live",
    recognise: { LineRecogniser<PymobileGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<PymobileGrammar>() })
}

/// `YYYY-MM-DD HH:MM:SS[.ffffff] process{image[+0xoffset]}[pid] <LEVEL>: message`, with
/// ` [subsystem][category]` at the end if they were asked for.
enum PymobileGrammar: LineGrammar {
  static let formatName = "pymobiledevice3"

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.dateAndTime(line, at: &offset), line.take(Byte.space, at: &offset)
    else { return nil }
    let start = offset
    guard let names = names(line, from: start) else { return nil }
    offset = names.end
    guard line.take(Byte.space, at: &offset), line.take(Byte.openAngle, at: &offset) else {
      return nil
    }
    let level = offset
    while offset < line.count, offset - level < ImportLimits.levelBytesMax,
      line[offset] &- 65 < 26 || line[offset] == 95
    {
      offset += 1
    }
    let levelEnd = offset
    guard levelEnd > level, line.take(Byte.closeAngle, at: &offset),
      line.take(Byte.colon, at: &offset)
    else { return nil }
    line.skip(Byte.space, at: &offset)
    return LogLine(
      time: time, process: start..<names.nameEnd, pid: names.pid, level: level..<levelEnd,
      message: offset)
  }

  static func levelName(_ word: String) -> String? {
    switch word {
    case "NOTICE": "default"
    case "DEBUG": "debug"
    case "INFO": "info"
    case "ERROR": "error"
    case "FAULT": "fault"
    default: nil
    }
  }

  /// `process{image}[pid]`.
  private static func names(
    _ line: Span<UInt8>, from start: Int
  ) -> (nameEnd: Int, pid: Int64, end: Int)? {
    let limit = min(line.count, start + 2 * ImportLimits.nameBytesMax)
    var place = start
    var brace: Int?
    while place < limit {
      let byte = line[place]
      if byte < Byte.space || byte == Byte.openAngle { return nil }
      if byte == Byte.openBrace, place > start { brace = place }
      if byte == Byte.closeBrace, let nameEnd = brace {
        var end = place + 1
        if line.take(Byte.openBracket, at: &end), let pid = line.decimal(at: &end),
          let pid = Int64(exactly: pid), line.take(Byte.closeBracket, at: &end)
        {
          return (nameEnd, pid, end)
        }
      }
      place += 1
    }
    return nil
  }
}
