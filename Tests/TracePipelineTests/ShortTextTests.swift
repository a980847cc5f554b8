// What is left of long texts.

import Testing
import TraceExport
import TraceModel

@testable import TracePipeline

struct ShortTextTests {
  private static func batch(_ values: [ArgumentValue]) -> EventBatch {
    var assembler = BatchAssembler()
    for value in values {
      assembler.begin(.traceMarker, .instant, thread: 1, timeNanoseconds: 0)
      assembler.add(.text, value)
      assembler.endEvent()
    }
    return assembler.batch
  }

  private static func values(_ batch: EventBatch) -> [ArgumentValue] {
    (0..<batch.count).flatMap { batch.arguments(at: $0).map(\.value) }
  }

  @Test func whatIsShortStays() {
    let longest = String(repeating: "x", count: ShortTexts.bytesMax)
    let batch = Self.batch([.string("a"), .json("[1]"), .string(longest), .integer(7)])
    #expect(Self.values(ShortTexts.cut(batch)) == Self.values(batch))
  }

  @Test func whatIsLongIsCutAtACharacter() {
    let text = String(repeating: "x", count: ShortTexts.bytesMax - 1)
    let json = "[" + String(repeating: "1,", count: ShortTexts.bytesMax) + "1]"
    let batch = Self.batch([
      .string(text + "éé"), .string("a"), .json(json), .string(json), .json(json),
    ])
    let part = String(json.prefix(ShortTexts.bytesMax))
    #expect(
      Self.values(ShortTexts.cut(batch)) == [
        .string(text), .string("a"), .json("\"\(part)\""), .string(part), .json("\"\(part)\""),
      ])
  }

  @Test func aDrawingInMemoryHasATime() {
    var bytes: [UInt8] = [1]
    #expect(throws: CaptureFailure.self) {
      try TimelineFile(bytesMax: 10, secondsMax: -1).write(&bytes)
    }
    #expect(throws: Never.self) { try TimelineFile(bytesMax: 10, secondsMax: 60).write(&bytes) }
  }
}
