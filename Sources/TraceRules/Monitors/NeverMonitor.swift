// Runs `never` clauses that ask for suspension: whether an event fell into one is decided later.

import TraceLifecycle
import TraceModel

/// Judges events of one rule's `never` clauses that speak of suspension, and reports once per
/// background interval. Of several clauses the first in the list that fires in an interval wins.
final class NeverMonitor: Monitor {
  private struct Compiled {
    var index: Int
    var clause: Clause
    var never: Never
    var stateMask: UInt32
    /// Only while the app has no reason left to run.
    var isWithoutReason: Bool
    /// What the header says of the clause; nil where it is silent.
    var applies: Bool?
    var test: CompiledTest?
    /// Namespaces that the recorder doesn't cover, so that the clause can't be decided.
    var isCovered: Bool
  }

  private let clauses: [Compiled]
  private let countMax: Int64
  private var found: (interval: Int, place: Int, rank: Int)?
  private var unknownInterval = -1
  /// Events of an interval that are allowed so far, as the rule's limit is a number of events.
  private var quietInterval = -1
  private var quietCount = 0

  init(
    ruleIndex: Int,
    clauses: [(index: Int, clause: Clause, never: Never, scope: SuspendedScope, isCovered: Bool)],
    _ judge: Judge
  ) {
    self.clauses = clauses.map { index, clause, never, scope, isCovered in
      Compiled(
        index: index, clause: clause, never: never,
        stateMask: CompiledCondition.mask(scope.states), isWithoutReason: scope.isWithoutReason,
        applies: scope.header.map { judge.holds($0) } ?? true,
        test: never.event.test.map { CompiledTest($0, judge, ruleIndex) }, isCovered: isCovered)
    }
    countMax = clauses.first.map { judge.value(of: $0.never.max, ruleIndex) } ?? 0
    super.init(ruleIndex: ruleIndex)
  }

  /// A monitor for another trace whose header says the same.
  init(like other: NeverMonitor) {
    clauses = other.clauses
    countMax = other.countMax
    super.init(ruleIndex: other.ruleIndex)
  }

  /// Has tests let go of what they remember of a batch.
  func forgetTexts() {
    for compiled in clauses { compiled.test?.forgetTexts() }
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    clauses.contains {
      $0.never.event.listens(to: kind, phase)
        && (Self.isIn(state, $0.stateMask)
          || (state == .suspended && Self.isIn(.background, $0.stateMask)))
    }
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard judge.model.state == .suspended, let suspension = judge.model.suspension,
      event.timeNanoseconds
        > sum(suspension.startNanoseconds, judge.toleranceNanoseconds)
    else {
      let state = judge.model.state == .suspended ? .background : judge.model.state
      if let place = firstMatch(event, batch, state, judge) {
        fire(
          place, PendingWitness(event), weight: weight(event, place, batch), in: state, batch, judge
        )
      }
      return
    }
    let whileSuspended = firstMatch(event, batch, .suspended, judge)
    let whileRunning = firstMatch(event, batch, .background, judge)
    guard let place = whileSuspended ?? whileRunning else { return }
    judge.settler.enqueue(
      SuspensionSettler.Call(
        monitor: self, whileSuspended: whileSuspended, whileRunning: whileRunning,
        witness: PendingWitness(event), weight: weight(event, place, batch),
        isInsideCallback: judge.settler.isInsideCallback(event.thread)))
  }

  /// Judges an event whose state was in doubt when it was heard; the event that proves it is of
  /// the batch given.
  func settle(
    _ call: SuspensionSettler.Call, asSuspended: Bool, provenBy: Event?,
    _ batch: EventBatch, _ judge: Judge
  ) {
    if asSuspended, let place = call.whileSuspended {
      let never = clauses[place].never
      if never.ignoresCallbacksWhileSuspended && call.isInsideCallback { return }
      if let other = never.yieldsWhileSuspendedTo, !call.isInsideCallback,
        judge.isEvaluated(other)
      {
        return
      }
      fire(
        place, call.witness, weight: call.weight, in: .suspended, provenBy: provenBy, batch, judge)
    } else if !asSuspended, let place = call.whileRunning {
      fire(place, call.witness, weight: call.weight, in: .background, batch, judge)
    }
  }

