// The page that `explain` prints about a rule.

import TraceExport
import TraceLifecycle
import TraceNotation
import TraceRules

extension RuleText {
  /// A page about a rule.
  static func explanation(of rule: Rule) -> String {
    var text = "\(rule.id)  \(rule.slug)  (\(rule.severity.rawValue))\n\n\(rule.summary)\n"
    for (title, paragraph) in [
      ("Why", rule.rationale), ("What happens", rule.consequence), ("What to do", rule.advice),
    ] where !paragraph.isEmpty {
      text += "\n\(title)\n\(WrappedText.lines(paragraph))"
    }
    if !rule.parameters.isEmpty {
      text += "\nLimits\n"
      for parameter in rule.parameters {
        text += "  \(parameter.name): \(value(of: parameter)) (\(parameter.basis.rawValue))\n"
      }
    }
    let reasons = rule.clauses.filter { $0.reason != nil }
    if !reasons.isEmpty {
      text += "\nReasons\n"
      for clause in reasons { text += "  \(clause.reason ?? "") (\(clause.severity.rawValue))\n" }
    }
    text += "\nApplies to\n"
    text += WrappedText.lines(
      "profiles \(rule.profiles.map(\.rawValue).joined(separator: ", "));"
        + " needs events \(rule.needs.joined(separator: ", "))")
    if !rule.sources.isEmpty {
      text += "\nSources\n"
      for source in rule.sources { text += WrappedText.lines("\(source.title), \(source.section)") }
    }
    for example in rule.examples {
      text += "\nExample, \(title(of: example.expectation)): \(example.remark)\n"
      for line in example.timeline.split(separator: "\n") { text += "    \(line)\n" }
    }
    return text
  }

  private static func title(of expectation: RuleExample.Expectation) -> String {
    switch expectation {
    case .holds: return "holds"
    case .unknown: return "can't be decided"
    case .violates(let reasons):
      let named = reasons.compactMap { $0 }
      return named.isEmpty ? "violates" : "violates (\(named.joined(separator: ", ")))"
    }
  }

  static func value(of parameter: RuleParameter) -> String {
    switch parameter.unit {
    case .nanoseconds: DurationText.text(parameter.value)
    case .count: "\(parameter.value)"
    }
  }
}
