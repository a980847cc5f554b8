// Console.app's text: level, time, process and message, divided by tabs.
// This file must not know any message.

public import TraceModel

extension CaptureFormat {
  /// What Console.app copies and exports as text. The text has no date, no process id and no
  /// thread.
  public static let consoleText = CaptureFormat(
    name: ConsoleTextGrammar.formatName, title: "Console.app text export",
    recognise: { LineRecogniser<ConsoleTextGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<ConsoleTextGrammar>() })
}

/// `level TAB HH:MM:SS.ffffff±ZZZZ TAB process TAB message`.
enum ConsoleTextGrammar: LineGrammar {
  static let formatName = "console"
  static let hasProcessIDs = false

  /// The level is in the language of the Mac: any words will do, and before a tab several.
  static func columns(of line: Span<UInt8>) -> LogLine? {
    guard let level = level(of: line) else { return nil }
    var offset = level.upperBound
    guard skipGap(line, at: &offset), var time = LogTime.clockTime(line, at: &offset) else {
      return nil
    }
    // Some Macs write a blank before the zone.
    var zone = offset + 1
    if !time.hasZone, offset < line.count, line[offset] == Byte.space {
      time.takeZone(line, at: &zone)
      if time.hasZone { offset = zone }
    }
    // Some copies have lost their tabs to blanks; then the process ends at the first blank.
    let separator = offset < line.count && line[offset] == Byte.tab ? Byte.tab : Byte.space
    guard skipGap(line, at: &offset) else { return nil }
    let start = offset
    let end = line.first(separator, from: start, to: start + ImportLimits.nameBytesMax)
    guard let end, end > start else { return nil }
    offset = end
    _ = skipGap(line, at: &offset)
    return LogLine(time: time, process: start..<end, level: level, message: offset)
  }

  private static func level(of line: Span<UInt8>) -> Range<Int>? {
    var offset = 0
    var firstWordEnd: Int?
    while offset < line.count, offset <= ImportLimits.levelBytesMax, line[offset] != Byte.tab {
      if line[offset] == Byte.space {
        firstWordEnd = firstWordEnd ?? offset
      } else if !isLetter(line[offset]) {
        // Without tabs, the time follows the first blank.
        return firstWordEnd == 0 ? nil : firstWordEnd.map { 0..<$0 }
      }
      offset += 1
    }
    return offset > 0 && offset < line.count && line[0] != Byte.space ? 0..<offset : nil
  }

  /// Other languages' words are kept as they are.
  static func levelName(_ word: String) -> String? { word.lowercased() }

  private static func isGap(_ byte: UInt8) -> Bool { byte == Byte.tab || byte == Byte.space }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 32) &- 97 < 26 || byte >= 128
  }

  private static func skipGap(_ line: Span<UInt8>, at offset: inout Int) -> Bool {
    let start = offset
    while offset < line.count, isGap(line[offset]) { offset += 1 }
    return offset > start
  }
}
