// The loop over events: who hears what, in which order, and what a life-cycle change means for
// the monitors.

import TraceLifecycle
import TraceModel

/// Runs the monitors of one trace over its events, which come in time order.
///
/// A class, because the loop changes it in place and monitors call back into its judge. Here and in
/// what it calls, what every event touches isn't watched at run time for accesses that overlap.
final class Engine {
  let judge: Judge
  let monitors: [Monitor]
  let plan: RulePlan
  /// Those who must hear of suspensions and stays in the background.
  let followers: [Monitor]
  @safe @exclusivity(unchecked) var gate: DeliveryTable.Gate
  /// Whether the life cycle has changed since those who follow it heard of it.
  @safe @exclusivity(unchecked) var hasNews = false
  /// Which list the templates of the batch at hand have.
  @safe @exclusivity(unchecked) var lists = BatchLists()
  @safe @exclusivity(unchecked) var auditor: SpanAuditor
  /// Measures the life beside the judging; nil if nobody asked.
  @safe @exclusivity(unchecked) var meter: LifeMeter?
  /// Decides what the first of the events means that are held; nil if none are.
  @safe @exclusivity(unchecked) var lookahead: Lookahead?
  var held = BatchAssembler()
  var heldAnomalies: [SpanAnomaly] = []
  /// What was decided last.
  @safe @exclusivity(unchecked) var decision: Lookahead.Decision?
  /// The callbacks under way that are known to return. Each is of another kind.
  var returns: [Lookahead.Decision] = []
  var quality = QualityTally()
  private(set) var eventCount = 0
  @safe @exclusivity(unchecked) private(set) var signs = AppSigns()
  private(set) var firstNanoseconds: Int64?
  /// The time of the last event, judged or held.
  @safe @exclusivity(unchecked) private var lastNanoseconds = Int64.min
  /// Whether the last `trace.end` said that the recording is complete.
  private(set) var endedClean = false
  @safe @exclusivity(unchecked) var launchIsOpen = false
  /// Places in the trace before which events are missing, or the clock of a thread went back.
  private(set) var defects: [(ordinal: Int, thread: Int64?, missingCount: Int)] = []
  @safe @exclusivity(unchecked) var deadlineNanoseconds = Int64.max
  /// The place of the first event of the part at hand.
  private(set) var partStart = 0
  /// The place in the part at hand after the last event that hides what came before it: no
  /// deadline passes with that one, also if it is looked for later.
  @safe @exclusivity(unchecked) var seenStart = 0
  var templateCounts: [Int] = []
  /// The most texts that a batch held.
  var textCountMax = 0

  init(judge: Judge, monitors: [Monitor], plan: RulePlan) {
    self.judge = judge
    self.monitors = monitors
    self.plan = plan
    auditor = SpanAuditor(isExcerpt: judge.options.isExcerpt)
    followers = monitors.filter(\.followsSuspensions)
    judge.take(monitors, plan.takeDeliveries())
    gate = DeliveryTable.Gate(state: judge.model.state, everyEvent: false)
    refreshGate(force: true)
  }

  deinit {
    plan.keep(judge.deliveries, textCountMax: textCountMax)
    judge.forgetHearing()
    for monitor in monitors { monitor.dismantle() }
  }

  // MARK: The loop

  /// Takes the events of a range of a batch.
  func consume(_ batch: EventBatch, _ range: Range<Int>) {
    var start = range.lowerBound
    while let defect = defects.first,
      let index = (start..<range.upperBound).first(where: {
        batch.ordinal(at: $0) >= defect.ordinal
      })
    {
      consumePart(batch, start..<index)
      defects.removeFirst()
      releaseAll(endingAt: batch.timesNanoseconds[index])
      if let thread = defect.thread {
        for monitor in monitors { monitor.threadBroke(thread, judge) }
      } else {
        noteLoss(before: batch.event(at: index), missingCount: defect.missingCount)
      }
      start = index
    }
    consumePart(batch, start..<range.upperBound)
  }

  private func consumePart(_ batch: EventBatch, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    noteEvents(
      batch, range, first: batch.timesNanoseconds[range.lowerBound],
      last: batch.timesNanoseconds[range.upperBound - 1])
    var anomalies: [SpanAnomaly] = []
    auditor.audit(batch, range, into: &anomalies)
    sift(batch, range, anomalies)
  }

  /// Counts events of a batch, of which only the templates need be there.
  func noteEvents(_ batch: EventBatch, _ range: Range<Int>, first: Int64, last: Int64) {
    if firstNanoseconds == nil { firstNanoseconds = first }
    eventCount += range.count
    signs.look(in: batch, range)
    lastNanoseconds = last
    countUnknownNames(batch, range)
  }

  /// Begins a part of a batch.
  func beginPart(_ range: Range<Int>) {
    partStart = range.lowerBound
    seenStart = partStart
    judge.lastIndex = nil
  }

