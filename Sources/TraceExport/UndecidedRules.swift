// Counts how often rules couldn't be decided or were not checked, over all traces of a call.

import TraceRules

/// Rules of which a report says neither that they hold nor that they are broken.
struct UndecidedRules {
  private struct Counts {
    var unknown = 0
    var unknownTraces = 0
    var notEvaluatedTraces = 0
    var reasons: [String: Int] = [:]
  }

  private var rules: [String: Counts] = [:]
  private static let reasonsMax = 3

  var isEmpty: Bool { rules.isEmpty }

  mutating func add(_ trace: Judgement) {
    for (id, verdict) in trace.verdicts where verdict.unknown > 0 || verdict.notEvaluated {
      var counts = rules[id, default: Counts()]
      counts.unknown += verdict.unknown
      if verdict.unknown > 0 { counts.unknownTraces += 1 }
      if verdict.notEvaluated { counts.notEvaluatedTraces += 1 }
      for (reason, count) in verdict.unknownReasons { counts.reasons[reason, default: 0] += count }
      rules[id] = counts
    }
  }

  /// For example `2 rules undecided, 40 not checked`.
  var summary: String {
    let unknown = rules.values.count { $0.unknown > 0 }
    let notChecked = rules.values.count { $0.notEvaluatedTraces > 0 }
    func counted(_ count: Int) -> String { count == 1 ? "1 rule" : "\(count) rules" }
    if unknown == 0 { return "\(counted(notChecked)) not checked" }
    let rest = notChecked > 0 ? ", \(notChecked) not checked" : ""
    return "\(counted(unknown)) undecided\(rest)"
  }

  /// One for each rule, by id.
  var lines: [String] {
    let width = rules.keys.map(\.unicodeScalars.count).max() ?? 0
    return rules.sorted { $0.key < $1.key }.map { id, counts in
      var parts: [String] = []
      if counts.unknown > 0 {
        let times = counts.unknown == 1 ? "once" : "\(counts.unknown) times"
        parts.append("undecided \(times) in \(traces(counts.unknownTraces))\(why(counts))")
      }
      if counts.notEvaluatedTraces > 0 {
        parts.append("not checked in \(traces(counts.notEvaluatedTraces))")
      }
      let space = String(repeating: " ", count: width - id.unicodeScalars.count)
      return "\(id)\(space)  \(parts.joined(separator: "; "))"
    }
  }

  private func traces(_ count: Int) -> String { count == 1 ? "1 trace" : "\(count) traces" }

  private func why(_ counts: Counts) -> String {
    let sorted = counts.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let words = sorted.prefix(Self.reasonsMax).map {
      PrintableText.printable(UnknownReasonText.words(for: $0.key))
    }
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }
}
