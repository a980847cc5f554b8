// Every log format: what comes out, at any split and after any cut, and whose a capture is.

import Testing
import TraceImport
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

  /// No cut traps, none is read differently in pieces, and no event is made up by a cut.
  @Test(arguments: LogSample.all) func everyCutIsRead(_ sample: LogSample) {
    let bytes = Array(sample.text.utf8)
    for count in 0..<bytes.count {
      let cut = Array(bytes[..<count])
      _ = sample.format.recognise(cut.span)
      var decoder = sample.format.makeDecoder()
      decoder.feed(cut.span)
      decoder.finish()
      var batch = EventBatch()
      var events = 0
      steps: while true {
        switch decoder.next(into: &batch) {
        case .end, .needsInput: break steps
        case .batch: events += batch.count
        default: break
        }
      }
      #expect(events <= sample.timeline.split(separator: "\n").count - 1, "cut at \(count)")
    }
  }

  @Test func linesOfObjectsAreThoseOfTheFile() {
    guard let sample = LogSample.all.first(where: { $0.testDescription == "json" }) else { return }
    var decoder = sample.format.makeDecoder()
    decoder.feed(Array(sample.text.utf8).span)
    decoder.finish()
    var batch = EventBatch()
    while case .header = decoder.next(into: &batch) {}
    #expect(batch.lines == [2, 2, 16, 44, 58, 72])
  }
}
