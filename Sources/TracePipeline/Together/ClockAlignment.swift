// Brings the times of two captures onto one clock: by the dates and zones that they print, and by
// what both tell. This file must not know what is told.

import TraceModel

/// What of a capture its clock can be compared by.
struct ClockView: Sendable {
  var wallClock: WallAnchor?
  var resolutionNanoseconds: Int64 = 1
  /// The times of the first and the last thing told.
  var firstNanoseconds: Int64 = 0
  var lastNanoseconds: Int64 = 0
  /// When each thing was told, for things that another capture may tell in the same words.
  var marks = ClockMarks()
  /// When processes ended. Reports are written a little later than logs.
  var endNanoseconds: [Int64] = []

  var middleNanoseconds: Int64 { firstNanoseconds / 2 + lastNanoseconds / 2 }
}

/// Times by what happened, as far as it is remembered.
struct ClockMarks: Sendable {
  private(set) var times: [UInt64: [Int64]] = [:]
  private var count = 0

  /// Things that are remembered: far more than are needed to compare two clocks.
  static let marksMax = 65_536

  mutating func add(_ key: UInt64, at time: Int64) {
    guard count < Self.marksMax else { return }
    count += 1
    times[key, default: []].append(time)
  }
}

/// What to add to the times of one capture to have those of another.
struct ClockOffset: Hashable, Sendable {
  var nanoseconds: Int64 = 0
  /// How far off that may be.
  var uncertaintyNanoseconds: Int64 = 0
  /// Things that both tell and that agree.
  var sharedCount = 0
  /// What was assumed, or found, that a reader should know; empty if nothing.
  var note = ""
}

/// Why two clocks can't be compared.
struct ClockRefusal: Error {
  var reason: String
}

enum ClockAlignment {
  /// Zones are whole quarters of an hour, up to 14 hours from UTC.
  private static let quarterNanoseconds: Int64 = 900_000_000_000
  private static let quartersMax: Int64 = 56
  private static let dayNanoseconds: Int64 = 86_400_000_000_000
  /// How far two clocks that show the same zone may be apart.
  private static let skewNanosecondsMax: Int64 = 5_000_000_000
  /// How much later than the log's line a report of an end may be stamped.
  private static let reportNanosecondsMax: Int64 = 10_000_000_000
  /// Things that agree before a difference is taken for that of the clocks.
  private static let sharedMin = 3
  /// Within how much things agree, beside the last digits.
  private static let spreadNanoseconds: Int64 = 20_000_000
  /// How far apart captures without dates may lie.
  private static let gapNanosecondsMax: Int64 = 12 * 3_600_000_000_000

  /// Compares two clocks.
  ///
  /// Where both print date and zone these decide, and things that both tell only show by how much
  /// the clocks are apart. Where a date, a year or a zone is missing, it is the one with which
  /// most of what both tell agrees; without such things the zone is that which the other prints,
  /// as both captures are of one device, and the day is the nearest.
  ///
  /// - Parameter name: What the reference is called in the note.
  static func offset(
    of other: ClockView, to reference: ClockView, named name: String = "the other"
  ) throws(ClockRefusal) -> ClockOffset {
    guard let mine = other.wallClock else {
      throw ClockRefusal(reason: "its lines have no times")
    }
    guard let theirs = reference.wallClock else {
      throw ClockRefusal(reason: "the lines of the other have no times")
    }
    let candidates = Candidates(mine, other, theirs, reference)
    let differences = differences(other.marks, reference.marks)
    var ends: [Int64] = []
    // A few ends each; of more than that only the first ones vote.
    for mine in other.endNanoseconds.prefix(64) {
      for theirs in reference.endNanoseconds.prefix(64) { ends.append(theirs.minus(mine)) }
    }
    let chosen: Int64
    var note = ""
    if let voted = candidates.voted(differences, within: skewNanosecondsMax)
      ?? candidates.voted(ends, within: reportNanosecondsMax)
    {
      chosen = voted
      if mine.hasZone != theirs.hasZone {
        note =
          (mine.hasZone ? "the times of \(name)" : "its times")
          + " name no time zone; the zone is the one with which shared events agree"
      } else if candidates.isUnusual(voted) {
        note = "its clock differs by whole quarters of an hour, as shared events show"
      }
    } else {
      guard let preferred = candidates.preferred else {
        throw ClockRefusal(
          reason: "its times name no time zone, and nothing that it tells is told by the other too")
      }
      chosen = preferred
      let gap = gap(other, reference, preferred)
      if !mine.hasDate || !theirs.hasDate, gap > gapNanosecondsMax {
        throw ClockRefusal(reason: "its times have no date, and no day puts it near the other")
      }
      if mine.hasZone != theirs.hasZone {
        note =
          mine.hasZone
          ? "the times of \(name), which name no time zone, are taken for times of its zone"
          : "its times, which name no time zone, are taken for times of the zone of \(name)"
      }
    }
    var result = ClockOffset(nanoseconds: chosen, note: note)
    correct(&result, differences, other, reference)
    return result
  }

