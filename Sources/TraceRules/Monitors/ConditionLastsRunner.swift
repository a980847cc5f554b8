// Runs `lasts` clauses of conditions: something must not go on for too long.

import TraceLifecycle
import TraceModel

/// Measures how long a condition holds without a break.
final class ConditionLastsRunner: ClauseRunner {
  private let lasts: Lasts
  private let condition: CompiledCondition
  @safe @exclusivity(unchecked) private var reading: ClockReading
  private let max: Int64
  @safe @exclusivity(unchecked) private var since: (value: Int64, evidence: Int, event: Event)?
  /// Why it isn't known whether the condition has held all the time; nil if it has.
  @safe @exclusivity(unchecked) private var doubt: String?
  @safe @exclusivity(unchecked) private var isReported = false

  init(
    _ monitor: RuleMonitor, _ clauseIndex: Int, _ lasts: Lasts, _ condition: CompiledCondition,
    _ judge: Judge
  ) {
    self.lasts = lasts
    self.condition = condition
    reading = ClockReading(lasts.max)
    max = judge.value(of: lasts.max.amount, monitor.ruleIndex)
    super.init(monitor, clauseIndex)
  }

  override var followsState: Bool { condition.asksState || reading.dependsOnState }
  override var followsReasons: Bool { condition.asksReasons }
  override var resolvesMatches: Bool { true }

  override func afterEvent(_ hearing: Hearing) {
    let (event, judge) = (hearing.event, hearing.judge)
    reading.follow(event.timeNanoseconds, judge)
    // What a process does that waits to be launched is no work in any state (B.1).
    let value = monitor.value(condition, hearing, []) ?? (judge.model.isPrewarmed ? false : nil)
    switch value {
    case true?:
      guard since == nil || doubt != nil else { break }
      start(event, judge)
      doubt = nil
    case false?: stop()
    case nil:
      if since == nil { start(event, judge) }
      doubt = doubt ?? monitor.doubtReason(judge)
    }
    refreshDeadline(event.timeNanoseconds, judge)
  }

  private func start(_ event: Event, _ judge: Judge) {
    stop()
    isReported = false
    since = (
      reading.value(at: event.timeNanoseconds, judge), monitor.ledger.arena.keep(event), event
    )
  }

  private func stop() {
    doubt = nil
    if let since { monitor.ledger.arena.release(since.evidence) }
    since = nil
  }

  private func refreshDeadline(_ now: Int64, _ judge: Judge) {
    deadlineNanoseconds = .max
    if let since, !isReported {
      deadlineNanoseconds = reading.time(of: sum(since.value, max), now: now, judge)
    }
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    if let since, !isReported {
      let duration = difference(
        reading.value(at: event.timeNanoseconds, judge), since.value)
      if duration > max {
        isReported = true
        if let doubt {
          monitor.doubt(clauseIndex, lasts.unit, event: since.event, doubt, judge)
          return refreshDeadline(event.timeNanoseconds, judge)
        }
        monitor.report(
          clauseIndex,
          Violation(
            unit: lasts.unit, opening: monitor.ledger.arena[since.evidence],
            certainBy: batch.witness(event, role: "deadline"),
            timeNanoseconds: difference(event.timeNanoseconds, difference(duration, max)),
            thread: since.event.thread, durationNanoseconds: duration,
            limit: limitText(lasts.max.amount, judge)),
          nil, batch, judge)
      }
    }
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override var followsSuspensions: Bool { true }

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override func launchBegan(_ judge: Judge) {
    stop()
    reading = ClockReading(lasts.max)
    deadlineNanoseconds = .max
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if since != nil && !isReported && end.isCutOff { judge.unknown(monitor.ruleIndex, "truncated") }
    stop()
    deadlineNanoseconds = .max
  }

  override func lost(_ judge: Judge) {
    if since != nil && !isReported { judge.unknown(monitor.ruleIndex, "gap") }
    stop()
    deadlineNanoseconds = .max
  }
}
