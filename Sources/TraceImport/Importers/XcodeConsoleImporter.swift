// The console of Xcode: lines of NSLog and os_log with their prefix, and bare messages.
// This file must not know any message.

public import TraceModel

extension CaptureFormat {
  /// What Xcode's console shows of an app that it runs.
  public static let xcodeConsole = CaptureFormat(
    name: XcodeConsoleGrammar.formatName, title: "Xcode console",
    recognise: { LineRecogniser<XcodeConsoleGrammar>.confidence($0) },
    makeDecoder: { LogCaptureDecoder<XcodeConsoleGrammar>() })
}

/// `YYYY-MM-DD HH:MM:SS.ffffff±ZZZZ App[pid:tid] [category] message`; from Xcode 15 on, and for
/// `print`, only the message.
enum XcodeConsoleGrammar: LineGrammar {
  static let formatName = "xcode"
  static let bareLinesAreMessages = true

  static func columns(of line: Span<UInt8>) -> LogLine? {
    var offset = 0
    guard let time = LogTime.dateAndTime(line, at: &offset), line.take(Byte.space, at: &offset),
      time.resolutionNanoseconds < 1_000_000_000
    else { return nil }
    // The compact style of the log tool is the same but for a column of levels.
    var levelEnd = offset
    guard LogCompactGrammar.levelColumn(line, at: &levelEnd) == nil else { return nil }
    if let message = messageOfReactNative(line, from: offset) {
      return LogLine(time: time, message: message)
    }
    let start = offset
    guard let names = ProcessBrackets.read(line, at: &offset, threadRadix: .decimalOrHexadecimal)
    else { return nil }
    line.skip(Byte.space, at: &offset)
    let whole = offset
    skipCategory(line, at: &offset)
    // Apps print tags of their own in brackets.
    return LogLine(
      time: time, process: start..<names.nameEnd, pid: names.pid, thread: names.thread,
      message: offset, wholeMessage: offset > whole ? whole : 0)
  }

  private static let threadTag = bytes("][tid:")

  /// Where the message of React Native's own stamp starts, which names no process:
  /// `[info][tid:com.facebook.react.JavaScript] `.
  private static func messageOfReactNative(_ line: Span<UInt8>, from start: Int) -> Int? {
    guard start < line.count, line[start] == Byte.openBracket else { return nil }
    var place = start + 1
    while place < line.count, line[place] &- 97 < 26 { place += 1 }
    guard place > start + 1, line.has(threadTag, at: place) else { return nil }
    // The file and the line may follow in brackets of their own.
    var end = place
    while end < line.count, line[end] == Byte.closeBracket || line[end] == Byte.openBracket {
      let stop = line.first(
        Byte.closeBracket, from: end + 1, to: end + 1 + ImportLimits.nameBytesMax)
      guard let stop, end + 1 < line.count, line[end + 1] == Byte.openBracket else {
        return line[end] == Byte.closeBracket && end + 1 < line.count
          && line[end + 1] == Byte.space ? end + 2 : nil
      }
      end = stop
    }
    return nil
  }

  /// The console doesn't print levels.
  static func levelName(_ word: String) -> String? { nil }

  /// `[category] `, told from a target by its lack of `<` and `:`.
  private static func skipCategory(_ line: Span<UInt8>, at offset: inout Int) {
    guard offset < line.count, line[offset] == Byte.openBracket else { return }
    var place = offset + 1
    while place < line.count, place - offset < ImportLimits.nameBytesMax {
      switch line[place] {
      case Byte.openAngle, Byte.colon: return
      case Byte.closeBracket:
        offset = place + 1
        line.skip(Byte.space, at: &offset)
        return
      default: place += 1
      }
    }
  }
}