  /// Adds by how much the clocks are apart, if enough of what both tell shows it.
  private static func correct(
    _ result: inout ClockOffset, _ differences: [Int64], _ other: ClockView,
    _ reference: ClockView
  ) {
    let near = differences.map { $0.minus(result.nanoseconds) }
      .filter { $0.magnitude <= skewNanosecondsMax.magnitude }.sorted()
    let resolution = max(1, other.resolutionNanoseconds, reference.resolutionNanoseconds)
    result.uncertaintyNanoseconds = 0
    guard near.count >= sharedMin else { return }
    let width = resolution.plus(resolution).plus(spreadNanoseconds)
    // The window with most of the differences.
    var best = 0..<0
    var start = 0
    for end in near.indices {
      while near[end].minus(near[start]) > width { start += 1 }
      if end + 1 - start > best.count { best = start..<end + 1 }
    }
    guard best.count >= sharedMin, best.count * 2 > near.count else { return }
    let median = near[best.lowerBound + best.count / 2]
    result.sharedCount = best.count
    // Times are cut off after the last digit.
    guard median.magnitude > resolution.magnitude else { return }
    result.nanoseconds = result.nanoseconds.plus(median)
    result.uncertaintyNanoseconds = max(
      near[best.upperBound - 1].minus(median), median.minus(near[best.lowerBound]))
    // Less is nothing that anybody could see.
    let milliseconds = median / 1_000_000
    guard milliseconds != 0 else { return }
    let shift = "its clock is shifted by \(milliseconds) ms, as \(best.count) shared events show"
    result.note = result.note.isEmpty ? shift : result.note + "; " + shift
  }

  /// Differences of the times of everything that both tell equally often.
  private static func differences(_ other: ClockMarks, _ reference: ClockMarks) -> [Int64] {
    var found: [Int64] = []
    for (key, mine) in other.times {
      guard let theirs = reference.times[key], theirs.count == mine.count else { continue }
      for index in mine.indices { found.append(theirs[index].minus(mine[index])) }
    }
    return found.sorted()
  }

  /// How far two captures lie apart; 0 if they overlap.
  static func gap(_ other: ClockView, _ reference: ClockView, _ offset: Int64) -> Int64 {
    max(
      0, other.firstNanoseconds.plus(offset).minus(reference.lastNanoseconds),
      reference.firstNanoseconds.minus(other.lastNanoseconds.plus(offset)))
  }

  /// The offsets that what two captures print allows.
  private struct Candidates {
    private var offsets: [Int64] = []
    private var usual: Set<Int64> = []
    /// The usual one that brings the captures nearest; nil if no zone is likelier than another.
    private(set) var preferred: Int64?

    init(_ mine: WallAnchor, _ other: ClockView, _ theirs: WallAnchor, _ reference: ClockView) {
      let base = mine.nanosecondsAtZero.minus(theirs.nanosecondsAtZero)
      let days = Self.dayShifts(mine, other, theirs, reference, base)
      var zones: [Int64] = [0]
      var usualZone: Int64? = 0
      if !mine.hasZone || !theirs.hasZone {
        zones = (-quartersMax...quartersMax).map { $0 * quarterNanoseconds }
      }
      if mine.hasZone != theirs.hasZone {
        let printed = mine.hasZone ? mine.localOffsetSeconds : theirs.localOffsetSeconds
        usualZone = printed.map {
          (mine.hasZone ? Int64($0) : -Int64($0)) * 1_000_000_000
        }
        if let usualZone, !zones.contains(usualZone) { zones.append(usualZone) }
      }
      for day in days {
        for zone in zones { offsets.append(base.plus(day).plus(zone)) }
        if let usualZone { usual.insert(base.plus(day).plus(usualZone)) }
      }
      offsets = Set(offsets).sorted()
      preferred = usual.sorted().min { a, b in
        let (gapA, gapB) = (gap(other, reference, a), gap(other, reference, b))
        if gapA != gapB { return gapA < gapB }
        return Self.distance(other, reference, a) < Self.distance(other, reference, b)
      }
    }

