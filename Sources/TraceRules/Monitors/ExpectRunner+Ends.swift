// What the end of a launch means for the instances of an `expect` clause, and a suspension.

import TraceLifecycle
import TraceModel

extension ExpectRunner {
  // MARK: Violations

  func violate(
    _ instance: InstanceTable.Instance, at time: Int64, by certain: WitnessEvent?,
    limit: String = "", now: Int64, _ batch: EventBatch, _ judge: Judge
  ) {
    let later = PendingSuspension.Violation(
      timeNanoseconds: time, certain: certain, limit: limit, stretch: judge.stretch,
      doubt: instance.doubt)
    // If the suspension turns out to be certain, it was the first that was due.
    if isPending(instance.ordinal, at: now), pending?.note(later, instance.ordinal) == true {
      return
    }
    if isWithinTolerance(now) { pending?.remove(instance.ordinal) }
    report(instance, later, batch, judge)
  }

  func report(
    _ instance: InstanceTable.Instance, _ violation: PendingSuspension.Violation,
    _ batch: EventBatch, _ judge: Judge
  ) {
    if let doubt = violation.doubt {
      return monitor.doubt(
        clauseIndex, .event, key: instance.key,
        event: monitor.ledger.arena[instance.evidence]?.event, doubt, judge)
    }
    let time = violation.timeNanoseconds
    monitor.report(
      clauseIndex,
      Violation(
        unit: expect.unit, key: instance.key,
        opening: monitor.ledger.arena[instance.evidence], certainBy: violation.certain,
        timeNanoseconds: time, thread: instance.thread,
        durationNanoseconds: difference(time, instance.openNanoseconds),
        limit: violation.limit.isEmpty
          ? readable(nanoseconds: difference(time, instance.openNanoseconds)) : violation.limit,
        others: [monitor.ledger.arena[instance.enterEvidence]].compactMap { $0 },
        stretch: violation.stretch),
      nil, batch, judge)
  }

  /// The time that was over, for people.
  func limit(_ place: Int, _ judge: Judge) -> String {
    switch expect.due[place] {
    case .within(let time), .after(_, let time, _, _):
      judge.readable(time.amount, monitor.ruleIndex)
    default: ""
    }
  }

  // MARK: Ends

  /// Judges the instances for which the end of the process is due, or that of the recording.
  func judgeEnd(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    for (place, due) in expect.due.enumerated() {
      switch (due, end) {
      case (.processEnd(_, _, _), .process(let event)):
        let hearing = Hearing(event: event, batch: batch, judge: judge)
        let fits = duePatterns[place]?.contains {
          $0.pattern.listens(to: event.kind, event.phase)
            && $0.fits(hearing) == true
            && $0.condition.map { monitor.value($0, hearing, []) == true } ?? true
        }
        if fits == true {
          endProcess(place, event, batch, judge)
        } else {
          doubtOtherEnd(place, event, "ended-by-system", batch, judge)
        }
      case (.processEnd(_, orNewStart: true, _), .newStart(let event)):
        endProcess(place, event, batch, judge)
      case (.processEnd(_, orNewStart: false, while: _?), .newStart(let event)):
        doubtOtherEnd(place, event, "truncated", batch, judge)
      case (.recordingEnd, .recordingEnded(let event)):
        violateAll(event, batch, judge) { _ in true }
      default: break
      }
    }
  }

  /// The end says nothing on what would have been closed.
  private func doubtOtherEnd(
    _ place: Int, _ event: Event, _ reason: String, _ batch: EventBatch, _ judge: Judge
  ) {
    let hearing = Hearing(event: event, batch: batch, judge: judge)
    for slot in table.openSlots {
      guard let instance = table[slot] else { continue }
      let mayBeDue =
        endConditions[place].map { monitor.value($0, hearing, instance: instance.key) } ?? true
      if mayBeDue != false { judge.unknown(monitor.ruleIndex, reason) }
    }
  }

  private func endProcess(_ place: Int, _ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let hearing = Hearing(event: event, batch: batch, judge: judge)
    violateAll(event, batch, judge) { instance in
      endConditions[place].map { monitor.value($0, hearing, instance: instance.key) } ?? true
    }
  }

  private func violateAll(
    _ event: Event, _ batch: EventBatch, _ judge: Judge,
    _ holds: (InstanceTable.Instance) -> Bool?
  ) {
    for slot in table.openSlots {
      guard let instance = table[slot] else { continue }
      switch holds(instance) {
      case true?:
        violate(
          instance, at: event.timeNanoseconds, by: batch.witness(event, role: "offender"),
          now: event.timeNanoseconds, batch, judge)
        release(slot)
      case nil:
        monitor.doubt(
          clauseIndex, expect.unit, key: instance.key, event: event, monitor.doubtReason(judge),
          judge)
        release(slot)
      case false?: continue
      }
    }
  }

  // MARK: What stays open

  /// Says what can't be decided as the launch is over.
  func doubtOpen(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if end.stopsRecording || waitsForSuspension(judge) { doubtWaiting(end, judge) }
    switch end {
    case .truncated(let last): doubtEnds(last, batch, judge)
    case .recordingEnded(let last): doubtEnds(last, batch, judge)
    default: break
    }
  }

  /// A suspension decides, and the launch ends in the background without one.
  private func waitsForSuspension(_ judge: Judge) -> Bool {
    let isWaiting = hasSuspensionDue.observed || hasSuspensionDue.inferred
    let state = judge.model.state
    return isWaiting && (state == .background || state == .enteringBackground)
  }

