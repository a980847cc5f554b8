// What the caller of a check may choose.

public import TraceLifecycle

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
  public var rules: [Rule] = Catalogue.all
  /// The profile instead of the one that the header selects.
  public var profile: Profile?
  /// Values instead of the default of a rule's parameter, in its unit: by rule id for the first
  /// one, by id and name as in `LC002.grace` for any.
  public var thresholds: [String: Int64] = [:]
  /// Severities instead of a rule's own, by rule id.
  public var severities: [String: Severity] = [:]

  public var watchdog = WatchdogAllowance.documented
  /// Whether evidence is cut down to what shows the violation on its own.
  package var minimisesWitnesses = true

  public init() {}

  /// Rules on the documented allowance, which a longer real one makes warnings.
  static let documentedAllowanceRules: Set<String> = ["LC003", "LC301"]
  /// The rule on the real allowances.
  static let realAllowanceRule = "LM14"

  /// Whether a rule judges traces of a profile.
  func applies(_ rule: Rule, to profile: Profile) -> Bool {
    rule.profiles.contains(profile)
      || (watchdog == .real && rule.id == Self.realAllowanceRule)
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
