// How the text forms are recognised.

public import TraceModel

extension CaptureFormat {
  /// The NDJSON interchange form.
  public static let ndjson = CaptureFormat(
    name: NDJSONDecoder.formatName, title: "tracecheck NDJSON",
    recognise: { bytes in NotationRecogniser.ndjson(bytes) },
    makeDecoder: { NDJSONDecoder() })

  /// The timeline notation.
  public static let timeline = CaptureFormat(
    name: TimelineDecoder.formatName, title: "tracecheck timeline",
    recognise: { bytes in NotationRecogniser.timeline(bytes) },
    makeDecoder: { TimelineDecoder() })
}

/// Looks at the beginning of a capture. Any version is recognised, so that the decoder can refuse
/// it by name.
private enum NotationRecogniser {
  /// The line says so itself.
  private static let certain = 100
  /// An event that other tools might write too.
  private static let likely = 60

  static func ndjson(_ bytes: Span<UInt8>) -> Int {
    guard let line = firstLine(of: bytes, skippingComments: false) else { return 0 }
    let text = bytes.extracting(line)
    var parser = JSONPullParser()
    var hasTime = false
    var hasEvent = false
    // A line that is cut off is judged by what is there of it.
    do throws(JSONError) {
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) {
        if key.equals("header", in: text) {
          if parser.peek(in: text) == UInt8(ascii: "{") {
            return isHeader(&parser, in: text) ? certain : 0
          }
        } else if key.equals("t_ns", in: text) {
          hasTime = true
        } else if key.equals("event", in: text) {
          hasEvent = true
        }
        if hasTime, hasEvent { return likely }
        try parser.skipValue(in: text)
      }
    } catch { return 0 }
    return 0
  }

  private static func isHeader(_ parser: inout JSONPullParser, in text: Span<UInt8>) -> Bool {
    do throws(JSONError) {
      try parser.beginObject(in: text)
      while let key = try parser.nextKey(in: text) {
        if key.equals("format", in: text) {
          guard case .string(let format) = try parser.next(in: text) else { return false }
          return format.equals(NDJSONGrammar.formatWord, in: text)
        }
        try parser.skipValue(in: text)
      }
    } catch { return false }
    return false
  }

  static func timeline(_ bytes: Span<UInt8>) -> Int {
    guard let range = firstLine(of: bytes, skippingComments: true) else { return 0 }
    let line = bytes.extracting(range)
    var scanner = TimelineScanner()
    scanner.skipSpace(in: line)
    guard let word = scanner.word(in: line),
      TimelineScanner.isWord(word, "timeline", in: line),
      TimelineScanner.isSpace(scanner.byte(in: line))
    else { return 0 }
    scanner.skipSpace(in: line)
    guard (try? scanner.integer(in: line)) != nil, scanner.isAtEnd(in: line) else { return 0 }
    return certain
  }

  /// The first line that isn't blank; nil if there is none.
  private static func firstLine(
    of bytes: Span<UInt8>, skippingComments: Bool
  ) -> Range<Int>? {
    var start = 0
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      var first = start
      while first < end, TimelineScanner.isSpace(bytes[first]) || bytes[first] == 0x0D {
        first += 1
      }
      if first < end, !(skippingComments && bytes[first] == UInt8(ascii: "#")) {
        return start..<(bytes[end - 1] == 0x0D ? end - 1 : end)
      }
      start = end + 1
    }
    return nil
  }
}
