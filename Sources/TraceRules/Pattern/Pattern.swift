// The pattern language: what a clause of a rule asks of a trace. Data only; `Monitors/` runs it.

public import TraceModel

/// What a clause asks of a trace.
public enum Pattern: Sendable {
  /// An event must not occur while in scope.
  case never(Never)
  /// A span must not last longer than the rule's first parameter.
  case lasts(Lasts)
  /// Nothing may be held when an event occurs.
  case held(Held)
  /// A monitor of its own; the text says in one sentence why the combinators don't suffice.
  case handWritten(HandWritten, because: String)

  /// The monitors that are no combination of patterns.
  public enum HandWritten: String, Sendable {
    case backgroundTaskBalance
  }

  /// `never: E, while: S`: reported once per background interval, with the number of events.
  public struct Never: Sendable {
    public var event: EventPattern
    public var scope: StateExpression
    /// Events on other threads than the callback's are allowed for so long after the scope
    /// opened by the return of a callback; nanoseconds.
    public var lateNanoseconds: Int64
    /// The argument that says how many calls one event stands for.
    public var countArgument: ArgumentName?
    /// The clause is decided only if the trace holds a suspension or a heartbeat.
    public var needsSuspensionEvidence: Bool
    /// The clause is decided only if the header has this field.
    public var needsHeader: HeaderField?
    /// Not reported where the system doesn't act: under a debugger, or on the simulator.
    public var silentUnderDebugger: Bool
    /// Events inside a callback that the system made during a suspension don't count.
    public var ignoresCallbacksWhileSuspended: Bool
    /// While suspended, a violation of this rule by the same event replaces the finding.
    public var yieldsWhileSuspendedTo: String?

    public init(
      _ event: EventPattern, while scope: StateExpression, lateNanoseconds: Int64 = 0,
      countArgument: ArgumentName? = nil, needsSuspensionEvidence: Bool = false,
      needsHeader: HeaderField? = nil, silentUnderDebugger: Bool = false,
      ignoresCallbacksWhileSuspended: Bool = false, yieldsWhileSuspendedTo: String? = nil
    ) {
      self.event = event
      self.scope = scope
      self.lateNanoseconds = lateNanoseconds
      self.countArgument = countArgument
      self.needsSuspensionEvidence = needsSuspensionEvidence
      self.needsHeader = needsHeader
      self.silentUnderDebugger = silentUnderDebugger
      self.ignoresCallbacksWhileSuspended = ignoresCallbacksWhileSuspended
      self.yieldsWhileSuspendedTo = yieldsWhileSuspendedTo
    }
  }

  /// `lasts: {open, close, max}`: measured on the watchdog clock, one span per thread and kind.
  public struct Lasts: Sendable {
    public var kind: EventKind
    /// The kind that plays its part in an app with scenes; it counts for the last scene only.
    public var sceneKind: EventKind?
    /// Causes of a kill that prove that the open span was too long.
    public var killCauses: [String]
    /// Codes of a kill that prove the same.
    public var killCodes: [UInt32]
    /// The message for a span that hadn't returned when the launch ended.
    public var openMessage: MessageTemplate

    public init(
      _ kind: EventKind, sceneKind: EventKind?, killCauses: [String], killCodes: [UInt32],
      openMessage: MessageTemplate
    ) {
      self.kind = kind
      self.sceneKind = sceneKind
      self.killCauses = killCauses
      self.killCodes = killCodes
      self.openMessage = openMessage
    }
  }

  /// `holds: {resource, at: proc.suspend}`: spans that are open when the app is suspended.
  public struct Held: Sendable {
    /// The spans, with the test that their enter must pass.
    public var spans: [EventPattern]

    public init(_ spans: [EventPattern]) { self.spans = spans }
  }
}

/// One case of a rule: a pattern with its reason, severity and message.
public struct Clause: Sendable {
  /// The label of the case; nil for rules with one.
  public var reason: String?
  public var severity: Severity
  /// Namespaces that this clause needs beyond the rule's own.
  public var needs: [String]
  public var pattern: Pattern
  public var message: MessageTemplate

  public init(
    reason: String? = nil, _ severity: Severity, needs: [String] = [], _ pattern: Pattern,
    message: MessageTemplate
  ) {
    self.reason = reason
    self.severity = severity
    self.needs = needs
    self.pattern = pattern
    self.message = message
  }
}
