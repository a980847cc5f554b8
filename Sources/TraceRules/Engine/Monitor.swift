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

/// Runs one or more clauses of a rule.
///
/// A class, because monitors are changed in place through the listen lists that name them, and
/// are told apart by method dispatch without being boxed.
class Monitor {
  let ruleIndex: Int
  /// When ``advance(to:_:_:)`` must be called: with the first event after this time.
  @safe @exclusivity(unchecked) final var deadlineNanoseconds = Int64.max

  init(ruleIndex: Int) { self.ruleIndex = ruleIndex }

  /// What of the monitor is awake: facts that may hold, clauses with something open. What is
  /// asleep can do nothing with an event that only asks for it.
  @safe @exclusivity(unchecked) final var awake = UInt64.max

  /// Whether the monitor wants events of this kind and phase in this state.
  func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool { false }
  /// For events of this kind and phase in this state, what must be awake for the monitor to want
  /// them: all bits of one of these. None: it never wants them.
  func needs(
    _ kind: EventKind, _ phase: Phase, in state: LifecycleState,
    lacks: (ArgumentName) -> Bool
  ) -> [UInt64] {
    listens(to: kind, phase, in: state) ? [0] : []
  }
  /// Whether events of this kind and phase may be told later, many at once, as long as that is
  /// before anything else that the monitor is told.
  func collects(_ kind: EventKind, _ phase: Phase) -> Bool { false }
  /// Events that it collects: all in a range of the batch, which may hold others too.
  func hear(_ range: Range<Int>, _ batch: EventBatch, _ judge: Judge) {}
  /// Whether there are events that it collects.
  var collectsEvents: Bool { false }
  /// Lets go of what refers back to the monitor.
  func dismantle() {}
  /// Arguments that an event which isn't a return must have for the monitor to want it.
  var namesAsked: Set<ArgumentName> { [] }
  /// How long spans of a kind may take without the monitor having to hear of their enters and
  /// returns; nil if it must hear of each. It hears of the enters of those that last longer, and
  /// of those that are open when anything else happens.
  func spanNanosecondsUnheard(_ kind: EventKind, in state: LifecycleState) -> Int64? { nil }
  /// Whether the monitor can do without short spans by now.
  @safe @exclusivity(unchecked) final var canDoWithoutSpans = true
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
