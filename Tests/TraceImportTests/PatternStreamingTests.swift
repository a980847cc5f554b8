// Lines of an app's own in logs that are read as they come.

import Testing
import TraceModel

@testable import TraceImport

/// A log that is read with patterns, piece by piece.
private struct MappedStream {
  var decoder: any CaptureDecoder
  var reading = ImportReading()

  init(
    _ patterns: [CapturePattern], as format: CaptureFormat = .deviceSyslog,
    keepsLedger: Bool = false
  ) throws {
    var decoder = try #require(format.makeDecoder() as? any LineDecoder)
    decoder.prepare(LineOptions(patterns: CapturePatterns(patterns), keepsLedger: keepsLedger))
    self.decoder = decoder
  }

  var ledger: LineLedger? { (decoder as? any LineDecoder)?.ledger }
  var coverage: [String]? { reading.headers.first?.strings(.coverage) }
  var lines: [UInt32] { reading.batches.joined().flatMap(\.lines) }

  mutating func feed(_ text: String) {
    decoder.feed(Array(text.utf8).span)
    decoder.flush(silentNanoseconds: 0)
    reading.drain(&decoder)
  }

  mutating func finish() {
    decoder.finish()
    reading.drain(&decoder)
  }
}

@Suite struct PatternStreamingTests {
  private static let suspended = "[app<com.example.notes>:412] Suspending task."

  /// A line waits for the bundle that a later line tells.
  @Test func aBundleThatIsLearnedDecidesWhichPatternCounts() throws {
    var stream = try MappedStream([
      pattern("tick", .traceMarker, .instant, [.text: "own"], app: "com.example.notes"),
      pattern("tick", .traceMarker, .instant, [.text: "all"]),
    ])
    stream.feed(device(0, "Notes", 412, "tick") + device(20, "other", 9, "x"))
    #expect(stream.reading.eventCount == 0)
    stream.feed(device(21, "runningboardd", 31, Self.suspended) + device(30, "other", 9, "x"))
    #expect(stream.reading.text.contains("trace.marker text=own"))
    stream.feed(device(31, "Notes", 412, "tick") + device(40, "other", 9, "x"))
    stream.finish()
    let lines = stream.reading.text.split(separator: "\n")
    #expect(lines.filter { $0.contains("text=own") }.count == 2)
    #expect(!stream.reading.text.contains("text=all"))
  }

  /// What waits for a bundle is bounded.
  @Test func linesOfAnAppWithoutABundleDoNotWaitForever() throws {
    var stream = try MappedStream(
      [pattern("tick", .traceMarker, app: "Notes"), pattern("tick", .uiAlertShow, app: "Mail")],
      keepsLedger: true)
    stream.feed(String(repeating: device(0, "Notes", 412, "tick"), count: 5_000))
    #expect(stream.reading.eventCount > 0)
    stream.finish()
    #expect(stream.reading.eventCount == 5_001)
    #expect(stream.ledger?.ofOtherApps == [:])
  }

  @Test func whatPatternsCoverIsLearned() throws {
    var stream = try MappedStream([pattern("drew <n>", .glCall, .instant, [.count: "<n>"])])
    stream.feed(
      device(0, "Notes", 412, "Ending background task with UIBackgroundTaskIdentifier: 5")
        + device(3, "other", 9, "x") + device(6, "other", 9, "x"))
    #expect(stream.coverage == ["bgtask"])
    #expect(stream.reading.headers.first?.opened.covers("gl") == true)
    stream.feed(device(7, "Notes", 412, "drew 3") + device(20, "other", 9, "x"))
    #expect(stream.coverage == ["bgtask", "gl"])
    stream.finish()
    #expect(stream.reading.text.hasSuffix("7s gl.call count=3\n"))
  }

  /// Known messages have texts by which lines are picked; lines of patterns and counts need all.
  @Test func noLineOfALongLogIsPassedOver() throws {
    var text = ""
    for number in 1...18_000 {
      let isTick = number == 17_001
      text += device(
        number / 1_001, isTick ? "Notes" : "wifid", 48,
        isTick ? "tick" : "link quality sample \(number)")
    }
    #expect(text.utf8.count > 9 << 17)
    var mapped = try MappedStream([pattern("tick", .traceMarker)])
    mapped.feed(text)
    mapped.finish()
    #expect(mapped.lines == [1, 17_001])
    var counted = try MappedStream([], keepsLedger: true)
    counted.feed(text)
    counted.finish()
    #expect(counted.ledger?.lineCount == 18_000)
  }

  @Test func noObjectOfALongLogIsPassedOver() throws {
    var text = ""
    for number in 1...5_000 {
      let message = number == 4_501 ? "tick" : "sample \(number)"
      text +=
        #"{"timestamp":"2026-03-01 10:00:00.000000+0100","eventMessage":"\#(message)","#
        + #""processImagePath":"\/a\/Notes","processID":41,"threadID":1,"messageType":"Default","#
        + #""eventType":"logEvent"}"# + "\n"
    }
    var stream = try MappedStream([pattern("tick", .traceMarker)], as: .logJSON)
    stream.feed(text)
    stream.finish()
    #expect(stream.reading.eventCount == 2)
  }
}
