// Whether each callback and each turn of the process is one that the life cycle has here.
// Hand-written: the table of transitions decides, by profile and state.

import TraceLifecycle
import TraceModel

/// Compares callbacks and turns of the process with the table of transitions.
final class Transitions: Monitor {
  /// The seven callbacks of the life cycle.
  static let callbacks = KindSet([
    .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateDidBecomeActive,
    .delegateWillResignActive, .delegateDidEnterBackground, .delegateWillEnterForeground,
    .delegateWillTerminate,
  ])
  /// Callbacks followed at once; they don't nest in a healthy app.
  private static let openMax = 64

  private let table: TransitionTable
  /// Callbacks that haven't returned.
  private var open: [(kind: EventKind, thread: Int64)] = []
  private var hasFinishedLaunching = false
  /// The event that led to the present state.
  private var stateEvent: PendingWitness?
  private var finishEvent: PendingWitness?
  /// The end of the last process, until something is told of the time after it.
  private var endEvent: PendingWitness?

  init(ruleIndex: Int, judge: Judge) {
    table = TransitionTable.of(judge.profile)
    super.init(ruleIndex: ruleIndex)
  }

  override var followsLifecycle: Bool { true }
  override var hearsBetweenLaunches: Bool { true }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard judge.isLaunchOpen else { return hearAfterEnd(event, batch, judge) }
    switch event.kind {
    case .procStart: hearStart(event, batch, judge)
    case .procMain: if event.phase != .return { hearTurn(event, batch, judge) }
    case .procSuspend, .procResume:
      if batch.boolean(.inferred, of: event) != true { hearTurn(event, batch, judge) }
    default: if Self.callbacks.contains(event.kind) { hearCallback(event, batch, judge) }
    }
    if judge.model.state != judge.model.stateBefore { stateEvent = PendingWitness(event) }
  }

  // MARK: Events

  private func hearStart(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard judge.model.launch?.into == .background, !table.hasBackgroundLaunches else { return }
    report(
      event, "the process was started into the background, which this app cannot run in", batch,
      judge)
  }

  private func hearTurn(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let state = judge.stateBefore(event)
    switch (event.kind, state) {
    // It may be what brings the app to the foreground.
    case (.procResume, .background): return
    case (.procResume, _):
      // Who observes the process may tell it a little after the app itself.
      if let end = judge.model.lastSuspension?.endNanoseconds,
        difference(event.timeNanoseconds, end) <= judge.toleranceNanoseconds
      {
        return
      }
    default: break
    }
    guard table.forbids(event.kind, in: state) else { return }
    let what =
      switch event.kind {
      case .procSuspend: "the app was suspended"
      case .procResume: "the app was resumed"
      default: "main was called"
      }
    report(event, "\(what) while it was \(state.words)", batch, judge)
  }

  private func hearCallback(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    if event.phase == .return {
      if let place = open.lastIndex(where: { $0 == (event.kind, event.thread) }) {
        open.remove(at: place)
        // The return of one that began before this one was lost.
        for earlier in open[..<place].indices.reversed() where open[earlier].kind == event.kind {
          open.remove(at: earlier)
        }
      }
    } else if event.phase == .enter || !open.contains(where: { $0.kind == event.kind }) {
      // One line inside the span of the same call is its echo.
      judgeCallback(event, batch, judge)
      if event.phase == .enter, open.count < Self.openMax {
        open.append((event.kind, event.thread))
      }
    }
    if event.kind == .delegateDidFinishLaunching && event.phase != .enter {
      hasFinishedLaunching = true
      finishEvent = PendingWitness(event)
    }
  }

  private func judgeCallback(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    // With scenes these are echoes.
    if SceneTwin(of: event.kind) != nil
      && (judge.model.isMovedByScenes || judge.model.isMoverHidden)
    {
      return
    }
    let state = judge.stateBefore(event)
    let name = Vocabulary.description(of: event.kind)?.symbol ?? batch.name(of: event.kind)
    let finishes =
      event.kind == .delegateDidFinishLaunching || event.kind == .delegateWillFinishLaunching
    if finishes && hasFinishedLaunching && state == .launchingForeground {
      report(event, "\(name) came after the launch was finished", batch, judge)
    } else if table.forbids(event.kind, in: state) {
      report(event, "\(name) came while the app was \(state.words)", batch, judge)
    }
  }

  /// A process that ended does nothing more. Its end is recorded by an observer, who may be a
  /// little early.
  private func hearAfterEnd(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let end = endEvent?.event, event.phase != .return,
      difference(event.timeNanoseconds, end.timeNanoseconds) > judge.toleranceNanoseconds
    else { return }
    switch event.kind {
    case .procMain: break
    case .procSuspend, .procResume: if batch.boolean(.inferred, of: event) == true { return }
    default: guard Self.callbacks.contains(event.kind) else { return }
    }
    let symbol = Vocabulary.description(of: event.kind)?.symbol ?? ""
    let name = Self.callbacks.contains(event.kind) ? symbol : batch.name(of: event.kind)
    report(event, "\(name) came after the process had ended", batch, judge)
    endEvent = nil
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if case .process(let event) = end { endEvent = PendingWitness(event) }
    guard case .process(let event) = end, event.kind == .procExit,
      batch.bits(.by, of: event) != nil
    else { return }
    let isInferred = judge.model.suspension?.isInferred == true
    let state = isInferred ? .background : judge.model.state
    guard table.forbidsExit(in: state) else { return }
    report(
      event,
      "the process exited while the app was \(state.words), without applicationWillTerminate:",
      batch, judge)
  }

  private func report(_ event: Event, _ message: String, _ batch: EventBatch, _ judge: Judge) {
    var context = judge.context(in: batch)
    for kept in [stateEvent, finishEvent, endEvent].compactMap({ $0 }) {
      context.append(kept.witness(role: "state", in: batch))
    }
    judge.report(
      ruleIndex,
      Draft(
        clause: 0, message: message, subject: batch.name(of: event.kind),
        timeNanoseconds: event.timeNanoseconds, thread: event.thread,
        lastTimeNanoseconds: event.timeNanoseconds,
        witness: [batch.witness(event, role: "offender")], context: context,
        intervalNumber: judge.interval.number),
      isSettled: judge.rules[ruleIndex].yields.isEmpty)
  }

  // MARK: Bookkeeping

  override func launchBegan(_ judge: Judge) { forget() }
  override func lost(_ judge: Judge) { forget() }

  private func forget() {
    open.removeAll(keepingCapacity: true)
    hasFinishedLaunching = false
    stateEvent = nil
    finishEvent = nil
    endEvent = nil
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    stateEvent?.keep(from: batch)
    finishEvent?.keep(from: batch)
    endEvent?.keep(from: batch)
  }
}

extension LifecycleState {
  /// After “the app was”.
  fileprivate var words: String {
    switch self {
    case .notRunning: "not running"
    case .launchingForeground: "launching"
    case .launchingBackground: "launching into the background"
    case .active: "active"
    case .resigning: "resigning"
    case .inactive: "inactive"
    case .enteringBackground: "entering the background"
    case .background: "in the background"
    case .suspended: "suspended"
    case .enteringForeground: "entering the foreground"
    case .terminating: "terminating"
    case .unknown: "in an unknown state"
    }
  }
}
