// By which bytes a trace is recognised, also where its beginning is damaged.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct RecognitionTests {
  private let format = CaptureFormat.lctrace(codec: .stored)

  private func score(_ bytes: [UInt8]) -> Int { format.recognise(bytes.span) }

  @Test func theMagicNumberIsCertain() {
    #expect(score(Golden.small().bytes) == 100)
    // A later version is refused by name, so it is recognised.
    #expect(score(FileSignature.magic) == 100)
  }

  @Test func aWrongByteInTheSignatureCostsNothing() {
    let golden = Golden.small()
    for place in 0..<FileSignature.byteCount {
      var bytes = golden.bytes
      bytes[place] ^= 0x40
      #expect(score(bytes) >= 50, "byte \(place)")
      #expect(steps(bytes).events == golden.steps.events, "byte \(place)")
    }
  }

  @Test func aTraceWithoutItsFirstBytesIsRecognised() {
    let golden = Golden.small()
    for count in [1, FileSignature.byteCount, FileSignature.byteCount + 1, golden.boundaries[2]] {
      #expect(score(Array(golden.bytes[count...])) == 50, "without \(count) bytes")
    }
    #expect(score(Array(repeating: 0, count: 40_000) + golden.bytes) == 50)
  }

  @Test func recordsWithoutARightChecksumAreNone() {
    let golden = Golden.small()
    var bytes = Array(golden.bytes[FileSignature.byteCount...])
    for record in golden.records.dropFirst() {
      bytes[record.upperBound - 1 - FileSignature.byteCount] ^= 1
    }
    #expect(score(bytes) == 0)
    #expect(score([]) == 0)
    #expect(score(RecordFrame.syncWord) == 0)
    #expect(score(RecordFrame.syncWord + [1, 0, 0]) == 0)
    #expect(score(Array("\u{89}LCT\r\n a text".utf8)) == 0)
  }

  /// Only the head counts, however much is given.
  @Test func recordsBehindTheHeadDoNotCount() {
    let bytes = Golden.small().bytes
    #expect(score(Array(repeating: 0, count: 65_536) + bytes) == 0)
  }

  /// Thousands of false records that each claim the rest of the head: few are followed.
  @Test func falseRecordsAreCheap() {
    var bytes: [UInt8] = []
    while bytes.count < 65_536 {
      bytes.append(contentsOf: RecordFrame.syncWord + [2, 0, 1])
      bytes.appendVarint(max(0, 65_536 - bytes.count - 16))
    }
    let start = ContinuousClock.now
    #expect(score(bytes) == 0)
    #expect(ContinuousClock.now - start < .seconds(1))
  }
}
