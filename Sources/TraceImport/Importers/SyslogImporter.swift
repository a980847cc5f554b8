// The system log of simulators, as syslogd writes it. This file must not know any message.

public import TraceModel

extension CaptureFormat {
  /// The `system.log` of a simulator.
  public static let syslog = CaptureFormat(
    name: SyslogGrammar.formatName, title: "system.log of a simulator",
    recognise: { LineRecogniser<SyslogGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<SyslogGrammar>() })
}

/// `Mon DD HH:MM:SS host process[pid]: message`, and lines that tell how often the message before
/// them was repeated.
enum SyslogGrammar: LineGrammar {
  static let formatName = "syslog"
  /// The lines of devices have levels.
  static let isOfSimulator = true

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.monthAndTime(line, at: &offset), line.take(Byte.space, at: &offset)
    else { return nil }
    if line.has(repetition, at: offset) { return LogLine(time: time, message: line.count) }
    guard let names = SyslogColumns.read(line, from: offset), names.hostEnd > 0 else { return nil }
    offset = names.end
    guard line.take(Byte.colon, at: &offset) else { return nil }
    return LogLine(
      time: time, process: names.hostEnd..<names.process.upperBound, pid: names.pid,
      message: names.messageStart(line, from: offset))
  }

  private static let repetition = bytes("--- last message repeated ")

  /// The log has no levels.
  static func levelName(_ word: String) -> String? { nil }
}
