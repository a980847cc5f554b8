// Deadlines that pass, and events of which it isn't known on which side of a suspension they fall.

import TraceLifecycle
import TraceModel

extension Engine {
  /// Has monitors judge what the events up to a place of the batch make certain. The first event
  /// after a deadline counts, heard or not, so that a judgement doesn't depend on who listens.
  func passDeadlines(upTo index: Int, _ batch: EventBatch) {
    let now = batch.timesNanoseconds[index]
    for monitor in monitors {
      while monitor.deadlineNanoseconds < now {
        let deadline = monitor.deadlineNanoseconds
        let first = firstIndex(after: deadline, upTo: index, batch)
        monitor.advance(to: batch.event(at: first), batch, judge)
        if monitor.deadlineNanoseconds <= deadline { break }
      }
    }
    refreshDeadline()
    if refreshGate() { makeTemplateRow(batch) }
  }

  /// The first event of the part at hand that is later than a time, if the one given is. The
  /// events of a part are in order of time, so that halving finds it.
  private func firstIndex(after time: Int64, upTo index: Int, _ batch: EventBatch) -> Int {
    var low = partStart
    var high = index
    while low < high {
      let middle = low + (high - low) / 2
      if batch.timesNanoseconds[middle] > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Whether code certainly ran between an inferred suspension and this event.
  func isContradicted(by event: Event) -> Bool {
    guard let oldest = judge.settler.oldestNanoseconds else { return false }
    return oldest
      < difference(event.timeNanoseconds, judge.toleranceNanoseconds)
  }

  /// Takes note of an event in an inferred suspension that shows that code ran, whoever hears it.
  func noteRunning(_ event: Event, _ batch: EventBatch) {
    guard let suspension = judge.model.suspension, suspension.isInferred,
      event.timeNanoseconds > sum(suspension.startNanoseconds, judge.toleranceNanoseconds)
    else { return }
    let isWork = AppWork.kinds.contains(event.kind) && AppWork.counts(event, in: batch)
    guard isWork || (ListenRows.callbackKinds.contains(event.kind) && event.phase != .return)
    else { return }
    judge.settler.enqueue(
      SuspensionSettler.Call(
        monitor: nil, whileSuspended: nil, whileRunning: nil, witness: PendingWitness(event),
        weight: 1, isInsideCallback: false))
  }

  func refute(_ event: Event, _ batch: EventBatch) {
    judge.model.refuteSuspension()
    judge.refreshGrace()
    while !judge.settler.isEmpty {
      let call = judge.settler.removeOldest()
      call.monitor?.settle(call, asSuspended: false, provenBy: nil, batch, judge)
    }
    judge.settler.removeAll()
    for monitor in monitors { monitor.suspensionRefuted(event, judge) }
    refreshDeadline()
  }

  /// Settles the events that are older than the tolerance while the suspension goes on.
  func settleOldCalls(upTo index: Int, _ batch: EventBatch) {
    guard judge.model.state == .suspended else { return }
    let now = batch.timesNanoseconds[index]
    let tolerance = judge.toleranceNanoseconds
    while let oldest = judge.settler.oldestNanoseconds,
      difference(now, oldest) > tolerance || judge.settler.isOverfull
    {
      let first = firstIndex(after: sum(oldest, tolerance), upTo: index, batch)
      let event = batch.event(at: first)
      if judge.model.suspension?.isInferred == true {
        refute(event, batch)
        refreshGate()
        makeTemplateRow(batch)
        return
      }
      let call = judge.settler.removeOldest()
      call.monitor?.settle(
        call, asSuspended: true, provenBy: event, batch, judge)
    }
  }

  /// Settles as suspended what happened before a resume by more than the tolerance.
  func settleCalls(before event: Event, _ batch: EventBatch) {
    let tolerance = judge.toleranceNanoseconds
    while let oldest = judge.settler.oldestNanoseconds,
      oldest < difference(event.timeNanoseconds, tolerance)
    {
      let call = judge.settler.removeOldest()
      call.monitor?.settle(
        call, asSuspended: true, provenBy: event, batch, judge)
    }
  }

  /// Settles as running what is left after a resume.
  func settleRunningCalls(_ event: Event, _ batch: EventBatch) {
    guard judge.model.state != .suspended else { return }
    while !judge.settler.isEmpty {
      let call = judge.settler.removeOldest()
      if judge.interval.isOpen {
        call.monitor?.settle(call, asSuspended: false, provenBy: nil, batch, judge)
      }
    }
    judge.settler.removeAll()
  }

  func settleCalls(atEnd end: LaunchEnd, _ batch: EventBatch) {
    guard judge.model.state == .suspended else { return judge.settler.removeAll() }
    let isInferred = judge.model.suspension?.isInferred == true
    while !judge.settler.isEmpty {
      let call = judge.settler.removeOldest()
      if case .process(let event) = end, !isInferred {
        call.monitor?.settle(
          call, asSuspended: true, provenBy: event, batch, judge)
      } else if isInferred ? call.isOnlyRunning : call.whileSuspended != nil {
        // Several clauses may have heard the same event; it counts once.
        if let monitor = call.monitor { judge.unknown(monitor.ruleIndex, "truncated") }
      }
    }
    judge.settler.removeAll()
  }
}
