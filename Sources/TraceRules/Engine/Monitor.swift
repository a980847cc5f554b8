// What runs a clause over a trace. Every pattern has one subclass in `Monitors/`.

import TraceLifecycle
import TraceModel

/// How a launch ended.
enum LaunchEnd {
  /// `proc.exit` or `proc.kill`.
  case process(Event)
  /// A new `proc.start` in the same trace.
  case newStart(Event)
  /// `trace.end` of reason clean.
  case recordingEnded(Event)
  /// The trace stops or, with an event, was rotated.
  case truncated(Event?)
}

/// What a monitor needs to want an event.
struct MonitorNeed: Hashable {
  /// All of these bits must be awake.
  var bits: UInt64 = 0
  /// The monitor only follows the life cycle: it wants the event if that has changed.
  var isOfFollower = false
}

/// Runs one or more clauses of a rule.
///
/// A class, because monitors are changed in place through the listen lists that name them, and
/// are told apart by method dispatch without being boxed.
class Monitor {
  let ruleIndex: Int
  /// When ``advance(to:_:_:)`` must be called: with the first event after this time.
  @safe @exclusivity(unchecked) final var deadlineNanoseconds = Int64.max

  init(ruleIndex: Int) { self.ruleIndex = ruleIndex }

  /// What of the monitor is awake: facts that may hold, clauses with something open, and
  /// ``spansBit``. What is asleep can do nothing with an event that only asks for it. Changes
  /// are told to the judge.
  @safe @exclusivity(unchecked) final var awake = UInt64.max
  /// The place among the monitors of the engine; -1 as long as there is none.
  @safe @exclusivity(unchecked) final var place = -1

  /// The bit of ``awake`` that says that the monitor must hear of short spans, too.
  static let spansBit: UInt64 = 1 << 31

  /// Whether the monitor wants events of this kind and phase in this state.
  func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool { false }
  /// Whether the monitor wants to know when the life cycle changes, whatever it listens to.
  var followsLifecycle: Bool { false }
  /// For events of this kind and phase in this state, what the monitor needs to want them: one of
  /// these. None: it never wants them.
  func needs(
    _ kind: EventKind, _ phase: Phase, in state: LifecycleState,
    lacks: (ArgumentName) -> Bool
  ) -> [MonitorNeed] {
    if listens(to: kind, phase, in: state) { return [MonitorNeed()] }
    guard followsLifecycle, LifecycleModel.stateKinds.contains(kind) else { return [] }
    return [MonitorNeed(isOfFollower: LifecycleModel.signKinds.contains(kind))]
  }
  /// Lets go of what refers back to the monitor.
  func dismantle() {}
  /// Arguments that an event which isn't a return must have for the monitor to want it.
  var namesAsked: Set<ArgumentName> { [] }
  /// How long spans of a kind may take without the monitor having to hear of their enters and
  /// returns; nil if it must hear of each. It hears of the enters of those that last longer, and
  /// of those that are open when anything else happens.
  func spanNanosecondsUnheard(_ kind: EventKind, in state: LifecycleState) -> Int64? { nil }
  /// Whether the monitor must hear when the app is suspended and resumed, and of the end of its
  /// stays in the background.
  var followsSuspensions: Bool { false }
  /// Whether the monitor wants events also while no launch is under way.
  var hearsBetweenLaunches: Bool { false }

  /// An event it listens to, after the life cycle has taken it.
  func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {}
  /// A launch began, or a mid-life trace got its first event.
  func launchBegan(_ judge: Judge) {}
  /// The launch ends; called before the life cycle takes the event that ends it.
  func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {}
  /// The app was suspended at the event; called after the life cycle took it.
  func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {}
  /// The app was resumed at the event.
  func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {}
  /// A suspension that was only inferred turned out to be certain.
  func suspensionConfirmed(_ batch: EventBatch, _ judge: Judge) {}
  /// The app leaves the background at the event; called before the stay is closed.
  func backgroundStayEnds(_ event: Event, _ batch: EventBatch, _ judge: Judge) {}
  /// Events were lost.
  func lost(_ judge: Judge) {}
  /// Nothing open on this thread can be trusted any more.
  func threadBroke(_ thread: Int64, _ judge: Judge) {}
  /// A span was closed by another one's return, so that its end isn't known: the place of its
  /// enter in the trace.
  func spanLost(_ ordinal: Int, _ judge: Judge) {}
  /// Time has passed a deadline; the event is the first one known after it.
  func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {}
  /// A live trace has said nothing until then, and the app can't be suspended.
  func fallsSilent(until event: Event, _ batch: EventBatch, _ judge: Judge) {}
  /// The trace has ended, and the findings of all rules are known.
  func traceEnds(_ judge: Judge) {}
  /// The batch goes: evidence that may still be needed must be copied.
  func batchEnds(_ batch: EventBatch, _ judge: Judge) {}
}
