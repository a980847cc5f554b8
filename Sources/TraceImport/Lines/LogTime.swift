// Times as logs print them, and the clock of a capture made of them.
// This file must not know in which column of which format a time stands.

import TraceModel

/// A time of a log line, before it is put on the capture's clock.
struct LogTime: Equatable, Sendable {
  /// Days since 1970-01-01; nil where the log prints no date.
  var day: Int64?
  /// Nanoseconds since midnight, in UTC if the line names its zone. Can be negative or above a day.
  var nanosecondsOfDay: Int64
  /// The unit of the last digit.
  var resolutionNanoseconds: Int64
  /// Whether the day is that of an assumed year, as the log prints none.
  var isYearless = false
  /// Whether the date is February 29, which the assumed year lacks: its day is that of March 1.
  var isLeapDay = false
  /// Whether the time is in UTC: the line names its zone, or counts from 1970.
  var hasZone = false
  /// The zone that the line names: seconds from UTC, east positive.
  var localOffsetSeconds: Int32?

  static let nanosecondsPerDay: Int64 = 86_400_000_000_000

  /// Reads `HH:MM:SS.fraction` and, if it follows at once, `±ZZZZ`.
  @inline(__always)
  static func clockTime(_ line: Span<UInt8>, at offset: inout Int) -> LogTime? {
    var place = offset
    guard let hour = line.digits(2, at: &place), hour < 24, line.take(Byte.colon, at: &place),
      let minute = line.digits(2, at: &place), minute < 60, line.take(Byte.colon, at: &place),
      let second = line.digits(2, at: &place), second < 61
    else { return nil }
    var nanoseconds = Int64((hour * 60 + minute) * 60 + second) * 1_000_000_000
    var unit: Int64 = 1_000_000_000
    if line.take(Byte.dot, at: &place) {
      while place < line.count, line[place] &- 48 < 10 {
        unit /= 10
        nanoseconds += Int64(line[place] &- 48) * unit
        place += 1
      }
      guard unit > 0 else { return nil }
    }
    var time = LogTime(day: nil, nanosecondsOfDay: nanoseconds, resolutionNanoseconds: unit)
    time.takeZone(line, at: &place)
    offset = place
    return time
  }

  /// Reads `±ZZZZ` or `±ZZ:ZZ` behind a time that has no zone yet.
  @inline(__always)
  mutating func takeZone(_ line: Span<UInt8>, at offset: inout Int) {
    guard !hasZone, offset < line.count,
      line[offset] == Byte.plus || line[offset] == Byte.minus
    else { return }
    let isWest = line[offset] == Byte.minus
    var place = offset + 1
    let hours = line.digits(2, at: &place)
    _ = line.take(Byte.colon, at: &place)
    guard let hours, let minutes = line.digits(2, at: &place), hours < 24, minutes < 60 else {
      return
    }
    let seconds = hours * 3600 + minutes * 60
    nanosecondsOfDay += Int64(isWest ? seconds : -seconds) * 1_000_000_000
    hasZone = true
    localOffsetSeconds = Int32(isWest ? -seconds : seconds)
    offset = place
  }

  /// Reads `YYYY-MM-DD HH:MM:SS.fraction` and, if it follows at once, `±ZZZZ`.
  @inline(__always)
  static func dateAndTime(
    _ line: Span<UInt8>, at offset: inout Int, separator: UInt8 = Byte.space
  ) -> LogTime? {
    var place = offset
    guard let year = line.digits(4, at: &place), line.take(Byte.minus, at: &place),
      let month = line.digits(2, at: &place), line.take(Byte.minus, at: &place),
      let day = line.digits(2, at: &place), line.take(separator, at: &place),
      (1...12).contains(month), (1...31).contains(day),
      var time = clockTime(line, at: &place)
    else { return nil }
    time.day = daysSince1970(year: year, month: month, day: day)
    offset = place
    return time
  }

  /// Reads `Mon DD HH:MM:SS` and, if it follows at once, a fraction. The day may be padded with a
  /// blank.
  @inline(__always)
  static func monthAndTime(_ line: Span<UInt8>, at offset: inout Int) -> LogTime? {
    var place = offset
    guard let month = month(line, at: &place) else { return nil }
    line.skip(Byte.space, at: &place)
    guard let day = line.decimal(at: &place), (1...31).contains(day),
      line.take(Byte.space, at: &place), var time = clockTime(line, at: &place)
    else { return nil }
    time.day = daysSince1970(year: assumedYear, month: month, day: Int(day))
    time.isYearless = true
    time.isLeapDay = month == 2 && day == 29
    offset = place
    return time
  }

  /// A year without a leap day: a capture that shows one says itself that its year has it.
  private static let assumedYear = 1971
  private static let months = bytes("JanFebMarAprMayJunJulAugSepOctNovDec")

