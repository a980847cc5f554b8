// The lines of text reports: keys and values. This file must not know any key.

import TraceModel

/// Splits text reports into lines and lines into keys and values.
enum ReportText {
  /// How RunningBoard begins its words for an end.
  static let context = bytes("<RBSTerminateContext|")

  /// The place of a line's first byte behind blanks and the marks of quoting.
  static func keyStart(_ text: Span<UInt8>, _ line: Range<Int>) -> Int {
    var place = line.lowerBound
    while place < line.upperBound {
      switch text[place] {
      case Byte.space, Byte.tab, Byte.closeAngle, 42, 96, Byte.bar, 34: place += 1
      default: return place
      }
    }
    return place
  }

  /// Whether a line may be one of a log: it has digits, as of a time, in front of any colon.
  static func looksLogged(_ text: Span<UInt8>, _ line: Range<Int>) -> Bool {
    for offset in line {
      switch text[offset] {
      case UInt8(ascii: ":"): return false
      case 48...57: return true
      default: break
      }
    }
    return false
  }

  /// The place of the first byte of a value behind its key, without blanks.
  static func value(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, text[start] <= Byte.space { start += 1 }
    while end > start, text[end - 1] <= Byte.space { end -= 1 }
    return start..<end
  }

  /// The number in the last pair of brackets, as in `Notes [412]`, and the text before it.
  static func nameAndPid(_ text: Span<UInt8>, _ range: Range<Int>) -> (String, Int64?) {
    var bracket = range.upperBound
    while bracket > range.lowerBound, text[bracket - 1] != Byte.openBracket { bracket -= 1 }
    guard bracket > range.lowerBound else { return (text.text(range), nil) }
    var offset = bracket
    let pid = text.decimal(at: &offset).flatMap { Int64(exactly: $0) }
    return (text.text(value(text, range.lowerBound..<bracket - 1)), pid)
  }

  /// `17 (2.3.1)` and `2.3.1 (17)` name a version and a build; the one with a dot is the version.
  static func version(_ text: String) -> String? {
    let parts = text.split { $0 == " " || $0 == "(" || $0 == ")" }
    let found = parts.first { $0.contains(".") } ?? parts.first
    return found.flatMap { $0.contains("?") ? nil : String($0) }
  }
}

/// `YYYY-MM-DD HH:MM:SS.ffff ±ZZZZ`, also without the zone.
struct ReportTime: Sendable {
  private(set) var nanoseconds: Int64
  private(set) var resolutionNanoseconds: Int64
  private(set) var hasZone: Bool
  private(set) var localOffsetSeconds: Int32?

  init?(_ text: Span<UInt8>) {
    var plain: [UInt8] = []
    var blanks = 0
    for offset in text.indices.prefix(64) {
      // The zone is set apart; log lines print it without the blank.
      if text[offset] == Byte.space {
        blanks += 1
        if blanks == 2 { continue }
      }
      plain.append(text[offset])
    }
    var offset = 0
    guard let time = LogTime.dateAndTime(plain.span, at: &offset), let day = time.day else {
      return nil
    }
    nanoseconds = 0
    resolutionNanoseconds = time.resolutionNanoseconds
    hasZone = blanks >= 2
    localOffsetSeconds = time.localOffsetSeconds
    let (whole, isTooLarge) = day.multipliedReportingOverflow(by: LogTime.nanosecondsPerDay)
    let (sum, overflows) = whole.addingReportingOverflow(time.nanosecondsOfDay)
    guard !isTooLarge, !overflows else { return nil }
    nanoseconds = sum
  }

  /// The clock of a trace that begins at this time.
  var wallClock: WallAnchor {
    var clock = WallAnchor(nanosecondsAtZero: nanoseconds)
    clock.hasZone = localOffsetSeconds != nil
    clock.localOffsetSeconds = localOffsetSeconds
    return clock
  }

  /// Nanoseconds from another time to this one; nil if it isn't before, or a century or more ago.
  func since(_ other: ReportTime) -> Int64? {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    guard !overflow, difference >= 0, difference < 36_525 * LogTime.nanosecondsPerDay else {
      return nil
    }
    return difference
  }
}
