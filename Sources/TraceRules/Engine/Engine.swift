// The loop over events: who hears what, in which order, and what a life-cycle change means for
// the monitors.

import TraceLifecycle
import TraceModel

/// Runs the monitors of one trace over its events, which come in time order.
///
/// A class, because the loop changes it in place and monitors call back into its judge.
final class Engine {
  let judge: Judge
  let monitors: [Monitor]
  private var rows = ListenRows()
  private var gate: ListenRows.Gate
  private var templateRow: [UInt32] = []
  private var auditor = SpanAuditor()
  private var anomalies: [SpanAnomaly] = []
  private(set) var quality = QualityTally()
  private(set) var eventCount = 0
  private(set) var firstNanoseconds: Int64?
  /// Whether the last `trace.end` said that the recording is complete.
  private(set) var endedClean = false
  private var launchIsOpen = false
  /// Places in the trace before which events are missing, or the clock of a thread went back.
  private var defects: [(ordinal: Int, thread: Int64?)] = []
  private var deadlineNanoseconds = Int64.max
  /// The place of the first event of the part at hand.
  private(set) var partStart = 0
  private var templateCounts: [Int] = []

  init(judge: Judge, monitors: [Monitor]) {
    self.judge = judge
    self.monitors = monitors
    gate = ListenRows.Gate(state: judge.model.state, everyEvent: false)
    refreshGate(force: true)
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
      if let thread = defect.thread {
        for monitor in monitors { monitor.threadBroke(thread, judge) }
      } else {
        noteLoss(before: batch.event(at: index))
      }
      start = index
    }
    consumePart(batch, start..<range.upperBound)
  }

  private func consumePart(_ batch: EventBatch, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    judge.batchNumber += 1
    partStart = range.lowerBound
    judge.lastIndex = nil
    if firstNanoseconds == nil { firstNanoseconds = batch.timesNanoseconds[range.lowerBound] }
    eventCount += range.count
    countUnknownNames(batch, range)
    anomalies.removeAll(keepingCapacity: true)
    auditor.audit(batch, range, into: &anomalies)
    var anomaly = 0
    makeTemplateRow(batch)
    for index in range {
      let number = templateRow[Int(batch.templateIndices[index])]
      if number != 0 {
        hear(batch, index, number, isFirst: index == range.lowerBound)
      }
      while anomaly < anomalies.count, anomalies[anomaly].index <= index {
        note(anomalies[anomaly], batch)
        anomaly += 1
      }
    }
    let last = range.upperBound - 1
    passDeadlines(upTo: last, batch)
    settleOldCalls(upTo: last, batch)
    for monitor in monitors { monitor.batchEnds(batch, judge) }
    judge.settler.keepWitnesses(from: batch)
    judge.interval.witness.mark { $0.keep(from: batch) }
    judge.stay.witness.mark { $0.keep(from: batch) }
    judge.interval.callbackEnter?.keep(from: batch)
    judge.lastCallbackEnter?.keep(from: batch)
    judge.launchWitness?.keep(from: batch)
    judge.trail.batchEnds(batch)
    judge.spans.batchEnds(batch)
    judge.lastNanoseconds = batch.timesNanoseconds[last]
    judge.keptLastWitness = batch.witness(batch.event(at: last), role: "")
    judge.lastIndex = nil
  }

  private func hear(_ batch: EventBatch, _ index: Int, _ number: UInt32, isFirst: Bool) {
    let event = batch.event(at: index)
    if !isFirst {
      judge.lastIndex = index - 1
      judge.lastNanoseconds = batch.timesNanoseconds[index - 1]
    }
    if event.timeNanoseconds > deadlineNanoseconds { passDeadlines(upTo: index, batch) }
    if !judge.settler.isEmpty { settleOldCalls(upTo: index, batch) }
    var isNewGate = false
    if number & ListenRows.lifecycleBit != 0 {
      if live(event, batch) { refreshDeadline() }
      let now = judge.gate
      isNewGate = now.state != gate.state || now.everyEvent != gate.everyEvent
    }
    if let enter = judge.currentEnter {
      judge.spans.forget(enter)
      judge.currentEnter = nil
    }
    if number & ListenRows.spanBit != 0 {
      if event.phase == .enter {
        judge.enterSpan(event, batch)
      } else if event.phase == .return {
        judge.currentEnter = judge.spans.leave(event)
      }
    }
    let list = Int(number & ListenRows.listMask)
    if list != 0 {
      for place in rows.lists[list] {
        let monitor = monitors[place]
        guard launchIsOpen || monitor.hearsBetweenLaunches else { continue }
        monitor.hear(event, batch, judge)
        deadlineNanoseconds = min(deadlineNanoseconds, monitor.deadlineNanoseconds)
      }
    }
    if isNewGate, refreshGate() { makeTemplateRow(batch) }
  }

  /// Looks for the next deadline of all monitors.
  func refreshDeadline() {
    deadlineNanoseconds = .max
    for monitor in monitors {
      deadlineNanoseconds = min(deadlineNanoseconds, monitor.deadlineNanoseconds)
    }
  }

  @discardableResult
  func refreshGate(force: Bool = false) -> Bool {
    let now = judge.gate
    let new = ListenRows.Gate(state: now.state, everyEvent: now.everyEvent)
    guard force || new != gate else { return false }
    gate = new
    rows.select(gate)
    return true
  }

  func makeTemplateRow(_ batch: EventBatch) {
    templateRow.removeAll(keepingCapacity: true)
    for template in batch.templates {
      templateRow.append(
        rows.number(template.kind, template.phase, monitors, judge.spans))
    }
  }

  private func countUnknownNames(_ batch: EventBatch, _ range: Range<Int>) {
    let hasUnknownNames =
      batch.kindNames.count > 0 || batch.argumentNames.count > 0
      || batch.templates.contains { $0.kind.isKnown && Vocabulary.description(of: $0.kind) == nil }
    guard hasUnknownNames else { return }
    templateCounts.removeAll(keepingCapacity: true)
    for _ in batch.templates { templateCounts.append(0) }
    for index in range { templateCounts[Int(batch.templateIndices[index])] += 1 }
    for (place, template) in batch.templates.enumerated() where templateCounts[place] > 0 {
      let slots = batch.slots[
        Int(template.firstSlot)..<Int(template.firstSlot) + Int(template.slotCount)]
      let unknown =
        (Vocabulary.description(of: template.kind) == nil ? 1 : 0)
        + slots.count { !$0.name.isKnown }
      if unknown > 0 { quality.add(.tq10, count: unknown * templateCounts[place]) }
    }
  }

  private func note(_ anomaly: SpanAnomaly, _ batch: EventBatch) {
    switch anomaly.kind {
    case .returnOfClosedSpan: quality.add(.tq03)
    case .returnWithoutEnter: quality.add(.tq04)
    case .crossing(let kind, let thread):
      guard let span = judge.spans.close(kind, onThread: thread) else { return }
      for monitor in monitors { monitor.spanLost(span.ordinal, judge) }
    }
  }

  /// Says that the clock of a thread went back at a place in the trace.
  func breakThread(_ thread: Int64, before ordinal: Int) { addDefect(ordinal, thread) }

  /// Says that events are missing before a place in the trace.
  func loseEvents(before ordinal: Int) { addDefect(ordinal, nil) }

  private func addDefect(_ ordinal: Int, _ thread: Int64?) {
    let place = defects.lastIndex { $0.ordinal <= ordinal }.map { $0 + 1 } ?? 0
    defects.insert((ordinal, thread), at: place)
  }

  private func noteLoss(before event: Event) {
    _ = judge.model.noteLoss(before: event)
    judge.refreshGrace()
    judge.interval.isOpen = false
    judge.stay.isOpen = false
    lost()
    refreshGate()
  }

  private func lost() {
    for monitor in monitors { monitor.lost(judge) }
    judge.settler.removeAll()
    judge.spans.removeAll()
    judge.currentEnter = nil
  }

  // MARK: Life cycle

  /// Has the life cycle take an event, and says whether monitors were told of something.
  private func live(_ event: Event, _ batch: EventBatch) -> Bool {
    let judge = judge
    var hasTold = false
    if judge.suspensionEvidence == nil, isSuspensionEvidence(event, batch) {
      judge.suspensionEvidence = batch.witness(event, role: "evidence")
    }
    if event.kind == .traceEnd { endedClean = batch.isText(.reason, "clean", of: event) }
    if launchIsOpen, endLaunchIfDue(event, batch) { hasTold = true }
    let wasSuspended = judge.model.state == .suspended
    let mayBeRefuted =
      wasSuspended && !judge.settler.isEmpty && judge.model.suspension?.isInferred == true
    let before = mayBeRefuted ? judge.model : nil
    var effects = judge.model.apply(event, in: batch)
    if wasSuspended && judge.model.state != .suspended {
      if let before, isContradicted(by: event) {
        judge.model = before
        refute(event, batch)
        effects = judge.model.apply(event, in: batch)
        hasTold = true
      }
      settleCalls(before: event, batch)
    } else if wasSuspended, ListenRows.callbackKinds.contains(event.kind) {
      judge.settler.noteCallback(event)
    }
    if wasSuspended && judge.model.state == .suspended { noteRunning(event, batch) }
    judge.refreshGrace()
    let isEnd = event.kind == .procExit || event.kind == .procKill
    let goesOn = effects.contains(.midLife) && !launchIsOpen && !isEnd
    if effects.contains(.launchBegan) || goesOn { beginLaunch(event, batch) }
    judge.trail.note(event)
    if effects.contains(.gap) { lost() }
    if effects.contains(.suspended) { suspend(event, batch) }
    if effects.contains(.suspensionConfirmed) {
      for monitor in monitors { monitor.suspensionConfirmed(batch, judge) }
    }
    if event.phase != .return, judge.model.state == .resigning || judge.model.state == .inactive,
      judge.model.stateBefore != .resigning, effects.contains(.stateChanged)
    {
      judge.inactiveNumber += 1
    }
    if event.phase == .enter, Self.callbacksIntoBackground.contains(event.kind) {
      judge.lastCallbackEnter = PendingWitness(event)
    }
    updateBackground(event, effects, batch)
    if effects.contains(.resumed) {
      for monitor in monitors { monitor.resumed(event, batch, judge) }
    }
    settleRunningCalls(event, batch)
    return hasTold
      || !effects.isDisjoint(with: [
        .launchBegan, .midLife, .gap, .suspended, .suspensionConfirmed, .resumed, .leftBackground,
      ])
  }

  /// The callbacks at whose return the app is in the background.
  private static let callbacksIntoBackground: [EventKind] = [
    .delegateDidEnterBackground, .sceneDidEnterBackground, .delegateDidFinishLaunching,
  ]

  private func isSuspensionEvidence(_ event: Event, _ batch: EventBatch) -> Bool {
    event.kind == .procSuspend
      || (event.kind == .workSample && batch.isText(.label, "heartbeat", of: event))
  }

  private func beginLaunch(_ event: Event, _ batch: EventBatch) {
    launchIsOpen = true
    judge.isLaunchOpen = true
    judge.launchWitness = event.kind == .procStart ? PendingWitness(event) : nil
    judge.interval.isOpen = false
    judge.stay.isOpen = false
    judge.trail.launchBegan()
    judge.spans.removeAll()
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
    settleCalls(atEnd: end, batch)
    judge.isEnding = true
    for monitor in monitors { monitor.launchEnds(end, batch, judge) }
    judge.isEnding = false
  }

  private func suspend(_ event: Event, _ batch: EventBatch) {
    if event.kind == .procSuspend { judge.hasSuspension = true }
    judge.suspensionWitness = batch.witness(event, role: "state")
    judge.suspensionIsObservedElsewhere =
      batch.isText(.evidence, "os_log", of: event)
      || batch.isText(.evidence, "assertion_model", of: event)
    for monitor in monitors { monitor.suspended(event, batch, judge) }
  }

  private func updateBackground(_ event: Event, _ effects: LifecycleEffects, _ batch: EventBatch) {
    let state = judge.model.state
    let isBackground =
      state == .background || state == .suspended || state == .launchingBackground
    if judge.stay.isOpen && !state.isBackgroundOrSuspended {
      for monitor in monitors { monitor.backgroundStayEnds(event, batch, judge) }
      judge.stay.isOpen = false
    }
    if !isBackground {
      judge.interval.isOpen = false
    } else if !judge.interval.isOpen || effects.contains(.resumed) {
      judge.interval.isOpen = true
      judge.interval.number += 1
      judge.interval.startNanoseconds = event.timeNanoseconds
      judge.interval.callbackThread =
        event.phase != .enter && Self.callbacksIntoBackground.contains(event.kind)
        ? event.thread : nil
      judge.interval.witness = [PendingWitness(event)]
      judge.interval.callbackEnter = event.phase == .return ? judge.lastCallbackEnter : nil
    } else if state == .background, judge.model.stateBefore == .launchingBackground,
      effects.contains(.stateChanged)
    {
      judge.interval.witness.append(PendingWitness(event))
      judge.interval.callbackEnter = event.phase == .return ? judge.lastCallbackEnter : nil
    }
    if state.isBackgroundOrSuspended && !judge.stay.isOpen {
      judge.stay = BackgroundStay(
        isOpen: true,
        startRunNanoseconds: judge.runTimeNanoseconds(at: event.timeNanoseconds),
        witness: judge.interval.witness)
    }
  }

  /// Ends the trace.
  func end() {
    let batch = EventBatch()
    if launchIsOpen { endLaunch(.truncated(nil), batch) }
    judge.model.endTrace(lastNanoseconds: judge.lastNanoseconds ?? 0)
  }
}
