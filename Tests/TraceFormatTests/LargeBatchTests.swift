// Batches beyond the limits of a block, and vocabulary that readers and writers don't share.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct LargeBatchTests {
  /// A batch of one template for each thread, without a limit on its events.
  private func batch(eventCount: Int, textBytes: Int = 0, textCount: Int = 1) -> EventBatch {
    var batch = EventBatch()
    batch.threads = [ThreadEntry(id: 1, firstSequence: 1), ThreadEntry(id: 2, firstSequence: 500)]
    batch.slots = [ArgumentSlot(name: .text, type: .string)]
    for thread in 0..<2 as Range<UInt16> {
      batch.templates.append(
        EventTemplate(
          kind: .traceMarker, phase: .instant, thread: thread, slotCount: 1, firstSlot: 0)
      )
    }
    for text in 0..<textCount {
      var bytes = [UInt8](repeating: 65, count: textBytes)
      if textBytes > 0 { bytes[0] = UInt8(text % 128) }
      if textBytes > 1 { bytes[1] = UInt8(text / 128) }
      batch.strings.append(bytes.span)
    }
    for event in 0..<eventCount {
      batch.templateIndices.append(UInt16(event % 3 == 0 ? 1 : 0))
      batch.timesNanoseconds.append(Int64(event))
      batch.argumentStarts.append(UInt32(event))
      batch.argumentBits.append(UInt64(event % textCount))
    }
    return batch
  }

  private func pieces(_ batch: EventBatch) -> (blocks: [[PlainEvent]], threads: [[ThreadEntry]]) {
    var encoder = LctraceEncoder(codec: .stored)
    encoder.begin(TraceHeader())
    encoder.consume(batch)
    encoder.end()
    var result: (blocks: [[PlainEvent]], threads: [[ThreadEntry]]) = ([], [])
    for step in steps(encoder.output) {
      if case .events(let events, let threads) = step {
        result.blocks.append(events)
        result.threads.append(threads)
      }
    }
    return result
  }

  @Test(arguments: [65_535, 65_536, 65_537, 140_000])
  func manyEvents(count: Int) {
    let batch = batch(eventCount: count)
    let (blocks, threads) = pieces(batch)
    #expect(blocks.count == (count + 65_535) / 65_536)
    #expect(blocks.allSatisfy { $0.count <= 65_536 })
    let all = blocks.flatMap { $0 }
    #expect(all.map(\.timeNanoseconds) == (0..<Int64(count)).map { $0 })
    #expect(all.map(\.ordinal) == Array(0..<count))
    // Numbering goes on from block to block.
    var next: [Int64: UInt64] = [1: 1, 2: 500]
    for (events, entries) in zip(blocks, threads) {
      for entry in entries { #expect(entry.firstSequence == next[entry.id]) }
      for event in events { next[event.thread, default: 0] += 1 }
    }
  }

  @Test func manyBytesOfText() {
    let batch = batch(eventCount: 300, textBytes: 65_536, textCount: 150)
    let (blocks, _) = pieces(batch)
    #expect(blocks.count > 1)
    #expect(
      blocks.flatMap { $0 }
        == (0..<300).map { PlainEvent(batch, $0, ordinal: $0) })
  }

  /// A text that each event names takes next to no bytes: blocks end all the same.
  @Test func textsThatManyEventsName() {
    let limit = FormatLimits.eventTextBytesMax / 65_536
    for count in [limit, limit + 1, 3 * limit] {
      let (blocks, _) = pieces(batch(eventCount: count, textBytes: 65_536))
      #expect((blocks.count > 1) == (count > limit))
      #expect(blocks.allSatisfy { $0.count <= limit })
      #expect(blocks.flatMap { $0 }.map(\.timeNanoseconds) == Array(0..<Int64(count)))
    }
  }

  @Test func longTextsAndNamesAreCutAtACharacter() throws {
    var batch = batch(eventCount: 1)
    batch.strings.removeAll()
    batch.strings.append(Array(String(repeating: "日", count: 30_000).utf8).span)
    let event = try #require(pieces(batch).blocks.first?.first)
    #expect(event.arguments.map(\.value) == [.string(String(repeating: "日", count: 21_845))])
  }

  /// A writer of a later release declares its new words by text; a reader that knows them uses
  /// its own numbers, and one that doesn't keeps the text.
  @Test func declaredNamesThatTheReaderKnows() throws {
    var batch = EventBatch()
    batch.threads = [ThreadEntry(id: 1)]
    _ = batch.kindNames.intern("x.before")
    _ = batch.kindNames.intern("bgtask.begin")
    _ = batch.argumentNames.intern("token")
    _ = batch.argumentNames.intern("x_after")
    for number in 0..<2 as Range<UInt16> {
      batch.slots.append(
        ArgumentSlot(name: ArgumentName(rawValue: 1_024 + number), type: .integer))
      batch.templates.append(
        EventTemplate(
          kind: EventKind(rawValue: 1_024 + number), phase: .instant, thread: 0, slotCount: 1,
          firstSlot: UInt32(number)))
      batch.templateIndices.append(number)
      batch.timesNanoseconds.append(0)
      batch.argumentStarts.append(UInt32(number))
      batch.argumentBits.append(7)
    }
    var encoder = LctraceEncoder(codec: .stored)
    encoder.consume(batch)
    encoder.end()
    var decoder = LctraceDecoder(codec: .stored)
    decoder.feed(encoder.output.span)
    decoder.finish()
    var read = EventBatch()
    loop: while true {
      switch decoder.next(into: &read) {
      case .batch: break loop
      case .end, .problem:
        Issue.record("no block")
        return
      default: continue
      }
    }
    #expect(read.templates.map(\.kind) == [EventKind(rawValue: 1_024), .bgtaskBegin])
    #expect(read.slots.map(\.name) == [.token, ArgumentName(rawValue: 1_024)])
    #expect(read.kindNames.count == 1)
    #expect(read.argumentNames[0] == "x_after")
  }

  @Test func frozenNumbersAreInTheVocabulary() {
    #expect(Int(FormatVocabulary.kindNumberMax) <= Vocabulary.kinds.count)
    #expect(Int(FormatVocabulary.argumentNumberMax) <= FormatVocabulary.argumentNameCount)
  }
}
