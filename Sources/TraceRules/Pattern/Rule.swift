// A rule as data. One file per rule in `Rules/` makes one of these.

public import TraceLifecycle
import TraceModel

/// A rule: what must hold, why, what happens otherwise, how to mend it, and examples.
public struct Rule: Sendable {
  /// Two letters and a number, or a user's own. Never reused.
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
  /// What the conditions of the clauses may ask for.
  public var facts: [Fact] = []
  /// The first clause that is violated for a key wins.
  public var clauses: [Clause]
  /// Whether each clause reports on its own, so that none hides another.
  public var clausesAreIndependent = false
  /// Whether findings are notes under a debugger or on the simulator, where no watchdog acts.
  public var isLoweredUnderDebugger = false
  /// Whether findings are notes where the system, and with it the profile, is only assumed.
  public var isLoweredWhereSystemIsAssumed = false
  /// Which of the watchdog's two allowances the rule is about; nil for other rules.
  public var allowance: WatchdogAllowance?
  /// Ends of the process that a finding of the rule explains, by the ids of ``Terminations``.
  public var explains: [String] = []
  /// More specific rules whose finding replaces this rule's.
  public var yields: [Yield] = []
  /// Words to find the rule by, for users' rules.
  public var tags: [String] = []
  /// Keys that are followed at once; nil: as many as the engine has room for.
  public var keysMax: Int?
  /// Made when they are asked for: judging asks for none, and those of all built-in rules are many.
  public var examples: [RuleExample] {
    get { makeExamples() }
    set { makeExamples = { newValue } }
  }
  private var makeExamples: @Sendable () -> [RuleExample]

  public init(
    id: String, slug: String, severity: Severity, summary: String, rationale: String,
    consequence: String, advice: String, sources: [RuleSource], needs: [String],
    profiles: [Profile], parameters: [RuleParameter], facts: [Fact] = [], clauses: [Clause],
    clausesAreIndependent: Bool = false, isLoweredUnderDebugger: Bool = false,
    isLoweredWhereSystemIsAssumed: Bool = false, allowance: WatchdogAllowance? = nil,
    explains: [String] = [], yields: [Yield] = [], tags: [String] = [], keysMax: Int? = nil,
    examples: @autoclosure @escaping @Sendable () -> [RuleExample]
  ) {
    self.id = id
    self.slug = slug
    self.severity = severity
    self.summary = summary
    self.rationale = rationale
    self.consequence = consequence
    self.advice = advice
    self.sources = sources
    self.needs = needs
    self.profiles = profiles
    self.parameters = parameters
    self.facts = facts
    self.clauses = clauses
    self.clausesAreIndependent = clausesAreIndependent
    self.isLoweredUnderDebugger = isLoweredUnderDebugger
    self.isLoweredWhereSystemIsAssumed = isLoweredWhereSystemIsAssumed
    self.allowance = allowance
    self.explains = explains
    self.yields = yields
    self.tags = tags
    self.keysMax = keysMax
    makeExamples = examples
  }

  public var family: String {
    String(slug[..<(slug.utf8.firstIndex(of: UInt8(ascii: "/")) ?? slug.endIndex)])
  }

  /// Whether a clause asks the header of a trace, which needs no event.
  package var isOfHeader: Bool {
    clauses.contains { clause in
      if case .header = clause.pattern { true } else { false }
    }
  }
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

/// A more specific rule, and for what its finding replaces that of the general one. Of a finding
/// that counts several violations only those are replaced that the specific rule reports, too.
public struct Yield: Hashable, Sendable {
  public enum Sameness: String, CaseIterable, Hashable, Sendable {
    /// The same offending event, or the same opening event.
    case event
    /// The same key in the same launch: a token, a completion.
    case key
    /// The same stretch in the background.
    case background
    case launch
  }

  public var rule: String
  public var sameness: Sameness
  /// A finding that is milder replaces nothing.
  public var unlessMilder: Bool

  public init(to rule: String, same sameness: Sameness, unlessMilder: Bool = false) {
    self.rule = rule
    self.sameness = sameness
    self.unlessMilder = unlessMilder
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
    case bytes
    case percent
    /// Frames per second.
    case framesPerSecond
    /// Seconds, for values that are compared with an argument in seconds.
    case seconds
  }

  public var name: String
  public var unit: Unit
  public var value: Int64
  public var basis: Basis
  /// The measured duration that it is the limit of, for graphs and alerts; nil if of none.
  public var limits: LifeDuration?

  public init(
    _ name: String, _ unit: Unit, _ value: Int64, _ basis: Basis, limits: LifeDuration? = nil
  ) {
    self.limits = limits
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
  /// The severities of the findings, in order of time; nil: those of the clauses.
  public var severities: [Severity]?

  public init(
    expectation: Expectation, remark: String, timeline: String, severities: [Severity]? = nil
  ) {
    self.expectation = expectation
    self.remark = remark
    self.timeline = timeline
    self.severities = severities
  }

  public static func holds(_ remark: String, _ timeline: String) -> RuleExample {
    RuleExample(expectation: .holds, remark: remark, timeline: timeline)
  }

  public static func violates(
    _ remark: String, reasons: [String?] = [nil], severities: [Severity]? = nil,
    _ timeline: String
  ) -> RuleExample {
    RuleExample(
      expectation: .violates(reasons), remark: remark, timeline: timeline, severities: severities)
  }

  public static func unknown(_ remark: String, _ timeline: String) -> RuleExample {
    RuleExample(expectation: .unknown, remark: remark, timeline: timeline)
  }
}

extension RuleParameter.Unit {
  /// A value of this unit for people.
  public func readable(_ value: Int64) -> String {
    switch self {
    case .nanoseconds: TraceRules.readable(nanoseconds: value)
    case .count: "\(value)"
    case .bytes: value % 1_048_576 == 0 ? "\(value / 1_048_576) MiB" : "\(value) bytes"
    case .percent: "\(value) %"
    case .framesPerSecond: "\(value) frames/s"
    case .seconds: "\(value) s"
    }
  }
}

extension Rule {
  /// Whether times of the rule run while the app is suspended. A clock that stands still while the
  /// device sleeps can't measure them.
  public var measuresSuspensions: Bool {
    clauses.contains { clause in
      guard case .expect(let expect) = clause.pattern else { return false }
      return expect.due.contains {
        guard case .within(let time) = $0 else { return false }
        return time.clock == .continuous && time.states?.contains(.suspended) == true
      }
    }
  }
}
