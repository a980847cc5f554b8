// The pattern behind `paired`, `after … expect … within`, `holds … at` and `require`: what is
// opened must be closed in time.

/// Each event that opens makes an instance, and an event that closes ends it. An instance that is
/// open when it is due is a violation, and is gone.
///
/// An event is first what makes instances due, then what closes, then what opens. Of a deadline the
/// exact moment is still in time. A close without its key closes every instance.
///
/// Where nobody knows whether an event opens, closes or makes due, or events were lost, what it
/// concerns is in doubt: it is no violation any more. A certain opening takes the place of an
/// instance in doubt. How long an app lived before it is started anew isn't known either: only
/// instances that outlive the launch become overdue in that time.
public struct Expect: Sendable {
  /// What a second opening of an open key does.
  public enum Reopening: String, CaseIterable, Hashable, Sendable {
    /// Nothing: the first one counts.
    case keep
    /// The new one takes its place, and time counts anew.
    case replace
    /// Both must be closed.
    case nest
  }

  public var opens: [EventPattern]
  public var closes: [EventPattern]
  /// Ends every instance, whatever its key.
  public var closesAll: [EventPattern]
  /// A close whose key isn't open closes the instance that was opened first.
  public var closesOthers: Bool
  public var key: [KeyField]
  /// An instance is a span: every enter opens one of its own, and its return closes it.
  public var isSpan: Bool
  public var reopening: Reopening
  /// So many closes end an instance.
  public var closesNeeded: Amount
  /// When an open instance is a violation: the first of these.
  public var due: [Due]
  public var unit: ReportUnit
  /// Instances outlive the launch that opened them.
  public var outlivesLaunch: Bool
  /// What is open when the trace stops, or when another launch begins without an end of this one,
  /// is undecided though no time is running.
  public var isUndecidedIfCutOff: Bool
  /// What is open when a complete recording ends is no violation, though time was running for it;
  /// else it is undecided.
  public var mayStayOpen: Bool

  public init(
    opens: [EventPattern], closes: [EventPattern] = [], closesAll: [EventPattern] = [],
    closesOthers: Bool = false, key: [KeyField] = [], isSpan: Bool = false,
    reopening: Reopening = .keep,
    closesNeeded: Amount = .fixed(1), due: [Due],
    per unit: ReportUnit = .key, outlivesLaunch: Bool = false,
    isUndecidedIfCutOff: Bool = false, mayStayOpen: Bool = false
  ) {
    self.opens = opens
    self.closes = closes
    self.closesAll = closesAll
    self.closesOthers = closesOthers
    self.key = key
    self.isSpan = isSpan
    self.reopening = reopening
    self.closesNeeded = closesNeeded
    self.due = due
    self.unit = unit
    self.outlivesLaunch = outlivesLaunch
    self.isUndecidedIfCutOff = isUndecidedIfCutOff
    self.mayStayOpen = mayStayOpen
  }
}

/// When an open instance becomes a violation. Keyed facts in the conditions of these events are
/// looked up with the instance's key.
public enum Due: Hashable, Sendable {
  /// So long after it was opened.
  case within(Time)
  /// At one of these events, whatever its key.
  case at([EventPattern])
  /// At one of these events with the same key.
  case atSameKey([EventPattern])
  /// So long after one of these events; with `orSuspension` already at a suspension after it. An
  /// event of `unless` that comes before calls it off: the instance stays open, and is no longer
  /// due.
  case after(
    [EventPattern], Time, orSuspension: Bool = false, unless: [EventPattern] = [])
  /// When the app is suspended, but for the tolerance. `inferred: false` means a suspension that
  /// was seen; `inferred: true` one that was inferred and turned out to be certain.
  case suspension(inferred: Bool)
  /// When the app has no reason left to run in the background, and the grace is over.
  case graceEnd
  /// When the process ends by one of these events (`proc.kill`, `proc.exit`), or without an event
  /// by a new `proc.start`, while the condition holds before it. Where it ends otherwise then, what
  /// is open is undecided.
  case processEnd([EventPattern], orNewStart: Bool, while: Condition?)
  /// When a complete recording ends.
  case recordingEnd
}
