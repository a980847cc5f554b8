// What must hold at a moment: the life cycle, the header, and facts that events set and clear.

public import TraceLifecycle
public import TraceModel

/// A condition at a moment, with three values: what a trace that begins in mid-life or has a gap
/// doesn't tell is neither true nor false, and nothing is reported on it.
public indirect enum Condition: Hashable, Sendable {
  /// The state of the app once the event has happened. Unknown in the unknown state. At the end of
  /// the process: the state before it.
  case phase(Set<LifecycleState>)
  /// The state before the event: suspended only by a suspension that was seen, longer ago than the
  /// tolerance; else the app ran in the background.
  case wasPhase(Set<LifecycleState>)
  /// The app has a reason to run, or is in the grace after the last one.
  case mayRun
  /// One of these reasons to run holds, the grace not counted.
  case hasReason(Set<RunReason>)
  case isLocked
  /// Background App Refresh is denied or restricted: by the header, or by the last change.
  case isRefreshOff
  /// The app reached the background by a launch into it.
  case wasLaunchedIntoBackground
  /// The event is on the main thread.
  case isOnMain
  /// The event says this argument; where it doesn't, nothing is known of what the argument decides.
  case isTold(ArgumentName)
  case header(HeaderTest)
  /// A fact holds for the key at hand: of the event, or of the instance that is judged.
  case fact(String)
  /// A fact holds for the key that these fields of the event have.
  case factOf(String, [KeyField])
  /// A fact holds for some key.
  case anyFact(String)
  case not(Condition)
  case all([Condition])
  case any([Condition])
}

/// Something that events make true and false, for each key on its own.
///
/// An event that both sets and clears a fact leaves it cleared. A clear without its key clears the
/// fact for every key. Facts follow an event before the
/// clauses of the rule look at it, in the order in which the rule lists them; so the event that
/// sets a fact is inside, and the one that clears it is outside.
public struct Fact: Hashable, Sendable {
  /// How long a fact is kept.
  public enum Life: String, Hashable, Sendable {
    /// From the start of a launch to the next one's.
    case launch
    case trace
  }

  public var name: String
  public var set: [EventPattern]
  public var clear: [EventPattern]
  /// Clears the fact for every key.
  public var clearAll: [EventPattern]
  public var key: [KeyField]
  /// Its value when a launch that is recorded from its start begins (or the trace, for facts that
  /// live so long). After a start in mid-life or a gap a fact is unknown until an event sets or
  /// clears it; nil: unknown also at the start of a launch.
  public var initially: Bool?
  /// It becomes true only so long after it was set: later than that.
  public var after: Time?
  /// It is no longer true so long after it was set: true before that, false from then on.
  public var lasts: Time?
  /// Setting it twice needs clearing it twice: for spans that nest.
  public var nests: Bool
  public var life: Life

  public init(
    _ name: String, set: [EventPattern], clear: [EventPattern] = [],
    clearAll: [EventPattern] = [], key: [KeyField] = [], initially: Bool? = false,
    after: Time? = nil, lasts: Time? = nil, nests: Bool = false, life: Life = .launch
  ) {
    self.name = name
    self.set = set
    self.clear = clear
    self.clearAll = clearAll
    self.key = key
    self.initially = initially
    self.after = after
    self.lasts = lasts
    self.nests = nests
    self.life = life
  }
}
