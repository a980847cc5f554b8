// When the events of a replay are due, also those of captures whose clocks were broken.

import Testing

@testable import TraceCheckKit

struct ReplayPaceTests {
  private let week: Int64 = 7 * 86_400_000_000_000

  @Test func timePassesAsFastAsSaid() {
    var pace = ReplayPace(factor: 10, startNanoseconds: 1_000)
    #expect(pace.waits)
    let dues = [50, 60, 5_050].map { pace.dueNanoseconds(of: $0) }
    #expect(dues == [1_000, 1_001, 1_500])
  }

  @Test func nothingWaitsWithoutAFactor() {
    var pace = ReplayPace(factor: nil, startNanoseconds: 1_000)
    #expect(!pace.waits)
    let dues = [Int64.min, .max].map { pace.dueNanoseconds(of: $0) }
    #expect(dues == [1_000, 1_000])
  }

  @Test func aClockThatGoesBackWaitsForNothing() {
    var pace = ReplayPace(factor: 10, startNanoseconds: 1_000)
    let dues = [Int64.max, .min, 0].map { pace.dueNanoseconds(of: $0) }
    #expect(dues == [1_000, 1_000, 1_000])
  }

  @Test func nobodyWaitsLongerThanAWeek() {
    for factor in [Int64(1), 10] {
      var pace = ReplayPace(factor: factor, startNanoseconds: 0)
      let times = [0, week * factor, (week + 1) * factor, .max]
      let dues = times.map { pace.dueNanoseconds(of: $0) }
      #expect(dues == [0, week, nil, nil])
    }
    var pace = ReplayPace(factor: 1, startNanoseconds: .max - 5)
    let dues = [Int64.min, 0].map { pace.dueNanoseconds(of: $0) }
    #expect(dues == [.max - 5, nil])
  }

  @Test func theStartMayBeAtTheEndOfAllTimes() {
    var pace = ReplayPace(factor: 1, startNanoseconds: .max - 5)
    let dues = [0, 10].map { pace.dueNanoseconds(of: $0) }
    #expect(dues == [.max - 5, .max])
  }
}
