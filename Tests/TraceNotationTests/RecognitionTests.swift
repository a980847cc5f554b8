// By which bytes the text forms are recognised.

import Testing
import TraceModel
import TraceNotation

@Suite struct RecognitionTests {
  static func certainty(_ text: String) -> (ndjson: Int, timeline: Int) {
    let bytes = Array(text.utf8)
    return (
      CaptureFormat.ndjson.recognise(bytes.span), CaptureFormat.timeline.recognise(bytes.span)
    )
  }

  @Test(arguments: [
    (#"{"header":{"format":"tracecheck-ndjson","version":1}}"# + "\n", 100),
    ("\u{FEFF}\r\n  \n" + #"{"header":{"version":2,"format":"tracecheck-ndjson"}}"#, 100),
    (#"{"header":{"format":"tracecheck-ndjson","os_ver"#, 100),
    (#"{"header":{"format":"other","version":1}}"#, 0),
    (#"{"header":"tracecheck-ndjson"}"#, 0),
    (#"{"t_ns":1,"event":"a"}"#, 60),
    (#"{"event":"a","args":{},"t_ns":1}"#, 60),
    (#"{"event":"a"}"#, 0),
    ("[1]", 0), ("", 0), ("\n\n", 0), ("timeline 1", 0),
  ])
  func ndjson(text: String, expected: Int) {
    #expect(Self.certainty(text).ndjson == expected)
  }

  @Test(arguments: [
    ("timeline 1\n", 100), ("timeline 1", 100), ("# first\n\n  timeline\t2  # x\r\n", 100),
    ("\u{FEFF}timeline 1\r\n", 100), ("timeline", 0), ("timeline one", 0), ("timelines 1", 0),
    ("timeline 1 2", 0), ("0s a", 0), ("", 0), ("{}", 0),
  ])
  func timeline(text: String, expected: Int) {
    #expect(Self.certainty(text).timeline == expected)
  }

  @Test func formatsMakeTheirDecoders() {
    #expect(CaptureFormat.ndjson.makeDecoder() is NDJSONDecoder)
    #expect(CaptureFormat.timeline.makeDecoder() is TimelineDecoder)
    #expect(CaptureFormat.ndjson.name == "ndjson")
    #expect(CaptureFormat.timeline.name == "timeline")
  }
}