  /// Nothing that follows tells whether the app was suspended at an event.
  func leaveUndecided(
    _ call: SuspensionSettler.Call, isInferred: Bool, _ batch: EventBatch, _ judge: Judge
  ) {
    if let place = call.whileSuspended, place == call.whileRunning,
      !(clauses[place].never.ignoresCallbacksWhileSuspended && call.isInsideCallback)
    {
      // Either way it is a violation.
      fire(place, call.witness, weight: call.weight, in: .background, batch, judge)
    } else if isInferred ? call.whileSuspended == nil : call.whileSuspended != nil {
      judge.unknown(ruleIndex, "truncated")
    }
  }

  private static func isIn(_ state: LifecycleState, _ mask: UInt32) -> Bool {
    mask & 1 << UInt32(state.rawValue) != 0
  }

  private func firstMatch(
    _ event: Event, _ batch: EventBatch, _ state: LifecycleState, _ judge: Judge
  ) -> Int? {
    clauses.firstIndex {
      Self.isIn(state, $0.stateMask) && $0.never.event.listens(to: event.kind, event.phase)
        && ($0.never.event.kinds != .appWork || AppWork.counts(event, in: batch))
        && $0.test?.holds(for: judge.hearing(of: event, batch)) != false
    }
  }

  private func fire(
    _ place: Int, _ witness: PendingWitness, weight: Int, in state: LifecycleState,
    provenBy: Event? = nil, _ batch: EventBatch, _ judge: Judge
  ) {
    let compiled = clauses[place]
    let never = compiled.never
    let event = witness.event
    if compiled.applies == false { return }
    if never.silentUnderDebugger && judge.isLimitedBySystem { return }
    if never.lateNanoseconds > 0, state != .suspended,
      judge.interval.isLate(event, by: never.lateNanoseconds)
    {
      return
    }
    if compiled.isWithoutReason && judge.mayRun(at: event.timeNanoseconds, ruleIndex) { return }
    if let found, found.interval == judge.interval.number {
      if place < found.rank {
        judge.replace(
          found.place, with: draft(compiled, witness, state, provenBy, weight, batch, judge))
        self.found?.rank = place
      } else {
        judge.findings.extend(found.place, by: weight, until: event.timeNanoseconds)
      }
      return
    }
    if let doubt = doubt(compiled, state, judge) {
      if unknownInterval != judge.interval.number {
        unknownInterval = judge.interval.number
        judge.unknown(ruleIndex, doubt)
      }
      return
    }
    if quietInterval != judge.interval.number {
      quietInterval = judge.interval.number
      quietCount = 0
    }
    let (count, isOver) = quietCount.addingReportingOverflow(weight)
    quietCount = isOver ? .max : count
    guard quietCount > countMax else { return }
    let place0 = judge.report(
      ruleIndex, draft(compiled, witness, state, provenBy, quietCount, batch, judge),
      evidence: compiled.clause.evidence,
      isSettled: judge.rules[ruleIndex].yields.isEmpty)
    found = (judge.interval.number, place0, place)
  }

  /// Why the clause can't be decided; nil if it can.
  private func doubt(
    _ compiled: Compiled, _ state: LifecycleState, _ judge: Judge
  ) -> String? {
    if !compiled.isCovered { return "coverage" }
    if compiled.applies == nil { return "header-silent" }
    guard compiled.isWithoutReason else { return nil }
    let mayHideReasons =
      judge.model.mayHideReasons
      || (state != .suspended && judge.model.hidReasonsBeforeSuspension)
    return mayHideReasons ? "mid-life" : nil
  }

