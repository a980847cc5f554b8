// Deadlines that pass, and events of which it isn't known on which side of a suspension they fall.

import TraceLifecycle
import TraceModel

extension Engine {
  /// Has monitors judge what an event makes certain, if a deadline lies before it.
  @inline(__always)
  func passDeadlines(at index: Int, _ batch: EventBatch) {
    if batch.timesNanoseconds[index] > deadlineNanoseconds {
      passDeadlines(upTo: index, batch)
    }
  }

  /// Has monitors judge what the events of the part at hand before an event make certain.
  func passDeadlines(before index: Int, _ batch: EventBatch) {
    if index > partStart { passDeadlines(at: index - 1, batch) }
  }

  /// Has monitors judge what the events up to a place of the batch make certain. The first event
  /// after a deadline counts, heard or not, so that a judgement doesn't depend on who listens.
  func passDeadlines(upTo index: Int, _ batch: EventBatch) {
    guard index >= seenStart else { return }
    let now = batch.timesNanoseconds[index]
    let isAfterGap = hidesWhatCameBefore(index, batch)
    let isGap = isAfterGap && !judge.endsLaunch(batch.event(at: index), in: batch)
    for monitor in monitors {
      while monitor.deadlineNanoseconds < now {
        let deadline = monitor.deadlineNanoseconds
        let first = firstIndex(after: deadline, from: seenStart, upTo: index, batch)
        if first == index && isAfterGap {
          guard !isGap, let monitor = monitor as? RuleMonitor else { break }
          monitor.advanceOverLaunches(to: batch.event(at: first), batch, judge)
        } else {
          monitor.advance(to: batch.event(at: first), batch, judge)
        }
        if monitor.deadlineNanoseconds <= deadline { break }
      }
    }
    if isAfterGap { seenStart = index + 1 }
    refreshDeadline()
    refreshGate()
  }

  /// Whether the time up to an event can't be known to have passed for the app: events were lost
  /// before it, or another process starts and nobody has seen the end of the one before.
  private func hidesWhatCameBefore(_ index: Int, _ batch: EventBatch) -> Bool {
    let event = batch.event(at: index)
    switch event.kind {
    case .traceLost: return true
    case .traceStart: return isLoss(event, batch) || judge.endsLaunch(event, in: batch)
    // The suspension that it ends may have been lost.
    case .procResume where judge.model.state == .unknown: return true
    default: break
    }
    if judge.isLaunchOpen { return judge.endsLaunch(event, in: batch) }
    // A process whose start nobody recorded.
    var ahead = judge.model
    return ahead.apply(event, in: batch).contains(.midLife)
  }

  /// Whether events are missing before an event, by what it says itself.
  private func isLoss(_ event: Event, _ batch: EventBatch) -> Bool {
    event.kind == .traceLost
      || (event.kind == .traceStart
        && (batch.isText(.reason, "attach", of: event)
          || batch.isText(.reason, "resume_of_recording", of: event)))
  }

  /// The first event of the part at hand that is later than a time, if the one given is. The
  /// events of a part are in order of time, so that halving finds it.
  private func firstIndex(
    after time: Int64, from start: Int, upTo index: Int, _ batch: EventBatch
  ) -> Int {
    var low = start
    var high = index
    while low < high {
      let middle = low + (high - low) / 2
      if batch.timesNanoseconds[middle] > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Settles the events that are older than the tolerance while the suspension goes on.
  func settleOldCalls(upTo index: Int, _ batch: EventBatch) {
    guard judge.model.state == .suspended else { return }
    let now = batch.timesNanoseconds[index]
    let tolerance = judge.toleranceNanoseconds
    while let oldest = judge.settler.oldestNanoseconds,
      difference(now, oldest) > tolerance || judge.settler.isOverfull
    {
      let first = firstIndex(
        after: sum(oldest, tolerance), from: partStart, upTo: index, batch)
      let event = batch.event(at: first)
      // The resume may have been lost.
      if isLoss(event, batch) && !judge.settler.isOverfull { return }
      judge.settler.removeOldest().settle(asSuspended: true, provenBy: event, batch, judge)
    }
  }

  /// Settles as suspended what happened before a resume by more than the tolerance.
  func settleCalls(before event: Event, _ batch: EventBatch) {
    let tolerance = judge.toleranceNanoseconds
    while let oldest = judge.settler.oldestNanoseconds,
      oldest < difference(event.timeNanoseconds, tolerance)
    {
      judge.settler.removeOldest().settle(asSuspended: true, provenBy: event, batch, judge)
    }
  }

  /// Settles as running what is left after a resume.
  func settleRunningCalls(_ event: Event, _ batch: EventBatch) {
    if judge.settler.isClear { return }
    guard judge.model.state != .suspended else { return }
    while !judge.settler.isEmpty {
      judge.settler.removeOldest().settle(asSuspended: false, provenBy: nil, batch, judge)
    }
    judge.settler.removeAll()
  }

  /// Settles what is left when the launch or the trace ends.
  func settleCalls(atEnd end: Event?, _ batch: EventBatch) {
    if let end, judge.model.suspension?.isInferred == false {
      while !judge.settler.isEmpty {
        judge.settler.removeOldest().settle(asSuspended: true, provenBy: end, batch, judge)
      }
    }
    leaveCallsUndecided(batch)
  }

  /// Nothing tells where the events that are left fall.
  func leaveCallsUndecided(_ batch: EventBatch) {
    let suspension = judge.model.suspension ?? judge.model.lastSuspension
    while !judge.settler.isEmpty {
      judge.settler.removeOldest().leaveUndecided(
        isInferred: suspension?.isInferred == true, batch, judge)
    }
    judge.settler.removeAll()
  }
}
