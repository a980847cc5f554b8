// How the findings of a call compare with those that a baseline knows, as reports tell it.
// This file must not know how a baseline is stored.

/// What a baseline holds and the call didn't find.
public struct GateSummary: Hashable, Sendable {
  /// A finding that isn't there any more.
  public struct Fixed: Hashable, Sendable {
    public var app: String
    public var rule: String
    public var subject: String
    public var fingerprint: String

    public init(app: String, rule: String, subject: String, fingerprint: String) {
      self.app = app
      self.rule = rule
      self.subject = subject
      self.fingerprint = fingerprint
    }
  }

  /// Rules that only some traces of an app allowed to evaluate.
  public struct Partial: Hashable, Sendable {
    public var app: String
    /// How many rules of the baseline's these are.
    public var ruleCount: Int
    /// The traces in which the least evaluated of them was.
    public var evaluatedCount: Int
    public var traceCount: Int

    public init(app: String, ruleCount: Int, evaluatedCount: Int, traceCount: Int) {
      self.app = app
      self.ruleCount = ruleCount
      self.evaluatedCount = evaluatedCount
      self.traceCount = traceCount
    }

    /// `1 of 3 traces shows all that 12 rules of the baseline need`.
    public var words: String {
      let verb = evaluatedCount == 1 ? "shows" : "show"
      let rules =
        ruleCount == 1
        ? "1 rule of the baseline needs" : "\(ruleCount) rules of the baseline need"
      return "only \(evaluatedCount) of \(traceCount) traces \(verb) all that \(rules)"
    }
  }

  /// What a gate says to a build.
  public enum Verdict: String, Hashable, Sendable {
    case passed, failed
    /// Findings may be missing.
    case undecided = "undecided, as captures are damaged or unreadable"
  }

  /// The baseline's path.
  public var path: String
  /// Nil for a check, which only compares.
  public var verdict: Verdict?
  /// Findings that the baseline doesn't know.
  public var newCount = 0
  /// Findings that the baseline knows.
  public var unchangedCount = 0
  /// Entries without a finding, sorted as in the baseline.
  public var fixed: [Fixed] = []
  /// Entries without a finding whose rules couldn't be evaluated: nothing is known of them.
  public var undecidableCount = 0
  /// Coverage that some traces have and others don't, sorted by app: what is lost in one is hidden
  /// by another, unless somebody looks.
  public var partial: [Partial] = []

  public init(path: String) { self.path = path }

  /// `1 new, 0 fixed, 3 unchanged`.
  public var counts: String {
    let rest = undecidableCount > 0 ? ", \(undecidableCount) no longer evaluated" : ""
    return "\(newCount) new, \(fixed.count) fixed, \(unchangedCount) unchanged\(rest)"
  }
}
