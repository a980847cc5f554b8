// Where the clock on the wall was set while a log without time zones was written: what its times
// lose, and where nobody can tell how much time passed. This file must not know how times are
// printed.

import TraceModel

/// Sets of a clock that shows no zone, from the times that lines show one after the other.
///
/// A line that is earlier than the one before it by more than lines are late has a clock that was
/// set back: time goes on from where it was. If a line goes on with the earlier time soon, or
/// before anybody told anything, the lines between were late after all. A step forwards of an hour,
/// or half of one, at a full hour may be the beginning of summer time as well as silence: then it
/// isn't known what passed.
struct ClockSteps: Sendable {
  /// What the clock was set back by.
  private(set) var setBackNanoseconds: Int64 = 0
  /// Grows with every place at which it isn't known how much time passed.
  private(set) var count: UInt32 = 0

  /// The time since the clock was set back last, until the clock has come as far as it was.
  private struct Return: Sendable {
    var shownNanoseconds: Int64
    var nanoseconds: Int64
    var lineCount = 1
    var hasMessage = false
  }

  private var open: Return?

  private static let minute: Int64 = 60_000_000_000
  private static let hour: Int64 = 60 * minute
  /// Lines are late by less.
  private static let latenessMax: Int64 = minute
  /// A line from longer ago is that of another capture, put behind this one.
  private static let setBackMax: Int64 = 24 * hour
  /// So that times always fit 64 bits, as an input may set its clock back in every line.
  private static let sumMax: Int64 = 8_760 * hour
  /// So many lines in a row aren't late.
  private static let linesMin = 3

  /// Whether a step says nothing of a clock that is set.
  @inline(__always)
  func isOrdinary(_ step: Int64) -> Bool {
    open == nil && step >= 0 && step < Self.hour / 2
  }

  /// Whether a step back is more than a line that is late makes.
  func mayBeSetBack(_ step: Int64) -> Bool {
    step <= -Self.latenessMax && step >= -Self.setBackMax
  }

  /// Forgets all, where another copy of the capture begins.
  mutating func begin() {
    setBackNanoseconds = 0
    open = nil
  }

  /// Takes the next time. Times as they are shown; `ofHour` is the place of the one before in its
  /// hour.
  mutating func take(_ now: Int64, after shown: Int64, ofHour: Int64) {
    let step = now - shown
    if mayBeSetBack(step), setBackNanoseconds < Self.sumMax {
      setBackNanoseconds -= step
      open = Return(shownNanoseconds: shown, nanoseconds: 0 - step)
      count &+= 1
      return
    }
    guard let back = open else {
      if Self.mayBeginSummerTime(step, ofHour) { count &+= 1 }
      return
    }
    guard now >= back.shownNanoseconds else {
      open?.lineCount += 1
      return
    }
    open = nil
    // The clock has come there by itself, or goes on with the time from which it was set back.
    guard step >= back.nanoseconds - Self.latenessMax else { return }
    let isShort = back.lineCount < Self.linesMin
    // Late lines that tell nothing: no time that is told of was counted by them.
    let toldNothing = !back.hasMessage && (isShort || step <= back.nanoseconds + Self.latenessMax)
    if toldNothing { count &-= 1 } else { count &+= 1 }
    if toldNothing || isShort { setBackNanoseconds -= back.nanoseconds }
  }

  /// Takes note that the line at hand tells something. If it is the first after a step back and
  /// was there before, a part of the log stands in it twice, and no clock was set.
  mutating func noteMessage(isRepeated: Bool) {
    guard let back = open, !back.hasMessage else { return }
    guard isRepeated else {
      open?.hasMessage = true
      return
    }
    open = nil
    setBackNanoseconds -= back.nanoseconds
    count &-= 1
  }

  /// Whether a step goes from the last minute of an hour over a full or half hour that is left out.
  private static func mayBeginSummerTime(_ step: Int64, _ ofHour: Int64) -> Bool {
    guard ofHour >= hour - minute else { return false }
    let behind = step - (hour - ofHour)
    return (hour..<hour + minute).contains(behind)
      || (hour / 2..<hour / 2 + minute).contains(behind)
  }
}

/// The last times that lines showed. A line that shows one of them again to the microsecond begins
/// a part of the log that stands in it twice: no clock was set.
struct RecentTimes: Sendable {
  /// Lines that are remembered: as many as a log that is fetched in pieces may hold twice.
  private static let timesMax = 4_096
  /// Times that are looked for, as an input may step back in every line.
  private static let searchesMax = 256
  /// Times that are coarser come twice by chance.
  private static let resolutionMax: Int64 = 1_000

  private var times: [Int64] = []
  private var next = 0
  private var searchCount = 0

  @inline(__always)
  mutating func insert(_ time: Int64, resolutionNanoseconds: Int64) {
    guard resolutionNanoseconds <= Self.resolutionMax else { return }
    if times.count < Self.timesMax {
      times.append(time)
    } else {
      times[next] = time
      next = (next + 1) % Self.timesMax
    }
  }

  mutating func holds(_ time: Int64, resolutionNanoseconds: Int64) -> Bool {
    guard resolutionNanoseconds <= Self.resolutionMax, searchCount < Self.searchesMax else {
      return false
    }
    searchCount += 1
    return times.contains(time)
  }
}