  /// Ends the part of a batch that was judged.
  func endEvents(_ batch: EventBatch, _ range: Range<Int>) {
    deliverDeferred(batch)
    forgetEnter()
    if !range.isEmpty {
      let last = range.upperBound - 1
      passDeadlines(upTo: last, batch)
      settleOldCalls(upTo: last, batch)
      judge.lastNanoseconds = batch.timesNanoseconds[last]
      judge.keptLastWitness = batch.witness(batch.event(at: last), role: "")
    }
    endPart(batch)
  }

  /// Keeps what may still be needed of a batch.
  func endPart(_ batch: EventBatch) {
    for monitor in monitors { monitor.batchEnds(batch, judge) }
    judge.settler.keepWitnesses(from: batch)
    judge.interval.witness.mark { $0.keep(from: batch) }
    judge.stay.witness.mark { $0.keep(from: batch) }
    judge.interval.callbackEnter?.keep(from: batch)
    judge.lastCallbackEnter?.keep(from: batch)
    judge.launchWitness?.keep(from: batch)
    judge.trail.batchEnds(batch)
    judge.spans.batchEnds(batch, judge)
    judge.lastIndex = nil
  }

  /// Looks for the next deadline of all monitors.
  func refreshDeadline() {
    deadlineNanoseconds = .max
    for monitor in monitors {
      deadlineNanoseconds = min(deadlineNanoseconds, monitor.deadlineNanoseconds)
    }
  }

  func refreshGate(force: Bool = false) {
    let now = judge.gate
    let new = DeliveryTable.Gate(state: now.state, everyEvent: now.everyEvent)
    guard force || new != gate else { return }
    gate = new
    judge.deliveries.select(gate)
  }

  func note(_ anomaly: SpanAnomaly, _ batch: EventBatch) {
    switch anomaly.kind {
    case .returnOfClosedSpan: quality.add(.tq03)
    case .returnWithoutEnter: quality.add(.tq04)
    case .crossing(let kind, let thread):
      guard let span = judge.spans.close(kind, onThread: thread, batch) else { return }
      judge.spanLostNanoseconds = batch.timesNanoseconds[anomaly.index]
      for monitor in monitors { monitor.spanLost(span.ordinal, judge) }
    }
  }

  /// Says that the clock of a thread went back at a place in the trace.
  func breakThread(_ thread: Int64, before ordinal: Int) { addDefect(ordinal, thread, 0) }

  /// Says that events are missing before a place in the trace.
  func loseEvents(_ count: Int, before ordinal: Int) { addDefect(ordinal, nil, count) }

  private func addDefect(_ ordinal: Int, _ thread: Int64?, _ missingCount: Int) {
    let place = defects.lastIndex { $0.ordinal <= ordinal }.map { $0 + 1 } ?? 0
    defects.insert((ordinal, thread, missingCount), at: place)
  }

  private func noteLoss(before event: Event, missingCount: Int) {
    let before = (state: judge.model.state, since: judge.model.stateSinceNanoseconds)
    _ = judge.model.noteLoss(before: event)
    hasNews = true
    meter?.noteLoss(before: event, count: missingCount, judge.model)
    auditor.noteLoss()
    judge.refreshGrace()
    lost(EventBatch(), ofThread: nil)
    judge.endInactivity(before.state, since: before.since, at: event.timeNanoseconds, isGap: true)
    judge.interval.isOpen = false
    judge.stay.isOpen = false
    refreshGate()
  }

  private func lost(_ batch: EventBatch, ofThread thread: Int64?) {
    leaveCallsUndecided(batch)
    judge.lostThread = thread
    for monitor in monitors { monitor.lost(judge) }
    judge.spans.removeAll(ofThread: thread)
    judge.lostThread = nil
    judge.currentEnter = nil
  }

  // MARK: Life cycle

