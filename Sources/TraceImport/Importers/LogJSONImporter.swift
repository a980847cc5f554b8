// What `log show` and `log stream` print with `--style ndjson` and `--style json`. This file must
// not know any message.

public import TraceModel
import TraceNotation

extension CaptureFormat {
  /// The JSON styles of the `log` tool: an object a line, or one array.
  public static let logJSON = CaptureFormat(
    name: LogJSONGrammar.formatName, title: "log show --style ndjson or json",
    recognise: { ObjectRecogniser<LogJSONGrammar>.confidence($0) },
    makeDecoder: { ObjectCaptureDecoder<LogJSONGrammar>() })
}

/// Objects with `timestamp`, `eventMessage`, `processImagePath`, `processID`, `threadID` and
/// `messageType`, in any order.
enum LogJSONGrammar: ObjectGrammar {
  static let formatName = "log-json"

  static func columns(of object: Span<UInt8>) throws(JSONError) -> LogObject? {
    var parser = JSONPullParser()
    var columns = LogLine()
    var message: JSONString?
    var path: JSONString?
    var isLogEvent = true
    try parser.beginObject(in: object)
    while let key = try parser.nextKey(in: object) {
      if key.equals("eventMessage", in: object) {
        message = try parser.optionalString(in: object)
      } else if key.equals("timestamp", in: object) {
        columns.time = try parser.optionalString(in: object).flatMap { time($0, object) }
      } else if key.equals("processImagePath", in: object) {
        path = try parser.optionalString(in: object)
      } else if key.equals("processID", in: object) {
        columns.pid = try parser.optionalInteger(in: object)
      } else if key.equals("threadID", in: object) {
        columns.thread = try parser.optionalInteger(in: object)
      } else if key.equals("messageType", in: object) {
        columns.level = try parser.optionalString(in: object)?.range ?? 0..<0
      } else if key.equals("eventType", in: object) {
        let type = try parser.optionalString(in: object)
        isLogEvent = type.map { $0.equals("logEvent", in: object) } ?? true
      } else {
        try parser.skipValue(in: object)
      }
    }
    try parser.end(in: object)
    guard isLogEvent, let message, let path else { return nil }
    columns.process = lastComponent(path.range, object)
    return LogObject(columns: columns, message: message)
  }

  static func levelName(_ word: String) -> String? {
    switch word {
    case "Default", "Info", "Debug", "Error", "Fault": word.lowercased()
    default: nil
    }
  }

  private static func time(_ string: JSONString, _ object: Span<UInt8>) -> LogTime? {
    var offset = string.range.lowerBound
    return LogTime.dateAndTime(object, at: &offset)
  }

  /// What follows the last slash, which may be escaped.
  private static func lastComponent(_ path: Range<Int>, _ object: Span<UInt8>) -> Range<Int> {
    var start = path.upperBound
    while start > path.lowerBound, object[start - 1] != 47 { start -= 1 }
    return start..<path.upperBound
  }
}
