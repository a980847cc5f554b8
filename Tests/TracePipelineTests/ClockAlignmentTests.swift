// Two clocks on one line: what captures print, what both tell, and what can't be known.

import Testing
import TraceModel

@testable import TracePipeline

struct ClockAlignmentTests {
  private static let hour: Int64 = 3_600_000_000_000
  private static let second: Int64 = 1_000_000_000
  /// 2024-05-04T08:00:00 UTC.
  private static let morning: Int64 = 1_714_809_600_000_000_000

  /// A capture that begins at a time of the wall clock, and tells things at some times.
  private func view(
    at wall: Int64, _ told: [UInt64: Int64] = [:], resolution: Int64 = 1_000,
    _ change: (inout WallAnchor) -> Void = { _ in }
  ) -> ClockView {
    var clock = WallAnchor(nanosecondsAtZero: wall)
    change(&clock)
    var view = ClockView(wallClock: clock, resolutionNanoseconds: resolution)
    view.lastNanoseconds = 60 * Self.second
    for (key, time) in told { view.marks.add(key, at: time) }
    return view
  }

  private let told: [UInt64: Int64] = [1: 0, 2: 1_000_000_000, 3: 5_000_000_000, 4: 9_000_000_000]

  private func shifted(_ told: [UInt64: Int64], by shift: Int64) -> [UInt64: Int64] {
    told.mapValues { $0 + shift }
  }

  @Test func datesWithZonesNeedNothingElse() throws {
    let offset = try ClockAlignment.offset(
      of: view(at: Self.morning + Self.hour), to: view(at: Self.morning))
    #expect(offset.nanoseconds == Self.hour)
    #expect(offset.note.isEmpty)
  }

  @Test func aZoneIsThatWithWhichSharedEventsAgree() throws {
    let local = view(at: Self.morning + 5 * Self.hour + Self.hour / 2, told) { $0.hasZone = false }
    let offset = try ClockAlignment.offset(of: local, to: view(at: Self.morning, told))
    #expect(offset.nanoseconds == 0)
    #expect(offset.note.hasPrefix("its times name no time zone"))
    let back = try ClockAlignment.offset(
      of: view(at: Self.morning, told), to: local, named: "device.log")
    #expect(back.nanoseconds == 0)
    #expect(back.note.hasPrefix("the times of device.log name no time zone"))
  }

  @Test func aShiftThatNobodyCouldSeeIsNotTold() throws {
    for (shift, isTold) in [(Int64(400_000), false), (400_000_000, true)] {
      let offset = try ClockAlignment.offset(
        of: view(at: Self.morning, told), to: view(at: Self.morning, shifted(told, by: shift)))
      #expect(offset.nanoseconds == shift)
      #expect(offset.note.contains("shifted") == isTold)
    }
  }

  @Test func withoutSharedEventsTheOthersZoneIsTaken() throws {
    let local = view(at: Self.morning - 9 * Self.hour) { $0.hasZone = false }
    let zoned = view(at: Self.morning) { $0.localOffsetSeconds = -9 * 3600 }
    #expect(try ClockAlignment.offset(of: local, to: zoned).nanoseconds == 0)
    let named = try ClockAlignment.offset(of: zoned, to: local, named: "device.log")
    #expect(named.nanoseconds == 0)
    #expect(named.note.hasPrefix("the times of device.log, which name no time zone, are taken"))
    #expect(throws: ClockRefusal.self) {
      try ClockAlignment.offset(of: local, to: view(at: Self.morning))
    }
  }

  @Test func aYearIsTheOtherCapturesOrItsNeighbour() throws {
    // New Year: 2023-12-31T23:59:50 without its year, and 2024-01-01T00:00:10.
    let old = view(
      at: 364 * 24 * Self.hour + 365 * 24 * Self.hour + 24 * Self.hour - 10 * Self.second
    ) {
      $0.hasYear = false
    }
    let new = view(at: 1_704_067_210 * Self.second)
    #expect(try ClockAlignment.offset(of: old, to: new).nanoseconds == -20 * Self.second)
    #expect(try ClockAlignment.offset(of: new, to: old).nanoseconds == 20 * Self.second)
  }

  @Test func aDayIsTheNearest() throws {
    // Ten to midnight without a date, and ten past it on the next day.
    let evening = view(at: 24 * Self.hour - 600 * Self.second) { clock in
      clock.hasDate = false
      clock.hasYear = false
    }
    let night = view(at: Self.morning - 8 * Self.hour + 600 * Self.second)
    #expect(try ClockAlignment.offset(of: evening, to: night).nanoseconds == -1_200 * Self.second)
  }

  @Test func threeSharedEventsShowHowFarClocksAreApart() throws {
    for skew in [350_000_000, -120_000_000, 4_900_000_000] as [Int64] {
      let offset = try ClockAlignment.offset(
        of: view(at: Self.morning, shifted(told, by: skew)), to: view(at: Self.morning, told))
      #expect(offset.nanoseconds == -skew)
      #expect(offset.sharedCount == 4)
    }
    let few = told.filter { $0.key < 3 }
    let offset = try ClockAlignment.offset(
      of: view(at: Self.morning, shifted(few, by: 350_000_000)), to: view(at: Self.morning, few))
    #expect(offset.nanoseconds == 0)
  }

  @Test func eventsThatDisagreeShiftNothing() throws {
    let other: [UInt64: Int64] = [
      1: 300_000_000, 2: 2_100_000_000, 3: 4_000_000_000, 4: 12_000_000_000,
    ]
    let offset = try ClockAlignment.offset(
      of: view(at: Self.morning, other), to: view(at: Self.morning, told))
    #expect(offset.nanoseconds == 0)
  }

  @Test func aLastDigitIsNoDifference() throws {
    let coarse = told.mapValues { $0 / Self.second * Self.second - 400_000_000 }
    let offset = try ClockAlignment.offset(
      of: view(at: Self.morning, coarse, resolution: Self.second), to: view(at: Self.morning, told))
    #expect(offset.nanoseconds == 0)
  }

  @Test func aCaptureWithoutTimesIsRefused() {
    #expect(throws: ClockRefusal.self) {
      try ClockAlignment.offset(of: ClockView(), to: view(at: Self.morning))
    }
  }

  @Test(arguments: [Int64.min, .max, 0])
  func timesAtTheEndsOfTheRangeTrapNowhere(_ extreme: Int64) throws {
    var odd = view(at: extreme, [1: extreme, 2: extreme, 3: extreme])
    odd.firstNanoseconds = .min
    odd.lastNanoseconds = .max
    odd.endNanoseconds = [extreme]
    var other = view(at: Self.morning, told) { $0.hasYear = false }
    other.endNanoseconds = [.min, .max]
    for (a, b) in [(odd, other), (other, odd), (odd, odd)] {
      _ = try? ClockAlignment.offset(of: a, to: b)
    }
    odd.wallClock?.hasDate = false
    odd.wallClock?.hasZone = false
    for (a, b) in [(odd, other), (other, odd), (odd, odd)] {
      _ = try? ClockAlignment.offset(of: a, to: b)
    }
  }
}