  private func weight(_ event: Event, _ place: Int, _ batch: EventBatch) -> Int {
    guard let name = clauses[place].never.countArgument,
      let count = batch.integer(name, of: event), count > 1, count < 1 << 40
    else { return 1 }
    return Int(count)
  }

  private func draft(
    _ compiled: Compiled, _ witness: PendingWitness, _ state: LifecycleState,
    _ provenBy: Event?, _ weight: Int, _ batch: EventBatch, _ judge: Judge
  ) -> Draft {
    let offender = witness.witness(role: "offender", in: batch)
    let event = witness.event
    var evidence: [WitnessEvent]
    var confidence = Confidence.certain
    let since: String
    if state == .suspended {
      evidence = judge.suspensionWitness.map { [$0] } ?? []
      let start = judge.suspensionWitness?.timeNanoseconds ?? event.timeNanoseconds
      since =
        "\(readable(nanoseconds: difference(event.timeNanoseconds, start))) after the app was suspended"
      if judge.suspensionIsObservedElsewhere { confidence = .likely }
    } else {
      evidence = judge.interval.witness.map { $0.witness(role: "state", in: batch) }
      if Self.isIn(.launchingBackground, compiled.stateMask),
        evidence.first?.event == "proc.start"
      {
        evidence.removeSubrange(1...)
      }
      if compiled.isWithoutReason {
        // Reasons to run are only known from the launch on.
        let before = [judge.launchWitness, judge.interval.callbackEnter].compactMap { $0 }
        evidence = before.map { $0.witness(role: "state", in: batch) } + evidence
      }
      let elapsed = readable(
        nanoseconds: difference(event.timeNanoseconds, judge.interval.startNanoseconds))
      since =
        switch evidence.last?.event {
        case "proc.resume" where event.timeNanoseconds < judge.interval.startNanoseconds:
          "just before the app was resumed in the background"
        case "proc.start": "\(elapsed) into a launch in the background"
        case "proc.resume": "\(elapsed) after the app was resumed in the background"
        default: "\(elapsed) after the app entered the background"
        }
    }
    evidence.append(offender)
    if let provenBy { evidence.append(batch.witness(provenBy, role: "deadline")) }
    let kindWord = offender.arguments.first { $0.name == "kind" }?.value
    let what =
      if case .string(let word)? = kindWord { "\(offender.event) (\(word))" } else {
        offender.event
      }
    let thread = judge.name(ofThread: event.thread)
    let role = event.thread == judge.model.mainThread ? "main thread" : "other thread"
    return Draft(
      clause: compiled.index,
      message: compiled.clause.message.filled([
        ("what", what), ("thread", thread), ("since", since),
        ("limit", readable(nanoseconds: judge.threshold(ruleIndex))),
      ]),
      subject: "\(what) on \(thread)", fingerprintSubject: "\(what) \(role)",
      timeNanoseconds: event.timeNanoseconds, thread: event.thread, count: weight,
      lastTimeNanoseconds: event.timeNanoseconds, confidence: confidence, witness: evidence,
      context: judge.context(in: batch), intervalNumber: judge.interval.number)
  }
}

/// The condition of a `never` clause that speaks of suspension: states, whether a reason to run is
/// left, and what the header says. Nothing else can be asked of a moment that is judged later.
struct SuspendedScope {
  var states: Set<LifecycleState> = []
  var isWithoutReason = false
  var header: HeaderTest?

  /// The scope of a clause; nil if it doesn't speak of suspension or asks for more.
  init?(_ never: Never) {
    guard let condition = never.event.condition else { return nil }
    let parts =
      if case .all(let parts) = condition { parts } else { [condition] }
    for part in parts {
      switch part {
      case .phase(let states): self.states = states
      case .not(.mayRun): isWithoutReason = true
      case .header(let test): header = test
      default: return nil
      }
    }
    let background: Set<LifecycleState> = [.background, .suspended, .launchingBackground]
    guard states.isSubset(of: background), never.unit == .background,
      states.contains(.suspended) || (isWithoutReason && states == [.background])
    else { return nil }
  }
}
