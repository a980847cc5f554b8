// What the caller of a check may choose.

public import TraceLifecycle
import TraceModel

/// Which allowance of the system's watchdogs decides what is an error.
public enum WatchdogAllowance: String, CaseIterable, Hashable, Sendable {
  /// Five seconds, as the guides say.
  case documented
  /// What kills were seen after: the rule on real allowances applies in every profile, and five
  /// seconds are a warning.
  case real
}

/// Which rules judge a trace, and with which numbers.
public struct CheckOptions: Sendable {
  public var rules: [Rule]
  /// Rules that a rule about counted ends asks for findings, also where nobody asked for theirs.
  public var explainers: [Rule]
  /// The profile instead of the one that the header selects.
  public var profile: Profile?
  /// Values instead of the default of a rule's parameter, in its unit: by rule id for the first
  /// one, by id and name as in `RULE.grace` for any.
  public var thresholds: [String: Int64] = [:]
  /// Severities instead of a rule's own, by rule id.
  public var severities: [String: Severity] = [:]

  public var watchdog = WatchdogAllowance.documented
  /// Whether evidence is cut down to what shows the violation on its own.
  package var minimisesWitnesses = true
  /// Whether the events are the evidence of a finding, and others lay between them.
  package var isExcerpt = false

  /// - Parameters:
  ///   - rules: The rules whose findings are reported.
  ///   - explainers: The rules that may explain counted ends; of `rules`, if nothing else is said.
  public init(rules: [Rule], explainers: [Rule]? = nil) {
    self.rules = rules
    self.explainers = explainers ?? rules
  }

  /// Whether a rule judges traces of a profile.
  func applies(_ rule: Rule, to profile: Profile) -> Bool {
    rule.profiles.contains(profile) || (watchdog == .real && rule.allowance == .real)
  }

  /// What a parameter of a rule stands for.
  public func value(of parameter: RuleParameter, in rule: Rule) -> Int64 {
    // Names needn't be made to find nothing.
    if thresholds.isEmpty { return parameter.value }
    if let value = thresholds["\(rule.id).\(parameter.name)"] { return value }
    let isFirst = rule.parameters.first?.name == parameter.name
    return (isFirst ? thresholds[rule.id] : nil) ?? parameter.value
  }
}