  /// The number of a month's English name, which is followed by a blank.
  private static func month(_ line: Span<UInt8>, at offset: inout Int) -> Int? {
    guard offset + 3 < line.count, line[offset] &- 65 < 26, line[offset + 3] == Byte.space else {
      return nil
    }
    for month in 0..<12 {
      let name = 3 * month
      if months[name] == line[offset], months[name + 1] == line[offset + 1],
        months[name + 2] == line[offset + 2]
      {
        offset += 4
        return month + 1
      }
    }
    return nil
  }

  /// A time since 1970 in milliseconds.
  static func milliseconds(_ value: Int64) -> LogTime {
    let perDay: Int64 = 86_400_000
    let rest = value % perDay
    let isBefore = rest < 0
    return LogTime(
      day: value / perDay - (isBefore ? 1 : 0),
      nanosecondsOfDay: (isBefore ? rest + perDay : rest) * 1_000_000,
      resolutionNanoseconds: 1_000_000, hasZone: true)
  }

  /// The proleptic Gregorian calendar, counted from March so that leap days come last.
  static func daysSince1970(year: Int, month: Int, day: Int) -> Int64 {
    let yearFromMarch = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let days =
      yearFromMarch * 365 + yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
      + (monthFromMarch * 153 + 2) / 5 + day - 1
    return Int64(days - 719_468)
  }
}

/// Puts times on one line: nanoseconds since the first time of the capture.
///
/// Without dates a step back by more than half a day is a midnight that was passed, and a step
/// forwards by nearly a day a line that comes late after one. Without years it is the same with
/// steps of more than half a year. Without a zone the hour in which summer time ends comes twice,
/// and the clock may be set.
struct CaptureClock: Sendable {
  private(set) var resolutionNanoseconds: Int64?
  /// The time of the last line that had one.
  private(set) var nowNanoseconds: Int64 = 0
  /// How far the clock has come: the sum of its steps forwards, as copies of a log that stand in
  /// one capture each begin anew.
  private(set) var progressNanoseconds: Int64 = 0

  /// Days from the first line at most: a century, so that differences of times always fit 64 bits.
  private static let daysMax: Int64 = 36_525
  private static let daysOfYear: Int64 = 365
  /// March 1 of the assumed year, in days since 1970.
  private static let marchDay = LogTime.daysSince1970(year: 1971, month: 3, day: 1)
  /// Without dates: a line is late by less than what is missing to a day. Longer silence is told
  /// from it by nothing.
  private static let latenessMax: Int64 = 3_600_000_000_000
  /// So that differences of progress always fit 64 bits.
  private static let progressNanosecondsMax: Int64 = .max / 2

  /// An hour that comes twice ends and begins again within so much of the full hour.
  private static let minute: Int64 = 60_000_000_000
  private static let hour: Int64 = 60 * minute
  /// Ends of summer time in a capture: as many as a century has, as an input may repeat one.
  private static let repeatedHoursMax: Int64 = 100

  private var origin: LogTime?
  /// The time of the last line as the log prints it, from the first one on.
  private var shownNanoseconds: Int64 = 0
  /// What the clock on the wall was set back at ends of summer time.
  private var repeatedNanoseconds: Int64 = 0
  /// Other sets of the clock on the wall.
  private(set) var steps = ClockSteps()
  private var recentTimes = RecentTimes()
  /// Set for a clock that several logs share.
  private var sharedWallClock: WallAnchor?
  private var dayOffset: Int64 = 0
  /// New Years since the first line, where lines name no year, and the day of the last of them.
  private var yearOffset: Int64 = 0
  private var lastDay: Int64 = 0
  /// The year, counted as `yearOffset`, in which a line is of February 29.
  private var leapYear: Int64?
  private var lastOfDay: Int64 = 0

  init() {}

  /// The clock of several logs whose times were put on one line.
  init(wallClock: WallAnchor?, resolutionNanoseconds: Int64) {
    sharedWallClock = wallClock
    self.resolutionNanoseconds = resolutionNanoseconds
  }

  /// What the clock on the wall shows at time 0; nil before the first time, and for one that is
  /// centuries away.
  var wallClock: WallAnchor? {
    guard let origin else { return sharedWallClock }
    let (days, isTooLarge) = (origin.day ?? 0).multipliedReportingOverflow(
      by: LogTime.nanosecondsPerDay)
    let (nanoseconds, overflows) = days.addingReportingOverflow(origin.nanosecondsOfDay)
    guard !isTooLarge, !overflows else { return nil }
    var clock = WallAnchor(nanosecondsAtZero: nanoseconds)
    clock.hasZone = origin.hasZone
    clock.hasDate = origin.day != nil
    clock.hasYear = origin.day != nil && !origin.isYearless
    clock.localOffsetSeconds = origin.localOffsetSeconds
    return clock
  }

