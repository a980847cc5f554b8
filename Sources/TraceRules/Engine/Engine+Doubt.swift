// Deadlines that pass, and events of which it isn't known on which side of a suspension they fall.

import TraceLifecycle
import TraceModel

extension Engine {
  func passDeadlines(_ event: Event, _ batch: EventBatch) {
    for monitor in monitors where monitor.deadlineNanoseconds < event.timeNanoseconds {
      monitor.advance(to: event, batch, judge)
    }
    if refreshDeadline(), refreshGate() { makeTemplateRow(batch) }
  }

  /// Whether code certainly ran between an inferred suspension and this event.
  func isContradicted(by event: Event) -> Bool {
    guard let oldest = judge.settler.oldestNanoseconds else { return false }
    return oldest
      < difference(event.timeNanoseconds, judge.toleranceNanoseconds)
  }

  func refute(_ event: Event, _ batch: EventBatch) {
    judge.model.refuteSuspension()
    judge.refreshGrace()
    while !judge.settler.isEmpty {
      let call = judge.settler.removeOldest()
      call.monitor.settle(call, asSuspended: false, provenBy: nil, batch, judge)
    }
    judge.settler.removeAll()
  }

  /// Settles the events that are older than the tolerance while the suspension goes on.
  func settleOldCalls(now: Int64, _ event: Event, _ batch: EventBatch) {
    guard judge.model.state == .suspended else { return }
    let tolerance = judge.toleranceNanoseconds
    while let oldest = judge.settler.oldestNanoseconds,
      difference(now, oldest) > tolerance || judge.settler.isOverfull
    {
      if judge.model.suspension?.isInferred == true {
        refute(event, batch)
        refreshGate()
        makeTemplateRow(batch)
        return
      }
      let call = judge.settler.removeOldest()
      call.monitor.settle(
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
      call.monitor.settle(
        call, asSuspended: true, provenBy: event, batch, judge)
    }
  }

  /// Settles as running what is left after a resume.
  func settleRunningCalls(_ event: Event, _ batch: EventBatch) {
    guard judge.model.state != .suspended else { return }
    while !judge.settler.isEmpty {
      let call = judge.settler.removeOldest()
      if judge.interval.isOpen {
        call.monitor.settle(call, asSuspended: false, provenBy: nil, batch, judge)
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
        call.monitor.settle(
          call, asSuspended: true, provenBy: event, batch, judge)
      } else {
        judge.unknown(call.monitor.ruleIndex, "truncated")
      }
    }
    judge.settler.removeAll()
  }
}