  /// Has the life cycle take an event, and notes whether it changed with it.
  func live(_ event: Event, _ batch: EventBatch) {
    let judge = judge
    var hasTold = false
    if judge.suspensionEvidence.isEmpty, isSuspensionEvidence(event, batch) {
      judge.suspensionEvidence = [batch.witness(event, role: "evidence")]
    }
    if event.kind == .procSuspend { judge.hasSuspension = true }
    if event.kind == .traceEnd { endedClean = batch.isText(.reason, "clean", of: event) }
    if launchIsOpen, endLaunchIfDue(event, batch) { hasTold = true }
    switch event.kind {
    case .procStart, .procKill, .procExit: judge.spans.endProcess()
    default: break
    }
    let wasSuspended = judge.model.state == .suspended
    let before = (state: judge.model.state, since: judge.model.stateSinceNanoseconds)
    var isVoid =
      event.kind == .procResume && judge.withModel { $0.ignores(event, in: batch) }
    if judge.withModel({ $0.isPrewarmed }), SuspensionScout.provesRunning(event, batch) {
      judge.model.noteRunning(at: event.timeNanoseconds)
    }
    let decision = decision?.ordinal == event.ordinal ? decision : nil
    var effects = judge.model.apply(event, in: batch, foreseen: decision?.isTrue == true)
    if let decision, decision.isNested {
      judge.nesting = decision.proof
    } else if !judge.nesting.isEmpty {
      judge.nesting = []
    }
    if effects.contains(.suspended), let decision, !decision.isTrue {
      judge.model.refuteSuspension()
      effects.subtract([.suspended, .stateChanged])
      isVoid = true
      if judge.suspensionEvidence.first?.ordinal == event.ordinal {
        judge.suspensionEvidence += decision.proof
      }
      if judge.model.stateBefore != .background {
        judge.voidSuspension = [batch.witness(event, role: "void")] + decision.proof
      }
    }
    if meter != nil { judge.withModel { meter?.note(event, in: batch, $0, effects) } }
    if wasSuspended && judge.model.state != .suspended {
      // The end of the suspension may have been lost: then nothing settles them.
      if !effects.contains(.gap) { settleCalls(before: event, batch) }
    } else if wasSuspended, DeliveryTable.callbackKinds.contains(event.kind) {
      judge.settler.noteCallback(event)
    }
    judge.refreshGrace()
    let isEnd = event.kind == .procExit || event.kind == .procKill
    let goesOn = effects.contains(.midLife) && !launchIsOpen && !isEnd
    if effects.contains(.launchBegan) || goesOn {
      beginLaunch(event, batch)
      // A process of which the trace holds nothing but the end.
      if isEnd { endLaunch(.process(event), batch) }
    }
    // What means something else without later events is no evidence: a suspension that was none,
    // and what is nested in a callback.
    if !isVoid && decision?.isNested != true { judge.trail.note(event) }
    if effects.contains(.gap) {
      lost(batch, ofThread: batch.lostThread(event))
      judge.endInactivity(
        before.state, since: before.since, at: event.timeNanoseconds, isGap: true)
    }
    if isLifecycleCallback(event) {
      judge.endInactivity(before.state, since: before.since, at: event.timeNanoseconds)
    }
    if event.phase == .enter, Self.callbacksIntoBackground.contains(event.kind) {
      judge.lastCallbackEnter = PendingWitness(event)
    }
    updateBackground(event, effects, batch)
    if effects.contains(.suspended) { suspend(event, batch) }
    if effects.contains(.suspensionConfirmed) {
      for monitor in followers { monitor.suspensionConfirmed(batch, judge) }
    }
    if effects.contains(.resumed) {
      for monitor in followers { monitor.resumed(event, batch, judge) }
    }
    settleRunningCalls(event, batch)
    let hasToldMonitors =
      hasTold
      || !effects.isDisjoint(with: [
        .launchBegan, .midLife, .gap, .suspended, .suspensionConfirmed, .resumed, .leftBackground,
      ])
    if hasToldMonitors { refreshDeadline() }
    if hasTold || !effects.isEmpty || judge.model.state != judge.model.stateBefore {
      hasNews = true
    }
  }

  private func isSuspensionEvidence(_ event: Event, _ batch: EventBatch) -> Bool {
    event.kind == .procSuspend
      || (event.kind == .workSample && batch.isText(.label, "heartbeat", of: event))
  }

  private func beginLaunch(_ event: Event, _ batch: EventBatch) {
    launchIsOpen = true
    judge.isLaunchOpen = true
    let isMidLife = judge.model.launch?.isMidLife == true
    judge.isFirstSign =
      isMidLife && judge.model.launch?.number == 1 && event.kind != .traceStart
    judge.launchWitness = event.kind == .procStart ? PendingWitness(event) : nil
    judge.interval.isOpen = false
    judge.stay.isOpen = false
    judge.trail.launchBegan()
    judge.voidSuspension = []
    if isMidLife { judge.spans.removeAll() }
    judge.currentEnter = nil
    for monitor in monitors { monitor.launchBegan(judge) }
  }

  private func endLaunchIfDue(_ event: Event, _ batch: EventBatch) -> Bool {
    switch event.kind {
    case .procExit, .procKill: endLaunch(.process(event), batch)
    case .traceEnd:
      endLaunch(endedClean ? .recordingEnded(event) : .truncated(event), batch)
    default:
      guard judge.endsLaunch(event, in: batch) else { return false }
      endLaunch(.newStart(event), batch)
    }
    return true
  }

  private func endLaunch(_ end: LaunchEnd, _ batch: EventBatch) {
    launchIsOpen = false
    judge.isLaunchOpen = false
    if case .process(let event) = end {
      settleCalls(atEnd: event, batch)
    } else {
      settleCalls(atEnd: nil, batch)
    }
    judge.isEnding = true
    for monitor in monitors { monitor.launchEnds(end, batch, judge) }
    judge.endInactivityWithLaunch()
    judge.isEnding = false
    judge.settleLaunch()
  }

  /// Ends the trace.
  func end() {
    releaseAll(endingAt: lastNanoseconds)
    let batch = EventBatch()
    if launchIsOpen { endLaunch(.truncated(nil), batch) }
    judge.model.endTrace(lastNanoseconds: judge.lastNanoseconds ?? 0)
    meter?.finish(lastNanoseconds: judge.lastNanoseconds ?? 0)
  }
}
