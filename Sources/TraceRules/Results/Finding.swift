// What a judgement of a trace says: findings, their evidence, quality and verdicts.
// This file must not know how rules work or how reports look.

public import TraceModel

/// How bad a finding is.
public enum Severity: String, Hashable, Comparable, Sendable, CaseIterable {
  /// Advice, power cost, or a doubt about the trace.
  case note
  /// A documented must or should is broken.
  case warning
  /// The system kills the app, or data is lost.
  case error

  public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// How sure a finding is.
public enum Confidence: String, Hashable, Sendable {
  case certain, likely, possible
}

/// Whether a finding was known before.
public enum BaselineState: String, Hashable, Sendable {
  case new, unchanged
  /// It was known, and is graver than it was.
  case graver = "updated"
}

/// An event that a finding rests on.
public struct WitnessEvent: Hashable, Sendable {
  /// The place in the trace, from 0.
  public var ordinal: Int
  public var timeNanoseconds: Int64
  /// The kind's name.
  public var event: String
  public var phase: Phase
  public var thread: Int64
  /// The part it plays: `open`, `state`, `deadline`, `offender`, …
  public var role: String
  public var arguments: [WitnessArgument]
  /// The line of the capture it was read from, from 1; 0 if the capture is no text.
  public var line: UInt32

  public init(
    ordinal: Int, timeNanoseconds: Int64, event: String, phase: Phase, thread: Int64,
    role: String, arguments: [WitnessArgument], line: UInt32
  ) {
    self.ordinal = ordinal
    self.timeNanoseconds = timeNanoseconds
    self.event = event
    self.phase = phase
    self.thread = thread
    self.role = role
    self.arguments = arguments
    self.line = line
  }
}

public struct WitnessArgument: Hashable, Sendable {
  public var name: String
  public var value: ArgumentValue

  public init(name: String, value: ArgumentValue) {
    self.name = name
    self.value = value
  }
}

/// A violation of a rule, with everything a report says of it.
public struct Finding: Hashable, Sendable {
  /// The id of its rule.
  public var rule: String
  public var slug: String
  public var severity: Severity
  /// The label of the rule's case, for rules that have several.
  public var reason: String?
  /// One plain sentence that names the object and the numbers, without a final dot.
  public var message: String
  /// The time of the event, or of the deadline, that made the violation certain.
  public var timeNanoseconds: Int64
  public var thread: Int64
  /// The number of the launch in the trace, from 1; 0 for findings about the header.
  public var launch: Int
  /// The time at which the launch began; nil if the trace doesn't hold its beginning.
  public var launchStartNanoseconds: Int64?
  public var count: Int
  public var lastTimeNanoseconds: Int64
  /// What the finding is about, for people: a task's name and token, a thread, a kind.
  public var subject: String
  /// `v1:` and 16 hexadecimal digits, stable over captures of the same fault.
  public var fingerprint: String
  public var confidence: Confidence
  public var witness: [WitnessEvent]
  /// Witness events that were left out to keep the list short.
  public var witnessOmittedCount: Int
  /// What a baseline says of it; nil if it wasn't compared with one.
  public var baseline: BaselineState?

  public init(
    rule: String, slug: String, severity: Severity, reason: String?, message: String,
    timeNanoseconds: Int64, thread: Int64, launch: Int, launchStartNanoseconds: Int64?,
    count: Int, lastTimeNanoseconds: Int64, subject: String, fingerprint: String,
    confidence: Confidence, witness: [WitnessEvent], witnessOmittedCount: Int = 0
  ) {
    self.rule = rule
    self.slug = slug
    self.severity = severity
    self.reason = reason
    self.message = message
    self.timeNanoseconds = timeNanoseconds
    self.thread = thread
    self.launch = launch
    self.launchStartNanoseconds = launchStartNanoseconds
    self.count = count
    self.lastTimeNanoseconds = lastTimeNanoseconds
    self.subject = subject
    self.fingerprint = fingerprint
    self.confidence = confidence
    self.witness = witness
    self.witnessOmittedCount = witnessOmittedCount
  }
}

/// A doubt about the trace itself: one of TQ01 to TQ12.
public struct QualityNote: Hashable, Sendable {
  public var id: String
  public var count: Int
  public var message: String

  public init(id: String, count: Int, message: String) {
    self.id = id
    self.count = count
    self.message = message
  }
}

/// How often a rule was violated or couldn't be decided in a trace.
public struct VerdictCounts: Hashable, Sendable {
  public var violated = 0
  public var unknown = 0
  /// The recorder doesn't cover what the rule needs, or the rule doesn't apply to the profile's
  /// evidence.
  public var notEvaluated = false
  /// Why verdicts are unknown, with a count each, sorted by name.
  public var unknownReasons: [String: Int] = [:]

  public init() {}

  public var isOK: Bool { violated == 0 && unknown == 0 && !notEvaluated }
}

/// Everything that judging a trace brought to light.
public struct Judgement: Hashable, Sendable {
  public var header: TraceHeader
  /// The header's trace id, or one derived from the events.
  public var traceID: String
  /// The profile's name, for example `ios8`.
  public var profile: String
  public var eventCount: Int
  public var launchCount: Int
  public var firstNanoseconds: Int64
  public var lastNanoseconds: Int64
  public var completeness: Completeness
  /// Sorted by time, then rule id.
  public var findings: [Finding]
  /// Findings that don't count, in the same order.
  public var suppressed: [SuppressedFinding] = []
  /// Sorted by id.
  public var quality: [QualityNote]
  /// By rule id; only rules that aren't all ok.
  public var verdicts: [String: VerdictCounts]
  /// The ids of the rules that were evaluated, in the order of the catalogue. None were in a trace
  /// without events, or with none but those that recorders make of themselves and of the device.
  public var evaluatedRules: [String] = []

  public init(
    header: TraceHeader, traceID: String, profile: String, eventCount: Int, launchCount: Int,
    firstNanoseconds: Int64, lastNanoseconds: Int64, completeness: Completeness,
    findings: [Finding], quality: [QualityNote], verdicts: [String: VerdictCounts]
  ) {
    self.header = header
    self.traceID = traceID
    self.profile = profile
    self.eventCount = eventCount
    self.launchCount = launchCount
    self.firstNanoseconds = firstNanoseconds
    self.lastNanoseconds = lastNanoseconds
    self.completeness = completeness
    self.findings = findings
    self.quality = quality
    self.verdicts = verdicts
  }
}
