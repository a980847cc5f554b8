// One case of a rule.

import TraceModel

/// One case of a rule: a pattern with its reason, severity and message.
public struct Clause: Sendable {
  /// What a trace must hold for the clause to be decided at all.
  public enum Evidence: String, CaseIterable, Hashable, Sendable {
    case none
    /// A suspension or a heartbeat somewhere in the trace; without one a violation is unknown.
    case suspensionOrHeartbeat
    /// No suspension anywhere in the trace; with one the clause doesn't apply.
    case noSuspension
    /// The kill that the clause looks for says what the app did. The clause needs no namespace but
    /// its own, as an event that is there needs no promise that others would be, and applies in
    /// every profile. It counts where the trace doesn't cover
    /// what the rule needs otherwise, or begins in the middle of the life, and it gives way to
    /// every other finding of the launch that says the same. How sure it is, the numbers of the
    /// kill decide.
    ///
    /// A `never` with a key looks for the system's word on one thing, such as a warning of one
    /// task. It counts in every launch, as such a word comes where the thing itself isn't shown,
    /// and it gives way only to findings on the same key.
    case kill
  }

  /// A kill that follows makes the finding graver.
  public struct Escalation: Hashable, Sendable {
    public var severity: Severity
    /// Kills with one of these causes or codes; both empty: any kill.
    public var causes: [String]
    public var codes: [UInt32]
    /// At most so long after the violation; nil: any time in the launch.
    public var withinNanoseconds: Int64?
    /// Only while this fact of the rule holds before the kill.
    public var whileFact: String?

    public init(
      _ severity: Severity, causes: [String] = [], codes: [UInt32] = [],
      withinNanoseconds: Int64? = nil, whileFact: String? = nil
    ) {
      self.severity = severity
      self.causes = causes
      self.codes = codes
      self.withinNanoseconds = withinNanoseconds
      self.whileFact = whileFact
    }
  }

  /// The label of the case; nil for rules with one.
  public var reason: String?
  public var severity: Severity
  /// Namespaces that this clause needs beyond the rule's own.
  public var needs: [String]
  /// The clause applies only to traces with such a header.
  public var applies: HeaderTest?
  public var pattern: Pattern
  public var evidence: Evidence
  public var escalation: Escalation?
  /// Findings on a stretch of inactivity, and doubts, are taken back if a callback of the life
  /// cycle ends it within this time; nil: all stretches are judged.
  public var sparesInactivity: Amount?
  /// The kills that a clause on the system's word looks for, by the ids of ``Terminations``.
  public var ends: [String] = []
  /// Whether a violation can be what ends the process in one of the ways that the rule explains.
  public var explainsEnds: Bool
  /// Whether an end of unknown cause counts as the system's, though a debugger, an installation or
  /// the user may have sent the signal. A finding that rests on one is likely and says so.
  public var trustsUnknownEnds: Bool
  /// One sentence with fields in braces: `{what}` the event, `{thread}`, `{since}` how long after
  /// the background was entered, `{key}`, `{duration}`, `{limit}` the pattern's amount, `{count}`,
  /// `{task}` the background task of the key by its name, `{total}` what is open together,
  /// `{state}` of a machine, `{weighing}` the numbers of a kill and what they mean, each after a
  /// semicolon,
  /// `{callback}` the system's name of a span, and `{name of an argument}` of the offending event
  /// or else of the one that opened.
  public var message: MessageTemplate

  /// Whether what the clause looks for is about one thing, and not about the process.
  package var hasKeyedEvent: Bool {
    if case .never(let never) = pattern { !never.key.isEmpty } else { false }
  }

  public init(
    reason: String? = nil, _ severity: Severity, needs: [String] = [],
    applies: HeaderTest? = nil, _ pattern: Pattern, evidence: Evidence = .none,
    escalation: Escalation? = nil, explainsEnds: Bool = true, trustsUnknownEnds: Bool = false,
    sparesInactivity: Amount? = nil, message: MessageTemplate
  ) {
    self.reason = reason
    self.severity = severity
    self.needs = needs
    self.applies = applies
    self.pattern = pattern
    self.evidence = evidence
    self.escalation = escalation
    self.explainsEnds = explainsEnds
    self.trustsUnknownEnds = trustsUnknownEnds
    self.sparesInactivity = sparesInactivity
    self.message = message
  }
}
