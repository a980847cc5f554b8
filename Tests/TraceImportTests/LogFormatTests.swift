// Every log format: what comes out, at any split and after any cut, and whose a capture is.

import Testing
import TraceImport
import TraceImportSamples
import TraceModel

@Suite struct LogFormatTests {
  @Test func samplesAreOfImporters() {
    let names = Set(LogSample.all.map(\.format.name))
    #expect(names.count == 11)
    #expect(names.isSubset(of: CaptureImporters.all.map(\.name)))
    #expect(Set(CaptureImporters.all.map(\.name)).count == CaptureImporters.all.count)
    for format in CaptureImporters.all {
      #expect(type(of: format.makeDecoder()).formatName == format.name)
    }
  }

  @Test(arguments: LogSample.all) func captureBecomesTimeline(_ sample: LogSample) {
    #expect(imported(sample.text, as: sample.format) == sample.timeline)
  }

  @Test(arguments: LogSample.all) func everySplitGivesTheSame(_ sample: LogSample) {
    for pieceBytes in [1, 2, 3, 7, 64, 101, 4096] {
      #expect(
        imported(sample.text, as: sample.format, pieceBytes: pieceBytes) == sample.timeline,
        "pieces of \(pieceBytes)")
    }
  }

  @Test(arguments: LogSample.all) func lineEndsOfOtherSystemsAreTheSame(_ sample: LogSample) {
    let lines = sample.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(imported(lines.joined(separator: "\r\n"), as: sample.format) == sample.timeline)
    #expect(imported("\u{feff}" + sample.text, as: sample.format) == sample.timeline)
    #expect(imported(String(sample.text.dropLast()), as: sample.format) == sample.timeline)
  }

  @Test(arguments: LogSample.all) func formatKnowsItsOwnAndNoOther(_ sample: LogSample) {
    for format in CaptureImporters.all {
      let sureness = confidence(sample.text, format)
      if format.name == sample.format.name {
        #expect(sureness >= 60, "\(format.name)")
      } else {
        #expect(sureness <= 20, "\(format.name)")
      }
    }
  }

  /// No cut traps, and no event is made up by one. Every place is cut by `tracedev fuzz-import`.
  @Test(arguments: LogSample.all) func cutsMakeNoEventsUp(_ sample: LogSample) {
    let bytes = Array(sample.text.utf8)
    for count in stride(from: 0, to: bytes.count, by: 37) {
      let cut = Array(bytes[..<count])
      _ = sample.format.recognise(cut.span)
      let events = importReading(cut, as: sample.format).eventCount
      #expect(events <= sample.timeline.split(separator: "\n").count - 1, "cut at \(count)")
    }
  }

  /// Columns that not every version prints, and names that look like columns.
  @Test(arguments: [
    ("412    0    Notes: (UIKitCore) [com.apple.UIKit:a] ", "Notes"),
    ("412    14   2048 Game: (UIKitCore) ", "\"2048 Game\""),
    ("412    Notes: [com.apple.UIKit:a] ", "Notes"), ("412    2048 Game: ", "\"2048 Game\""),
  ])
  func columnsOfTheDefaultStyle(_ columns: String, _ name: String) {
    let text =
      "2026-03-04 10:00:00.000000+0100 0x1a2b     Default     0x0                  \(columns)Ending background task with UIBackgroundTaskIdentifier: 4\n"
    let result = imported(text, as: .logDefault)
    #expect(result.contains("app_bundle_id=\(name) "), "\(result)")
    #expect(result.contains("@6699 bgtask.end token=4"))
  }

  @Test(arguments: [
    "[com.example.notes:412] Process exited: <a| voluntary>.",
    "[com.apple.runningboard:process] [app<com.example.notes(0A)>:412] Process exited: <a| voluntary>.",
    "(RunningBoard) [app<com.example.notes>:412] Process exited: <a| voluntary>.",
  ])
  func targetsAreNoSubsystems(_ message: String) {
    let text = "2026-03-04 10:00:00.000000+0100  localhost runningboardd[31]: \(message)\n"
    #expect(imported(text, as: .logSyslog).hasSuffix("0s @0 proc.exit\n"))
  }

  @Test func linesOfObjectsAreThoseOfTheFile() {
    guard let sample = LogSample.all.first(where: { $0.testDescription == "json" }) else { return }
    let batches = importReading(Array(sample.text.utf8), as: sample.format).batches.joined()
    #expect(batches.flatMap(\.lines) == [2, 2, 16, 44, 58, 72])
  }
}