    private static func distance(
      _ other: ClockView, _ reference: ClockView, _ offset: Int64
    ) -> UInt64 {
      other.middleNanoseconds.plus(offset).minus(reference.middleNanoseconds).magnitude
    }

    func isUnusual(_ offset: Int64) -> Bool { !usual.contains(offset) }

    /// The offset with which most differences agree; nil if none does, or two do as well.
    func voted(_ differences: [Int64], within tolerance: Int64) -> Int64? {
      var votes: [Int64: Int] = [:]
      for difference in differences {
        guard let nearest = nearest(to: difference),
          nearest.minus(difference).magnitude <= tolerance.magnitude
        else { continue }
        votes[nearest, default: 0] += 1
      }
      guard let most = votes.values.max() else { return nil }
      // What is usual goes first: only clear evidence speaks against it.
      if let preferred, let count = votes[preferred], count * 2 >= most { return preferred }
      let best = votes.filter { $0.value == most }.keys.sorted()
      guard best.count == 1, let only = best.first else { return nil }
      let second = votes.filter { $0.key != only }.values.max() ?? 0
      if preferred != nil, isUnusual(only), most < sharedMin { return nil }
      return most >= 2 * second ? only : nil
    }

    private func nearest(to difference: Int64) -> Int64? {
      var low = 0
      var high = offsets.count
      while low < high {
        let middle = (low + high) / 2
        if offsets[middle] < difference { low = middle + 1 } else { high = middle }
      }
      var best: Int64?
      for place in [low - 1, low] where offsets.indices.contains(place) {
        let distance = offsets[place].minus(difference).magnitude
        if best == nil || distance < best?.minus(difference).magnitude ?? .max {
          best = offsets[place]
        }
      }
      return best
    }

    /// Days to add where a date or a year is missing: those around the other capture.
    private static func dayShifts(
      _ mine: WallAnchor, _ other: ClockView, _ theirs: WallAnchor, _ reference: ClockView,
      _ base: Int64
    ) -> [Int64] {
      if !mine.hasDate || !theirs.hasDate {
        let away = reference.middleNanoseconds.minus(other.middleNanoseconds.plus(base))
        let days = away / dayNanoseconds
        return (Int64(-1)...1).compactMap { step in
          let (shift, overflow) = (days + step).multipliedReportingOverflow(by: dayNanoseconds)
          return overflow ? nil : shift
        }
      }
      if mine.hasYear == theirs.hasYear {
        let year = 365 * dayNanoseconds
        return mine.hasYear ? [0] : [0, year, -year]
      }
      let yearless = mine.hasYear ? theirs : mine
      let dated = mine.hasYear ? mine : theirs
      let year = CivilDate(nanoseconds: dated.nanosecondsAtZero).year
      let date = CivilDate(nanoseconds: yearless.nanosecondsAtZero)
      return (Int64(-1)...1).compactMap { step in
        let days = CivilDate(year: year + step, month: date.month, day: date.day).days - date.days
        let (shift, overflow) = (mine.hasYear ? -days : days)
          .multipliedReportingOverflow(by: dayNanoseconds)
        return overflow ? nil : shift
      }
    }
  }
}

/// A date of the Gregorian calendar.
private struct CivilDate {
  var year: Int64
  var month: Int64
  var day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date of a time since 1970. Years count from March, so that leap days come last.
  init(nanoseconds: Int64) {
    let perDay: Int64 = 86_400_000_000_000
    let days = nanoseconds / perDay - (nanoseconds % perDay < 0 ? 1 : 0) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let ofEra = days - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * ofYear + 2) / 153
    day = ofYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  var days: Int64 {
    let yearFromMarch = month > 2 ? year : year - 1
    let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
    let ofEra = yearFromMarch - era * 400
    let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