  @inline(__always)
  mutating func advance(to time: LogTime) {
    guard let origin else {
      origin = time
      lastOfDay = time.nanosecondsOfDay
      lastDay = time.day ?? 0
      if time.isLeapDay { leapYear = 0 }
      resolutionNanoseconds = time.resolutionNanoseconds
      nowNanoseconds = 0
      return
    }
    if let known = resolutionNanoseconds, time.resolutionNanoseconds > known {
      resolutionNanoseconds = time.resolutionNanoseconds
    }
    var days: Int64
    if let day = time.day, let first = origin.day {
      days = time.isYearless ? yearlessDays(day, time, from: origin) : day - first
    } else {
      let step = time.nanosecondsOfDay - lastOfDay
      if step < -LogTime.nanosecondsPerDay / 2 {
        dayOffset += 1
      } else if step > LogTime.nanosecondsPerDay - Self.latenessMax {
        dayOffset -= 1
      }
      lastOfDay = time.nanosecondsOfDay
      days = dayOffset
    }
    days = min(max(days, -Self.daysMax), Self.daysMax)
    let now = days * LogTime.nanosecondsPerDay + time.nanosecondsOfDay - origin.nanosecondsOfDay
    if !time.hasZone {
      let isOrdinary = repeatedNanoseconds == 0 && steps.isOrdinary(now - shownNanoseconds)
      if !isOrdinary { noteStep(to: now, from: origin, time.resolutionNanoseconds) }
      recentTimes.insert(now, resolutionNanoseconds: time.resolutionNanoseconds)
    }
    shownNanoseconds = now
    go(to: now + repeatedNanoseconds + steps.setBackNanoseconds)
  }

  /// Tells the end of summer time, at which the last minute of an hour is followed by the first of
  /// the same, from lines that are late and from a copy of the capture that begins anew. The same
  /// step forwards is that of a line from before it that is late.
  private mutating func noteStep(to now: Int64, from origin: LogTime, _ resolution: Int64) {
    let offset = origin.nanosecondsOfDay
    if now < shownNanoseconds, now.magnitude < UInt64(Self.minute) {
      // Another copy, in which summer time is yet to end.
      repeatedNanoseconds = 0
      steps.begin()
    } else if Self.isHour(from: now + offset, to: shownNanoseconds + offset) {
      guard repeatedNanoseconds < Self.repeatedHoursMax * Self.hour else { return }
      repeatedNanoseconds += Self.hour
    } else if repeatedNanoseconds > 0,
      Self.isHour(from: shownNanoseconds + offset, to: now + offset)
    {
      repeatedNanoseconds -= Self.hour
    } else if !steps.mayBeSetBack(now - shownNanoseconds)
      || !recentTimes.holds(now, resolutionNanoseconds: resolution)
    {
      steps.take(
        now, after: shownNanoseconds, ofHour: Self.ofHour(shownNanoseconds + offset))
    }
  }

  /// Takes note that the last line tells something, or that the capture holds it before.
  mutating func noteMessage(isRepeated: Bool) { steps.noteMessage(isRepeated: isRepeated) }

  /// Whether times are in the first and in the last minute of one hour.
  private static func isHour(from start: Int64, to end: Int64) -> Bool {
    end > start && end - start < hour && ofHour(start) < minute && ofHour(end) >= hour - minute
  }

  /// Nanoseconds since the last full hour.
  private static func ofHour(_ nanoseconds: Int64) -> Int64 {
    let rest = nanoseconds % hour
    return rest < 0 ? rest + hour : rest
  }

  /// Days from the first line to one without a year.
  private mutating func yearlessDays(_ day: Int64, _ time: LogTime, from origin: LogTime) -> Int64 {
    let step = day - lastDay
    if step < -Self.daysOfYear / 2 {
      yearOffset += 1
    } else if step > Self.daysOfYear / 2 {
      yearOffset -= 1
    }
    lastDay = day
    if time.isLeapDay { leapYear = yearOffset }
    let first = (origin.day ?? 0) + (isBehindLeapDay(origin, year: 0) ? 1 : 0)
    return day + (isBehindLeapDay(time, year: yearOffset) ? 1 : 0) - first
      + yearOffset * Self.daysOfYear
  }

  /// Whether a leap day that the capture shows lies before a date.
  private func isBehindLeapDay(_ time: LogTime, year: Int64) -> Bool {
    guard let leapYear, year >= leapYear else { return false }
    return year > leapYear || (!time.isLeapDay && (time.day ?? 0) >= Self.marchDay)
  }

  /// Goes on to a time of several logs that were put on one line.
  mutating func advance(toShared now: Int64) { go(to: now) }

  @inline(__always)
  private mutating func go(to now: Int64) {
    if now > nowNanoseconds {
      progressNanoseconds = min(
        progressNanoseconds.plus(now.minus(nowNanoseconds)), Self.progressNanosecondsMax)
    }
    nowNanoseconds = now
  }
}