  private func doubtWaiting(_ end: LaunchEnd, _ judge: Judge) {
    let isAnyWaiting = waitsForSuspension(judge)
    for slot in table.openSlots {
      guard let instance = table[slot] else { continue }
      let isTimed =
        (end.isCutOff || (end.stopsRecording && !expect.mayStayOpen))
        && timers.contains { $0?.waits(slot, instance.generation) == true }
      if isTimed || isAnyWaiting || (end.isCutOff && expect.isUndecidedIfCutOff) {
        let reason =
          end.isCutOff ? "truncated" : isTimed ? "recording-ended" : "no-suspension-recorded"
        monitor.doubt(clauseIndex, expect.unit, key: instance.key, event: nil, reason, judge)
      }
    }
  }

  /// What the end of the process would decide, and the recording stops before it.
  private func doubtEnds(_ last: Event?, _ batch: EventBatch, _ judge: Judge) {
    for (place, due) in expect.due.enumerated() {
      switch due {
      case .processEnd, .recordingEnd: break
      default: continue
      }
      for slot in table.openSlots {
        guard let instance = table[slot] else { continue }
        let time = last?.timeNanoseconds ?? judge.lastNanoseconds ?? 0
        let holds =
          endConditions[place].map {
            monitor.value($0, at: time, instance: instance.key, batch, judge)
          } ?? true
        if holds != false {
          monitor.doubt(
            clauseIndex, .key, key: instance.key, event: nil, "recording-ended", judge)
        }
      }
    }
  }

  // MARK: Suspension

  /// Takes note of what is open at a suspension, until it is certain.
  func awaitSuspension(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let suspension = judge.model.suspension else { return }
    var slots: [Int] = []
    if suspension.isInferred ? hasSuspensionDue.inferred : hasSuspensionDue.observed {
      slots = table.openSlots
    } else {
      for place in timerOrder {
        if case .after(_, _, orSuspension: true, _) = expect.due[place] {
          slots += timers[place]?.waitingSlots(where: { table.isOpen($0, $1) }) ?? []
        }
      }
    }
    guard !slots.isEmpty else { return }
    pending = PendingSuspension(
      suspension: batch.witness(event, role: "offender"), timeNanoseconds: event.timeNanoseconds,
      stretch: judge.stretch, instances: slots.compactMap { table[$0] },
      awaitsConfirmation: suspension.isInferred && !suspension.isConfirmed)
  }

  /// Whether a time is so soon after a suspension that it counts as before it.
  func isWithinTolerance(_ time: Int64) -> Bool {
    guard let pending else { return false }
    return difference(time, pending.timeNanoseconds) <= monitor.toleranceNanoseconds
  }

  /// Whether an instance was open at a suspension that is past and not yet certain.
  func isPending(_ ordinal: Int, at time: Int64) -> Bool {
    guard let pending, pending.awaitsConfirmation else { return false }
    return pending.holds(ordinal) && !isWithinTolerance(time)
  }

  /// Judges what was open at a suspension that is certain by now.
  func settle(_ batch: EventBatch, _ judge: Judge) {
    guard let known = pending, !known.awaitsConfirmation else { return }
    pending = nil
    let violation = PendingSuspension.Violation(
      timeNanoseconds: known.timeNanoseconds, certain: known.suspension, limit: "",
      stretch: known.stretch)
    for item in known.items {
      var violation = violation
      violation.doubt = item.instance.doubt
      report(item.instance, violation, batch, judge)
      if let slot = slot(of: item.instance) {
        release(slot)
      } else {
        releaseEvidence(item.instance)
      }
      if let next = item.successor { open(next) }
    }
  }

  /// Opens what was opened again while the first instance should have been gone.
  private func open(_ next: PendingSuspension.Successor) {
    guard table.slot(of: next.key) == nil else {
      return monitor.ledger.arena.release(next.evidence)
    }
    let slot = table.open(next.event, key: next.key, evidence: next.evidence)
    // Its time would have had to run since then.
    if !timerOrder.isEmpty { table.change(slot) { $0.doubt = "unconfirmed" } }
  }

  private func slot(of instance: InstanceTable.Instance) -> Int? {
    let slots =
      expect.isSpan
      ? [table.slot(ofSpan: instance.ordinal)].compactMap { $0 } : table.slots(of: instance.key)
    return slots.first { table.isOpen($0, instance.generation) }
  }

  /// Forgets a suspension that nothing confirmed.
  func dropPending(_ batch: EventBatch, _ judge: Judge) {
    guard let known = pending else { return }
    pending = nil
    for item in known.items {
      let isOpen = slot(of: item.instance) != nil
      if let later = item.later {
        report(item.instance, later, batch, judge)
      } else if hasSuspensionDue.inferred, judge.isEnding || !isOpen {
        // Perhaps it was open while the app was suspended.
        monitor.doubt(
          clauseIndex, expect.unit, key: item.instance.key,
          event: monitor.ledger.arena[item.instance.evidence]?.event, "unconfirmed", judge)
      }
      if let next = item.successor { monitor.ledger.arena.release(next.evidence) }
      if !isOpen { releaseEvidence(item.instance) }
    }
  }

  func releaseEvidence(_ instance: InstanceTable.Instance) {
    monitor.ledger.arena.release(instance.evidence)
    monitor.ledger.arena.release(instance.enterEvidence)
  }
}
