// The JSON lines of pymobiledevice3. This file must not know any message.

public import TraceModel
import TraceNotation

extension CaptureFormat {
  /// What `pymobiledevice3 syslog live` prints as JSON.
  public static let pymobileJSON = CaptureFormat(
    name: PymobileJSONGrammar.formatName, title: "pymobiledevice3 syslog live, JSON lines",
    recognise: { ObjectRecogniser<PymobileJSONGrammar>.confidence($0) },
    makeDecoder: { ObjectCaptureDecoder<PymobileJSONGrammar>() })
}

/// Objects with `pid`, `thread_id`, `timestamp`, `level`, `filename` and `message`, in any order.
enum PymobileJSONGrammar: ObjectGrammar {
  static let formatName = "pymobiledevice3-json"

  static func columns(of object: Span<UInt8>) throws(JSONError) -> LogObject? {
    var parser = JSONPullParser()
    var columns = LogLine()
    var message: JSONString?
    var path: JSONString?
    try parser.beginObject(in: object)
    while let key = try parser.nextKey(in: object) {
      if key.equals("message", in: object) {
        message = try parser.optionalString(in: object)
      } else if key.equals("timestamp", in: object) {
        columns.time = try parser.optionalString(in: object).flatMap { time($0, object) }
      } else if key.equals("filename", in: object) {
        path = try parser.optionalString(in: object)
      } else if key.equals("pid", in: object) {
        columns.pid = try parser.optionalInteger(in: object)
      } else if key.equals("thread_id", in: object) {
        columns.thread = try parser.optionalInteger(in: object)
      } else if key.equals("level", in: object) {
        columns.level = try parser.optionalString(in: object)?.range ?? 0..<0
      } else {
        try parser.skipValue(in: object)
      }
    }
    try parser.end(in: object)
    guard let message, let path, columns.pid != nil else { return nil }
    var start = path.range.upperBound
    while start > path.range.lowerBound, object[start - 1] != 47 { start -= 1 }
    columns.process = start..<path.range.upperBound
    return LogObject(columns: columns, message: message)
  }

  static func levelName(_ word: String) -> String? { PymobileGrammar.levelName(word.uppercased()) }

  private static func time(_ string: JSONString, _ object: Span<UInt8>) -> LogTime? {
    var offset = string.range.lowerBound
    return LogTime.dateAndTime(object, at: &offset, separator: 84)
      ?? LogTime.dateAndTime(object, at: &offset)
  }
}
