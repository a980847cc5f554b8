// Runs `never` clauses that ask for anything but suspension: an event must not occur while its
// condition holds.

import TraceModel

/// Judges the events of one `never` clause.
final class NeverRunner: ClauseRunner {
  /// Allowed events that are kept as evidence.
  private static let allowedMax = 256

  private let never: Never
  private let countMax: Int64
  private let limit: String
  private var counts: [UnitKey: (count: Int, evidence: [Int])] = [:]

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ never: Never, _ judge: Judge) {
    self.never = never
    countMax = judge.value(of: never.max, monitor.ruleIndex)
    limit = judge.readable(never.max, monitor.ruleIndex)
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] {
    never.resets.map { (1, $0, []) } + [(0, never.event, never.key)]
  }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    let (event, batch, judge) = (hearing.event, hearing.batch, hearing.judge)
    if role == 1 { return counts.removeAll(keepingCapacity: true) }
    if never.silentUnderDebugger && judge.isLimitedBySystem { return }
    if isLate(event, judge) != never.isLateOnly { return }
    let key = judge.instanceKey(pattern.keyFields, of: event, batch, hearing.enter)
    var weight = 1
    if let name = never.countArgument, let count = batch.integer(name, of: event), count > 1 {
      weight = Int(min(count, 1 << 40))
    }
    var others: [PendingWitness] = []
    if countMax > 0 {
      let unit = monitor.ledger.unit(
        never.unit, clause: clauseIndex, key: key, splits: true, event: event, judge)
      if monitor.ledger.report(of: unit) == nil {
        if counts.count >= Ledger.unitsMax { counts.removeAll(keepingCapacity: true) }
        let seen = counts[unit] ?? (0, [])
        let count = seen.count + weight
        guard count > countMax else {
          var evidence = seen.evidence
          if evidence.count < Self.allowedMax {
            evidence.append(monitor.ledger.arena.keep(event))
          }
          counts[unit] = (count, evidence)
          return
        }
        others = seen.evidence.compactMap { monitor.ledger.arena[$0] }
        for place in seen.evidence { monitor.ledger.arena.release(place) }
        counts[unit] = nil
        weight = count
      }
    }
    monitor.report(
      clauseIndex,
      Violation(
        unit: never.unit, key: key, splitsUnit: true,
        certainBy: batch.witness(event, role: "offender"),
        timeNanoseconds: event.timeNanoseconds, thread: event.thread, weight: weight,
        limit: limit, others: others),
      event, batch, judge)
  }

  /// Whether the event is on another thread than the callback whose return put the app into the
  /// background, and so soon after it that it is allowed for.
  private func isLate(_ event: Event, _ judge: Judge) -> Bool {
    guard never.lateNanoseconds > 0, judge.interval.isOpen,
      let thread = judge.interval.callbackThread
    else { return false }
    return thread != event.thread
      && event.timeNanoseconds <= sum(judge.interval.startNanoseconds, never.lateNanoseconds)
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    if role == 1 { return }
    let key = hearing.judge.instanceKey(
      pattern.keyFields, of: hearing.event, hearing.batch, hearing.enter)
    monitor.doubt(
      clauseIndex, never.unit, key: key, event: hearing.event, hearing.judge.doubtReason,
      hearing.judge)
  }
}
