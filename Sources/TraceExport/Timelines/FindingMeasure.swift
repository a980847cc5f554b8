// What was measured for a finding and what was allowed, where the finding is about a time.

import TraceRules

/// A stretch that took longer than it should have.
struct FindingMeasure: Hashable, Sendable {
  /// When the clock of the rule started.
  var startNanoseconds: Int64
  var limitNanoseconds: Int64
  var actualNanoseconds: Int64

  /// The measure of a finding; nil if it is about something else.
  ///
  /// The message names the limit where a rule compares with one: a limit that it doesn't name had
  /// no part in this finding.
  init?(_ finding: Finding, _ rule: TimelineRuleText?) {
    guard let rule,
      let open = finding.witness.first(where: { ["open", "begun"].contains($0.role) }),
      let limit = rule.limitsNanoseconds.first(where: {
        finding.message.contains(readable(nanoseconds: $0))
      })
    else { return nil }
    let times = finding.witness.map(\.timeNanoseconds) + [finding.timeNanoseconds]
    let (actual, overflow) = (times.max() ?? 0)
      .subtractingReportingOverflow(open.timeNanoseconds)
    guard !overflow, limit > 0, actual > limit else { return nil }
    startNanoseconds = open.timeNanoseconds
    limitNanoseconds = limit
    actualNanoseconds = actual
  }
}
