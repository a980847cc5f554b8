// The log of a device or a simulator as Appium hands it out: objects that hold a line each.
// This file must not know any message.

public import TraceModel
import TraceNotation

extension CaptureFormat {
  /// The entries of Appium's log of type `syslog`.
  public static let appium = CaptureFormat(
    name: AppiumGrammar.formatName, title: "Appium's syslog entries",
    recognise: { ObjectRecogniser<AppiumGrammar>.confidence($0) },
    makeDecoder: { ObjectCaptureDecoder<AppiumGrammar>() })
}

/// Objects with `timestamp` in milliseconds, `level` and `message`, which is a line of
/// idevicesyslog or of the compact style of the `log` tool.
enum AppiumGrammar: ObjectGrammar {
  static let formatName = "appium"

  static func columns(of object: Span<UInt8>) throws(JSONError) -> LogObject? {
    var parser = JSONPullParser()
    var columns = LogLine()
    var message: JSONString?
    var hasLevel = false
    try parser.beginObject(in: object)
    while let key = try parser.nextKey(in: object) {
      if key.equals("message", in: object) {
        message = try parser.optionalString(in: object)
      } else if key.equals("timestamp", in: object) {
        let isText = parser.peek(in: object) == Byte.quote
        let value = try parser.optionalInteger(in: object)
        columns.time = isText ? nil : value.map { LogTime.milliseconds($0) }
      } else if key.equals("level", in: object) {
        hasLevel = try parser.optionalString(in: object) != nil
      } else {
        // Other formats have more keys.
        return nil
      }
    }
    try parser.end(in: object)
    guard let message, hasLevel, columns.time != nil else { return nil }
    return LogObject(columns: columns, message: message)
  }

  static func take(
    _ message: Span<UInt8>, _ object: LogObject, of bytes: Span<UInt8>, line: UInt32,
    into intake: inout MessageIntake
  ) {
    var start = 0
    let columns =
      DeviceSyslogGrammar.columnsBehindMarks(of: message, start: &start)
      ?? LogCompactGrammar.columnsBehindMarks(of: message, start: &start)
    if var columns {
      // All entries have one clock, whatever the lines of the device print.
      columns.time = object.columns.time
      if columns.hostEnd > 0 { columns.process = columns.hostEnd..<columns.process.upperBound }
      intake.take(message, columns, shift: start, line: line)
    } else if intake.hasPending {
      intake.join(message)
    } else {
      intake.noteUnfitting(message, line: line)
    }
  }

  static func levelName(_ word: String) -> String? {
    LogCompactGrammar.levelName(word) ?? DeviceSyslogGrammar.levelName(word)
  }
}
