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

  /// The level's word is in the language of the Mac: any word will do.
  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    while offset < line.count, offset <= ImportLimits.levelBytesMax, !isGap(line[offset]) {
      guard isLetter(line[offset]) else { return nil }
      offset += 1
    }
    let level = 0..<offset
    guard offset > 0, offset < line.count, skipGap(line, at: &offset),
      let time = LogTime.clockTime(line, at: &offset)
    else { return nil }
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
