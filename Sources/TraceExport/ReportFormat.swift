// What a report format is: a name, and a writer that takes captures one at a time. Each format is
// a value in a file of its own.

public import TraceLifecycle
import TraceModel
public import TraceRules

/// A form that findings can be reported in.
public struct ReportFormat: Sendable {
  /// The name for `--report`, for example `json`.
  public let name: String
  public let mediaType: String
  public let makeWriter: @Sendable (ReportContext) -> any ReportWriter

  public init(
    name: String, mediaType: String,
    makeWriter: @escaping @Sendable (ReportContext) -> any ReportWriter
  ) {
    self.name = name
    self.mediaType = mediaType
    self.makeWriter = makeWriter
  }

  /// Every format, in the order in which help lists them.
  public static let all: [ReportFormat] = [
    .text, .json, .jsonl, .sarif, .junit, .github, .gitlab, .markdown, .html,
  ]
}

/// Turns judged captures into the bytes of one report.
///
/// After every call the caller takes what stands in ``output`` and empties it.
public protocol ReportWriter {
  var output: [UInt8] { get set }
  /// Takes a finding of a trace that is still being read.
  mutating func liveFinding(_ finding: Finding, path: String)
  /// Takes a capture whose reading is over, its live findings included.
  mutating func capture(_ capture: JudgedCapture)
  /// Takes how the findings compare with a baseline, after the last capture.
  mutating func gate(_ summary: GateSummary)
  /// Ends the report. Nothing may follow.
  mutating func end(elapsedNanoseconds: Int64)
}

extension ReportWriter {
  public mutating func liveFinding(_ finding: Finding, path: String) {}
  public mutating func gate(_ summary: GateSummary) {}
}

/// What a report's writer needs to know beside the captures.
public struct ReportContext: Sendable {
  /// The version of the program.
  public var toolVersion: String
  public var usesColor: Bool
  /// Findings only.
  public var isQuiet: Bool
  /// Whether rules that couldn't be decided, or were not checked, are listed and not only counted.
  public var listsUndecided: Bool
  /// Whether findings that don't count are listed and not only counted.
  public var listsSuppressed = false
  /// Whether a gate is reported: what its baseline knows is only counted where people read it, and
  /// the last line is the gate's.
  public var isGate = false
  /// The lowest severity that fails the call; nil if none does.
  public var failsFrom: Severity? = .error
  public var paths = ReportPaths()
  /// A file of the repository that code scanning shows findings at, instead of the captures.
  public var sarifAnchor: String?
  public var timelineLink: TimelineLink?
  /// Whether traces come with what was measured of them, where a format has a place for it.
  public var tellsMeasures = false
  /// The rule whose finding explains why a process ended; nil if none does.
  public var ruleExplaining: @Sendable (LifeMeasure, Judgement) -> String? = { _, _ in nil }
  /// What the catalogue says about a rule's violation; nil for an unknown rule.
  public var ruleText: @Sendable (String) -> RuleText?

  public init(
    toolVersion: String, usesColor: Bool = false, isQuiet: Bool = false,
    listsUndecided: Bool = false,
    ruleText: @escaping @Sendable (String) -> RuleText? = { _ in nil }
  ) {
    self.toolVersion = toolVersion
    self.usesColor = usesColor
    self.isQuiet = isQuiet
    self.listsUndecided = listsUndecided
    self.ruleText = ruleText
  }

  /// Whether a finding fails the call.
  func fails(_ finding: Finding) -> Bool {
    guard let failsFrom, finding.baseline != .unchanged else { return false }
    return finding.severity >= failsFrom
  }
}

/// What a rule says to somebody who broke it.
public struct RuleText: Hashable, Sendable {
  public var slug: String
  public var severity: Severity
  /// One sentence that says what must hold.
  public var summary: String
  public var rationale: String
  public var consequence: String
  public var advice: String

  public init(
    consequence: String, advice: String, slug: String = "", severity: Severity = .warning,
    summary: String = "", rationale: String = ""
  ) {
    self.slug = slug
    self.severity = severity
    self.summary = summary
    self.rationale = rationale
    self.consequence = consequence
    self.advice = advice
  }

  public init(_ rule: Rule) {
    self.init(
      consequence: rule.consequence, advice: rule.advice, slug: rule.slug,
      severity: rule.severity, summary: rule.summary, rationale: rule.rationale)
  }
}
