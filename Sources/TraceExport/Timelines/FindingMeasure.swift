// What was measured for a finding and what was allowed, where the finding is about a time.

import TraceModel
import TraceRules

/// A stretch that took longer than it should have.
struct FindingMeasure: Hashable, Sendable {
  /// When the clock of the rule started.
  var startNanoseconds: Int64
  var limitNanoseconds: Int64
  var actualNanoseconds: Int64

  /// Moments of the evidence at which a measured stretch may begin or end.
  private static let momentsMax = 16

  /// The measure of a finding; nil if it is about something else, or measured on another clock.
  ///
  /// The message is what the rule says of its measure: it names the limit and what it has measured.
  /// Of the stretches between two moments of the evidence the longest one is taken that has the
  /// length that the message names; without one nothing is known of what was measured when.
  init?(_ finding: Finding, _ rule: TimelineRuleText?) {
    guard let rule,
      let limit = rule.limitsNanoseconds.first(where: {
        $0 > 0 && Self.names(finding.message, readable(nanoseconds: $0))
      })
    else { return nil }
    let limitWords = readable(nanoseconds: limit)
    let times = finding.witness.prefix(Self.momentsMax).map(\.timeNanoseconds)
    var best: (start: Int64, actual: Int64)?
    for start in times {
      for end in times + [finding.timeNanoseconds] {
        let (actual, overflow) = end.subtractingReportingOverflow(start)
        if overflow || actual <= limit || actual <= best?.actual ?? 0 { continue }
        let words = readable(nanoseconds: actual)
        // Where the limit reads the same, the message speaks of that.
        if words != limitWords, Self.names(finding.message, words) { best = (start, actual) }
      }
    }
    guard let best else { return nil }
    startNanoseconds = best.start
    limitNanoseconds = limit
    actualNanoseconds = best.actual
  }

  /// Whether a message holds a duration that is no part of another, such as `6 s` of `16 s`.
  private static func names(_ message: String, _ duration: String) -> Bool {
    let message = Array(message.utf8)
    let duration = Array(duration.utf8)
    guard message.count >= duration.count else { return false }
    return (0...(message.count - duration.count)).contains { start in
      let end = start + duration.count
      guard message[start..<end].elementsEqual(duration) else { return false }
      return !continuesBefore(message[..<start]) && !continuesAfter(message[end...])
    }
  }

  private static func continuesBefore(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let last = bytes.last else { return false }
    if isDigit(last) || last == UInt8(ascii: ".") || last == UInt8(ascii: "-") { return true }
    // `6 s` of `5 min 6 s`, and the minutes of `2 h 5 min`.
    return bytes.suffix(5).elementsEqual(" min ".utf8) || bytes.suffix(3).elementsEqual(" h ".utf8)
  }

  private static func continuesAfter(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let next = bytes.first else { return false }
    if isLetter(next) { return true }
    // `5 min` of `5 min 6 s`.
    return bytes.count > 1 && next == UInt8(ascii: " ") && isDigit(bytes[bytes.startIndex + 1])
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
