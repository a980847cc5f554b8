// A queue of deadlines: who waits, in which order, and in how much memory.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

struct DueTimerTests {
  private let judge = Judge(
    header: TraceHeader(), profile: .ios8, options: CheckOptions(), rules: [])
  private let time = Time.nanoseconds(1_000, on: .continuous)

  /// More than are dropped together, many times.
  private static let othersCount = 50_000
  private static let entriesMax = 4_096

  @Test(arguments: [true, false])
  func othersLeaveNothingBehindWhileOneWaits(isFirst: Bool) {
    var timer = DueTimer(time)
    // The one that stays stands before all others, or is due behind each of them.
    timer.arm(0, 1, length: isFirst ? 500 : Int64.max / 2, now: 0, judge)
    var entriesMax = 0
    for generation in 2..<Self.othersCount {
      timer.arm(1, generation, length: 1_000, now: 0, judge)
      timer.dropFront { slot, own in slot == 1 && own != generation }
      entriesMax = max(entriesMax, timer.entryCount)
    }
    #expect(entriesMax < Self.entriesMax)
    #expect(timer.waits(0, 1))
    #expect(timer.waits(1, Self.othersCount - 1))
    #expect(!timer.waits(1, 2))
    #expect(timer.nextDeadline(now: 0, judge) == (isFirst ? 500 : 1_000))
  }

  @Test func aChainOfThoseThatOverlapLeavesNothingBehind() {
    var timer = DueTimer(time)
    var entriesMax = 0
    for generation in 1..<Self.othersCount {
      // Each opens before the one before it is closed.
      timer.arm(generation % 2, generation, length: 1_000, now: Int64(generation), judge)
      timer.dropFront { _, own in own < generation - 1 }
      entriesMax = max(entriesMax, timer.entryCount)
    }
    #expect(entriesMax < Self.entriesMax)
    #expect(!timer.isEmpty)
  }

  @Test func whoWaitsIsOverdueInOrderHoweverManyWereDropped() {
    var timer = DueTimer(time)
    var expected: [Int] = []
    for generation in 1...10_000 {
      let isKept = generation % 100 == 0
      // Those that are kept have a slot of their own.
      let slot = isKept ? generation / 100 : 0
      timer.arm(slot, generation, length: 1_000, now: Int64(generation), judge)
      if isKept { expected.append(generation) }
    }
    var found: [Int] = []
    while let overdue = timer.takeOverdue(now: 20_000, judge) {
      if overdue.slot > 0 {
        found.append(overdue.generation)
        #expect(overdue.sinceNanoseconds == 19_000 - Int64(overdue.generation))
      }
    }
    #expect(found == expected)
    #expect(timer.isEmpty)
    #expect(!timer.waits(1, 100))
  }

  @Test func whatWasClosedOrHasGivenItsSlotAwayWaitsNoMore() {
    var timer = DueTimer(time)
    for slot in 0..<4 { timer.arm(slot, slot + 1, length: 1_000, now: 0, judge) }
    // The second is closed, and in the slot of the third another one is open that doesn't wait.
    let open = [0: 1, 2: 9, 3: 4]
    #expect(timer.waitingSlots { open[$0] == $1 } == [0, 3])
    timer.removeAll()
    #expect(timer.waitingSlots { open[$0] == $1 } == [])
    #expect(!timer.waits(0, 1))
  }
}
