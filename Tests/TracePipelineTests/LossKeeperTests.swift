// What an input lost is said in the events that are written from it.

import Testing
import TraceModel

@testable import TracePipeline

@Suite struct LossKeeperTests {
  /// Three events, a millisecond apart, of one thread.
  private func batch(
    at place: Int, from time: Int64, number: UInt64 = 0, thread: Int64 = 1
  ) -> EventBatch {
    var assembler = BatchAssembler()
    for event in 0..<Int64(3) {
      assembler.begin(
        .traceMarker, .instant, thread: thread, timeNanoseconds: time + event * 1_000_000)
      assembler.endEvent()
    }
    var batch = assembler.batch
    batch.firstOrdinal = place
    batch.threads[0].firstSequence = number
    return batch
  }

  /// What the losses among batches say: count, and the times before and after.
  private func losses(
    _ batches: [EventBatch], keepsNumbers: Bool = true, isPartial: Bool = false
  ) -> [[Int64?]] {
    var keeper = LossKeeper(keepsNumbers: keepsNumbers)
    return batches.flatMap { keeper.parts(of: $0, isPartial: isPartial) }.compactMap { part in
      let event = part.event(at: 0)
      guard event.kind == .traceLost else { return nil }
      return [
        part.integer(.count, of: event), part.integer(.firstNs, of: event),
        part.integer(.lastNs, of: event), event.timeNanoseconds,
      ]
    }
  }

  @Test func aHoleIsALoss() {
    #expect(
      losses([batch(at: 0, from: 0), batch(at: 10, from: 9_000_000)])
        == [[7, 2_000_000, 9_000_000, 9_000_000]])
  }

  @Test func noHoleNoLoss() {
    #expect(losses([batch(at: 0, from: 0), batch(at: 3, from: 9_000_000)]) == [])
  }

  @Test func aHoleBeforeTheFirstEventsIsALoss() {
    #expect(losses([batch(at: 100, from: 5)]) == [[100, 5, 5, 5]])
    #expect(losses([batch(at: 100, from: 5)], isPartial: true) == [])
    // A recording that was rotated begins with higher numbers.
    #expect(losses([batch(at: 100, from: 5, number: 101)]) == [])
  }

  @Test func anotherTraceBeginsAnew() {
    var keeper = LossKeeper(keepsNumbers: true)
    _ = keeper.parts(of: batch(at: 0, from: 0))
    keeper.begin()
    #expect(keeper.parts(of: batch(at: 0, from: 0)).count == 1)
    // What is missing before its first events is missing in it.
    keeper.begin()
    #expect(keeper.parts(of: batch(at: 50, from: 0)).count == 2)
  }

  @Test func blocksLeftOutOnPurposeAreNoLoss() {
    let batches = [batch(at: 0, from: 0), batch(at: 10, from: 9_000_000)]
    #expect(losses(batches, isPartial: true) == [])
  }

  @Test func numbersTellOfALossUnlessTheyAreDropped() {
    let batches = [
      batch(at: 0, from: 0, number: 1), batch(at: 3, from: 9_000_000, number: 9),
    ]
    #expect(losses(batches) == [])
    #expect(losses(batches, keepsNumbers: false) == [[5, 2_000_000, 9_000_000, 9_000_000]])
    #expect(
      losses(
        [batch(at: 0, from: 0, number: 1), batch(at: 3, from: 9_000_000, number: 4)],
        keepsNumbers: false) == [])
  }

  @Test func eventsAreAsTheyWere() {
    var keeper = LossKeeper(keepsNumbers: true)
    _ = keeper.parts(of: batch(at: 0, from: 0))
    let parts = keeper.parts(of: batch(at: 10, from: 9_000_000))
    #expect(parts.map(\.count) == [1, 3])
    #expect(parts.last?.timesNanoseconds == [9_000_000, 10_000_000, 11_000_000])
  }
}
