// When the directory is looked at: after hints, without any, and when looking costs much.

import Testing

@testable import TraceServe

struct LookPaceTests {
  private static let second: Int64 = 1_000_000_000

  @Test func theFirstLookIsAtOnce() {
    #expect(LookPace().nextNanoseconds == .min)
  }

  @Test(
    arguments: [
      (true, false, 30_000), (false, false, 2_000), (true, true, 250), (false, true, 250),
    ] as [(Bool, Bool, Int64)])
  func looksComeByTheClock(hasHints: Bool, isWaiting: Bool, milliseconds: Int64) {
    var pace = LookPace()
    pace.looked(at: 5 * Self.second, cost: 1_000_000, isWaiting: isWaiting, hasHints: hasHints)
    #expect(pace.nextNanoseconds == 5 * Self.second + milliseconds * 1_000_000)
  }

  @Test func aHintIsFollowedSoonHoweverLongTheChecksBeforeItTook() {
    var pace = LookPace()
    // It began a minute before.
    pace.looked(at: 60 * Self.second, cost: 1_000_000, isWaiting: false, hasHints: true)
    pace.takeHint()
    #expect(pace.nextNanoseconds == 60 * Self.second + 9_000_000)
  }

  @Test func lookingTakesATenthOfTheTime() {
    var pace = LookPace()
    pace.looked(at: 0, cost: 4 * Self.second, isWaiting: true, hasHints: true)
    #expect(pace.nextNanoseconds == 36 * Self.second)
    pace.takeHint()
    #expect(pace.nextNanoseconds == 36 * Self.second)
  }

  @Test func whatCannotWaitIsLookedAtAtOnce() {
    var pace = LookPace()
    pace.looked(at: 0, cost: 4 * Self.second, isWaiting: false, hasHints: true)
    pace.lookAtOnce()
    #expect(pace.nextNanoseconds == .min)
  }

  @Test func aHintDelaysNothing() {
    var pace = LookPace()
    pace.takeHint()
    #expect(pace.nextNanoseconds == .min)
  }
}
