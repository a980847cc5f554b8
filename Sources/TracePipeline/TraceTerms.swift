// On which terms one trace is judged. This file must not know where they come from.

public import TraceModel
public import TraceRules

/// With which rules a trace is judged, and which of its findings don't count.
public struct TraceTerms {
  /// The rules, with what was made of them for the traces before.
  public let plans: RulePlans
  /// Says why a finding doesn't count; nil if it does. Takes the trace's id too.
  public var suppression: (Finding, _ traceID: String) -> SuppressedFinding?

  public init(
    options: CheckOptions,
    suppression: @escaping (Finding, _ traceID: String) -> SuppressedFinding? = { _, _ in nil }
  ) {
    self.init(plans: RulePlans(options), suppression: suppression)
  }

  /// Terms that share what was made of the rules with those of other traces.
  public init(
    plans: RulePlans,
    suppression: @escaping (Finding, _ traceID: String) -> SuppressedFinding? = { _, _ in nil }
  ) {
    self.plans = plans
    self.suppression = suppression
  }

  /// The options of the check.
  public var options: CheckOptions { plans.options }

  /// Makes the terms for a trace of a capture.
  public typealias Maker = (_ header: TraceHeader, _ path: String) -> TraceTerms
}
