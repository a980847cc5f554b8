// What idevicesyslog prints of a device, also inside the log of Appium.
// This file must not know any message.

public import TraceModel

extension CaptureFormat {
  /// The text of idevicesyslog, of old and new systems.
  public static let deviceSyslog = CaptureFormat(
    name: DeviceSyslogGrammar.formatName, title: "idevicesyslog",
    recognise: { LineRecogniser<DeviceSyslogGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<DeviceSyslogGrammar>() })
}

/// `Mon DD HH:MM:SS[.ffffff] [host ]process[(library)][pid] <Level>: message`. A fraction means
/// that there is no host; without one only the other lines tell.
enum DeviceSyslogGrammar: LineGrammar {
  static let formatName = "idevicesyslog"

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.monthAndTime(line, at: &offset), line.take(Byte.space, at: &offset),
      let names = SyslogColumns.read(line, from: offset)
    else { return nil }
    offset = names.end
    guard line.take(Byte.space, at: &offset), let level = levelColumn(line, at: &offset) else {
      return nil
    }
    let hasFraction = time.resolutionNanoseconds < 1_000_000_000
    return LogLine(
      time: time, process: names.process, pid: names.pid, level: level,
      message: names.messageStart(line, from: offset), hostEnd: hasFraction ? 0 : names.hostEnd)
  }

  private static let connections = [
    bytes("[connected:"), bytes("[connected]"), bytes("[disconnected:"), bytes("[disconnected]"),
  ]

  static func isHeading(_ line: Span<UInt8>) -> Bool {
    for text in connections where line.has(text, at: 0) { return true }
    return false
  }

  private static let appiumRow = bytes("[IOS_SYSLOG_ROW] ")
  /// Bytes that Appium prints before a row: a number, a date and its own category.
  private static let appiumBytesMax = 160

  static func wrapperEnd(of line: Span<UInt8>) -> Int {
    let head = line.extracting(first: appiumBytesMax)
    guard let place = head.find(appiumRow, from: 0) else { return 0 }
    return place + appiumRow.count
  }

  static func levelName(_ word: String) -> String? {
    switch word {
    case "Notice", "Warning": "default"
    case "Debug": "debug"
    case "Info": "info"
    case "Error": "error"
    case "Fault": "fault"
    default: nil
    }
  }

  /// `<Level>:`, the word of which is given back.
  private static func levelColumn(_ line: Span<UInt8>, at offset: inout Int) -> Range<Int>? {
    var place = offset
    guard line.take(Byte.openAngle, at: &place) else { return nil }
    let start = place
    while place < line.count, place - start < ImportLimits.levelBytesMax,
      (line[place] | 32) &- 97 < 26 || line[place] == Byte.space
    {
      place += 1
    }
    let level = start..<place
    guard !level.isEmpty, line.take(Byte.closeAngle, at: &place),
      line.take(Byte.colon, at: &place)
    else { return nil }
    offset = place
    return level
  }
}
