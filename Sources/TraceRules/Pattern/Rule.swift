// A rule as data. One file per rule in `Rules/` makes one of these.

public import TraceLifecycle

/// A rule: what must hold, why, what happens otherwise, how to mend it, and examples.
public struct Rule: Sendable {
  /// For example `LC003`. Never reused.
  public var id: String
  /// `family/name`; the name says the fault.
  public var slug: String
  public var severity: Severity
  /// One sentence that says what must hold.
  public var summary: String
  public var rationale: String
  /// What the system does about a violation.
  public var consequence: String
  public var advice: String
  public var sources: [RuleSource]
  /// The namespaces of events without which the rule isn't evaluated.
  public var needs: [String]
  public var profiles: [Profile]
  public var parameters: [RuleParameter]
  /// The first clause that is violated for a key wins.
  public var clauses: [Clause]
  /// Whether each clause reports on its own, so that none hides another.
  public var clausesAreIndependent = false
  /// Whether findings are notes under a debugger or on the simulator, where no watchdog acts.
  public var isLoweredUnderDebugger = false
  public var examples: [RuleExample]

  public var family: String { String(slug.prefix { $0 != "/" }) }
}

/// A document behind a rule.
public struct RuleSource: Hashable, Sendable {
  public var title: String
  public var section: String

  public init(_ title: String, _ section: String) {
    self.title = title
    self.section = section
  }
}

/// A number that a rule compares with.
public struct RuleParameter: Hashable, Sendable {
  public enum Basis: String, Hashable, Sendable {
    case documented
    case toolDefault = "tool default"
  }

  public enum Unit: String, Hashable, Sendable {
    case nanoseconds
    case count
  }

  public var name: String
  public var unit: Unit
  public var value: Int64
  public var basis: Basis

  public init(_ name: String, _ unit: Unit, _ value: Int64, _ basis: Basis) {
    self.name = name
    self.unit = unit
    self.value = value
    self.basis = basis
  }
}

/// A short trace that a rule is tested and documented with.
public struct RuleExample: Hashable, Sendable {
  public enum Expectation: Hashable, Sendable {
    case holds
    /// Violated, with these reasons in order of time (nil for rules without reasons).
    case violates([String?])
    /// Not decidable from this trace.
    case unknown
  }

  public var expectation: Expectation
  /// What the example shows, in one sentence.
  public var remark: String
  /// The trace in the timeline notation; the line that makes a violation certain ends in
  /// `# here`.
  public var timeline: String

  public static func holds(_ remark: String, _ timeline: String) -> RuleExample {
    RuleExample(expectation: .holds, remark: remark, timeline: timeline)
  }

  public static func violates(
    _ remark: String, reasons: [String?] = [nil], _ timeline: String
  ) -> RuleExample {
    RuleExample(expectation: .violates(reasons), remark: remark, timeline: timeline)
  }

  public static func unknown(_ remark: String, _ timeline: String) -> RuleExample {
    RuleExample(expectation: .unknown, remark: remark, timeline: timeline)
  }
}
