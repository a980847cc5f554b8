// What the caller of a check may choose.

public import TraceLifecycle

/// Which rules judge a trace, and with which numbers.
public struct CheckOptions: Sendable {
  public var rules: [Rule] = Catalogue.all
  /// The profile instead of the one that the header selects.
  public var profile: Profile?
  /// Values instead of the default of a rule's first parameter, by rule id, in its unit.
  public var thresholds: [String: Int64] = [:]
  /// Severities instead of a rule's own, by rule id.
  public var severities: [String: Severity] = [:]

  public init() {}
}
