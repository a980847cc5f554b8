// How the findings of a call compare with those that a baseline knows, as reports tell it.
// This file must not know how a baseline is stored.

public import TraceRules

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

  /// A finding that is still there, and milder than the baseline has it.
  public struct Milder: Hashable, Sendable {
    public var app: String
    public var rule: String
    public var subject: String
    public var fingerprint: String
    public var before: Severity
    public var now: Severity

    public init(
      app: String, rule: String, subject: String, fingerprint: String, before: Severity,
      now: Severity
    ) {
      self.app = app
      self.rule = rule
      self.subject = subject
      self.fingerprint = fingerprint
      self.before = before
      self.now = now
    }

    /// `RULE delegate.did_enter_background: note, and error in the baseline`.
    public var words: String {
      "\(rule) \(subject): \(now.rawValue), and \(before.rawValue) in the baseline"
    }
  }

  /// Rules that fewer traces of an app allow to evaluate than those of the baseline did.
  public struct Partial: Hashable, Sendable {
    public var app: String
    /// The rule that is evaluated least.
    public var rule: String
    /// The traces in which it was evaluated, of so many.
    public var evaluatedCount: Int
    public var traceCount: Int
    /// In how many of the baseline's traces it was evaluated; nil if the baseline doesn't say.
    public var before: String?
    /// How many more rules there are.
    public var otherRuleCount: Int

    public init(
      app: String, rule: String, evaluatedCount: Int, traceCount: Int, before: String?,
      otherRuleCount: Int
    ) {
      self.app = app
      self.rule = rule
      self.evaluatedCount = evaluatedCount
      self.traceCount = traceCount
      self.before = before
      self.otherRuleCount = otherRuleCount
    }

    /// The app, as it is shown.
    public var appName: String { app.isEmpty ? "apps without a name" : app }

    /// `RULE is evaluated in only 1 of 3 traces, and was in all of the baseline's; 11 more rules
    /// aren't evaluated in all`.
    public var words: String {
      var words = "\(rule) is evaluated in only \(evaluatedCount) of \(traceCount) traces"
      if let before { words += ", and was in \(before) of the baseline's" }
      if otherRuleCount == 0 { return words }
      let others = otherRuleCount == 1 ? "1 more rule isn't" : "\(otherRuleCount) more rules aren't"
      return "\(words); \(others) evaluated in all"
    }
  }

  /// What a gate says to a build.
  public enum Verdict: String, Hashable, Sendable {
    case passed, failed
    /// Findings may be missing.
    case undecided = "undecided, as captures are damaged or unreadable"
    /// There is nothing to find them in.
    case empty = "undecided, as there are no captures"
  }

  /// The baseline's path.
  public var path: String
  /// Nil for a check, which only compares.
  public var verdict: Verdict?
  /// Findings that the baseline doesn't know.
  public var newCount = 0
  /// Findings that the baseline knows as milder ones.
  public var graverCount = 0
  /// Findings that the baseline knows.
  public var unchangedCount = 0
  /// Entries without a finding, sorted as in the baseline.
  public var fixed: [Fixed] = []
  /// Entries without a finding whose rules couldn't be evaluated: nothing is known of them.
  public var undecidableCount = 0
  /// Findings that are milder than the baseline has them, sorted as there: it still lets them
  /// become as grave again.
  public var milder: [Milder] = []
  /// Coverage that was lost in a part of the traces, sorted by app: the others hide it, unless
  /// somebody looks.
  public var partial: [Partial] = []

  public init(path: String) { self.path = path }

  /// `1 new, 0 fixed, 3 unchanged`; what isn't usual is said only if there is some.
  public var counts: String {
    let rest = undecidableCount > 0 ? ", \(undecidableCount) no longer evaluated" : ""
    let graver = graverCount > 0 ? ", \(graverCount) graver" : ""
    return "\(newCount) new\(graver), \(fixed.count) fixed, \(unchangedCount) unchanged\(rest)"
  }
}
