// Small batches become large ones, and threads stay numbered.

import Testing
import TraceModel

@testable import TracePipeline

@Suite struct BatchMergerTests {
  /// A batch of so many events of one thread, numbered from a number on; 0 for no numbers.
  private func batch(_ count: Int, thread: Int64 = 1, from number: UInt64) -> EventBatch {
    var assembler = BatchAssembler()
    for event in 0..<count {
      assembler.begin(.traceMarker, .instant, thread: thread, timeNanoseconds: Int64(event))
      assembler.add(.text, .string("text \(event % 3)"))
      assembler.endEvent()
    }
    var batch = assembler.batch
    batch.threads[0].firstSequence = number
    return batch
  }

  private func merge(_ batches: [EventBatch]) throws -> [(count: Int, threads: [ThreadEntry])] {
    var merger = BatchMerger()
    var merged: [(count: Int, threads: [ThreadEntry])] = []
    for batch in batches { try merger.add(batch) { merged.append(($0.count, $0.threads)) } }
    try merger.flush { merged.append(($0.count, $0.threads)) }
    return merged
  }

  @Test func numbersGoOn() throws {
    let merged = try merge([batch(3, from: 1), batch(2, thread: 2, from: 9), batch(4, from: 4)])
    #expect(merged.map(\.count) == [9])
    #expect(
      merged.first?.threads
        == [ThreadEntry(id: 1, firstSequence: 1), ThreadEntry(id: 2, firstSequence: 9)])
  }

  @Test(arguments: [0, 3, 5] as [UInt64])
  func aGapBeginsABatch(next: UInt64) throws {
    let merged = try merge([batch(3, from: 1), batch(4, from: next)])
    #expect(merged.map(\.count) == [3, 4])
    #expect(merged.map { $0.threads[0].firstSequence } == [1, next])
  }

  @Test func withoutNumbersEverythingIsJoined() throws {
    #expect(try merge([batch(3, from: 0), batch(4, from: 0)]).map(\.count) == [7])
  }

  @Test func largeBatchesPassAsTheyAre() throws {
    let merged = try merge([batch(3, from: 0), batch(40_000, from: 0), batch(2, from: 0)])
    #expect(merged.map(\.count) == [3, 40_000, 2])
  }

  @Test func aBatchIsNeverTooLarge() throws {
    let merged = try merge((0..<4).map { _ in batch(20_000, from: 0) })
    #expect(merged.map(\.count) == [BatchLimits.eventsMax, 80_000 - BatchLimits.eventsMax])
  }
}
