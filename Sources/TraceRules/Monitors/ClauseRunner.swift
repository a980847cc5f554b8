// What runs one clause of a rule inside its monitor. Every combinator has one subclass.

import TraceLifecycle
import TraceModel

/// An event on its way through the monitors.
///
/// A class, so that the event and its batch are handed on without being copied.
final class Hearing {
  @safe @exclusivity(unchecked) private(set) var event: Event
  /// Whether the event returns from a span whose enter is known.
  @safe @exclusivity(unchecked) private(set) var isReturn: Bool
  let batch: EventBatch
  let judge: Judge
  /// The argument that was asked for last as a key: most monitors ask for the same one.
  @safe @exclusivity(unchecked) var lastKey: (name: ArgumentName, key: ArgumentKey)?
  /// Tells one batch from another.
  let batchNumber: Int

  init(event: Event, batch: EventBatch, judge: Judge) {
    self.event = event
    self.batch = batch
    self.judge = judge
    isReturn = judge.knowsEnter(of: event)
    batchNumber = judge.batchNumber
  }

  /// Goes on to another event of the batch.
  func move(to event: Event) {
    self.event = event
    isReturn = judge.knowsEnter(of: event)
    lastKey = nil
  }

  /// For a return, its enter.
  var enter: SpanTable.Open? { isReturn ? judge.currentEnter : nil }
}

/// Runs one clause.
///
/// A class, because the monitor tells its runners apart by method dispatch without boxing them.
class ClauseRunner {
  /// A pattern that the runner listens to, with the part it plays.
  typealias Listening = (role: Int, pattern: EventPattern, key: [KeyField])

  /// The monitor holds its runners too, and lets go of them when the trace has been judged.
  let monitor: RuleMonitor
  let clauseIndex: Int
  /// When ``advance(to:_:)`` must be called: with the first event after this time.
  @safe @exclusivity(unchecked) final var deadlineNanoseconds = Int64.max
  private var knownLimitText: String?

  init(_ monitor: RuleMonitor, _ clauseIndex: Int) {
    self.monitor = monitor
    self.clauseIndex = clauseIndex
  }

  /// The limit of the clause for people. It is made for the first violation, as most clauses have
  /// none.
  final func limitText(
    _ amount: Amount, _ judge: Judge, in unit: RuleParameter.Unit = .nanoseconds
  ) -> String {
    if let knownLimitText { return knownLimitText }
    let text = judge.readable(amount, monitor.ruleIndex, in: unit)
    knownLimitText = text
    return text
  }

  /// What the clause listens to; asked once. Roles are tried in the order of the list.
  var listenings: [Listening] { [] }
  /// Spans whose enters and returns must be matched.
  var spanKinds: [EventKind] { [] }
  /// Whether the runner must hear every event that can change the state.
  var followsState: Bool { false }
  /// Whether the runner must hear every event that can give or take a reason to run.
  var followsReasons: Bool { false }
  /// Whether the runner must hear when the app is suspended and resumed.
  var followsSuspensions: Bool { false }
  /// Whether the clause goes on between launches.
  var outlivesLaunch: Bool { false }
  /// Whether ``afterEvent(_:)`` must be called though the runner follows nothing else.
  var resolvesMatches: Bool { false }
  /// Whether the runner asks for the condition of a role itself.
  func defersCondition(_ role: Int) -> Bool { false }
  /// Whether the runner must hear in a suspension what counts in the background, as it may fall
  /// outside.
  var judgesSuspension: Bool { false }
  /// Whether nothing is open, so that events which only end something needn't be heard.
  var isIdle: Bool { false }
  /// Whether a role does nothing while the runner is idle.
  func needsOpen(_ role: Int) -> Bool { false }
  /// How long a span may take without the runner having to hear of its enter in this role; nil if
  /// it must hear of each. See ``Monitor/spanNanosecondsUnheard(_:in:)``.
  func spanNanosecondsUnheard(_ role: Int) -> Int64? { nil }
  /// Whether it can do so by now.
  var canDoWithoutSpans: Bool { true }
  /// Whether a callback of the main thread may prove that a return was lost.
  var watchesCallbacks: Bool { false }

  /// An event that fits one of the patterns, whose condition holds.
  func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {}
  /// An event that fits one of the patterns, of whose condition nobody knows whether it holds.
  func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {}
  /// After every event that the monitor heard.
  func afterEvent(_ hearing: Hearing) {}
  /// A callback began on this thread, so that one before it has returned or they are nested.
  func callbackBegan(_ event: Event) {}
  func launchBegan(_ judge: Judge) {}
  /// The launch ends; its last event hasn't been heard yet.
  func processEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {}
  /// The launch ends; what the last event does to the facts is done.
  func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {}
  func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {}
  func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {}
  func suspensionConfirmed(_ batch: EventBatch, _ judge: Judge) {}
  func lost(_ judge: Judge) {}
  func threadBroke(_ thread: Int64, _ judge: Judge) {}
  /// A span was closed by another one's return; nobody knows when it ended.
  func spanLost(_ ordinal: Int, _ judge: Judge) {}
  func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {}
  /// A live trace has said nothing until then.
  func fallsSilent(until event: Event, _ batch: EventBatch, _ judge: Judge) {}
}

extension LaunchEnd {
  /// The event that ended the launch.
  var event: Event? {
    switch self {
    case .process(let event), .newStart(let event), .recordingEnded(let event): event
    case .truncated(let event): event
    }
  }

  /// Whether the recording stops here and the process goes on, or may have: what time would have
  /// decided stays open.
  var stopsRecording: Bool {
    if case .recordingEnded = self { true } else { isCutOff }
  }

  /// Whether the trace doesn't tell what came after.
  var isCutOff: Bool {
    switch self {
    case .truncated, .newStart: true
    case .process, .recordingEnded: false
    }
  }
}
