// Runs `never` clauses that ask for anything but suspension: an event must not occur while its
// condition holds.

import TraceLifecycle
import TraceModel

/// Judges the events of one `never` clause.
final class NeverRunner: ClauseRunner {
  /// Allowed events that are kept as evidence.
  private static let allowedMax = 256

  /// The events of a unit since the last reset.
  private struct Count {
    var allowed = 0
    var isExceeded = false
    /// The event that was the first one too many.
    var exceededBy: Event?
    var evidence: [Int] = []
  }

  private let never: Never
  private let countMax: Int64
  @safe @exclusivity(unchecked) private var counts: [UnitKey: Count] = [:]

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ never: Never, _ judge: Judge) {
    self.never = never
    countMax = judge.value(of: never.max, monitor.ruleIndex)
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] {
    never.resets.map { (1, $0, []) } + [(0, never.event, never.key)]
  }

  override func defersCondition(_ role: Int) -> Bool { role == 0 }
  override var judgesSuspension: Bool { true }
  override var isIdle: Bool { counts.isEmpty }
  override func needsOpen(_ role: Int) -> Bool { role == 1 }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    if role == 1 { return reset(pattern.keyFields.isEmpty ? .none : key(pattern, hearing)) }
    let (event, judge) = (hearing.event, hearing.judge)
    if never.silentUnderDebugger && judge.isLimitedBySystem { return }
    // The stretch to which an event belongs may be the one after the suspension.
    guard pattern.condition != nil || never.unit == .background else {
      return decide(true, occurrence(pattern, hearing))
    }
    let condition = pattern.condition ?? .constant(true)
    guard judge.model.state == .suspended, !judge.isEnding, let suspension = judge.model.suspension,
      event.ordinal != suspension.startOrdinal
    else {
      guard let holds = monitor.value(condition, hearing, pattern.keyFields) else {
        return decide(nil, occurrence(pattern, hearing))
      }
      if holds { decide(true, occurrence(pattern, hearing)) }
      return
    }
    let whileRunning = monitor.value(condition, hearing, pattern.keyFields, in: .background)
    // Just after a suspension an event counts as before it.
    if event.timeNanoseconds <= sum(suspension.startNanoseconds, judge.toleranceNanoseconds) {
      if whileRunning != false { decide(whileRunning, occurrence(pattern, hearing)) }
      return
    }
    let rest = monitor.rest(of: condition, hearing, pattern.keyFields)
    if case .constant(false?) = rest { return }
    judge.settler.enqueue(
      SuspensionSettler.Call(
        monitor: nil, whileSuspended: nil, whileRunning: nil, witness: PendingWitness(event),
        weight: weight(event, hearing.batch),
        isInsideCallback: judge.settler.isInsideCallback(event.thread),
        deferred: Deferred(
          runner: self, key: key(pattern, hearing),
          whileSuspended: monitor.value(condition, hearing, pattern.keyFields),
          whileRunning: whileRunning, rest: rest)))
  }

  // MARK: Events in a suspension

  /// An event in a suspension, of which it isn't known yet on which side of its ends it falls.
  struct Deferred {
    let runner: NeverRunner
    let key: InstanceKey
    /// Whether it is a violation if the app was suspended, or if it ran in the background then.
    let whileSuspended: Bool?
    let whileRunning: Bool?
    /// What is left of the condition to ask of the life cycle after the suspension.
    let rest: CompiledCondition
  }

  func settle(
    _ call: SuspensionSettler.Call, _ deferred: Deferred, asSuspended: Bool, provenBy: Event?,
    _ batch: EventBatch, _ judge: Judge
  ) {
    defer { monitor.refresh(judge) }
    let event = call.witness.event
    var occurrence = Occurrence(
      witness: call.witness, key: deferred.key, weight: call.weight, batch: batch, judge: judge)
    guard asSuspended else {
      let holds = monitor.value(deferred.rest, event, judge, in: .background)
      if holds != false { decide(holds, occurrence) }
      return
    }
    if never.ignoresCallbacksWhileSuspended && call.isInsideCallback { return }
    occurrence.isSuspended = true
    occurrence.provenBy = provenBy
    if deferred.whileSuspended != false { decide(deferred.whileSuspended, occurrence) }
  }

  /// Nothing that follows tells whether the app was suspended at an event.
  func leaveUndecided(
    _ call: SuspensionSettler.Call, _ deferred: Deferred, _ batch: EventBatch, _ judge: Judge
  ) {
    defer { monitor.refresh(judge) }
    let occurrence = Occurrence(
      witness: call.witness, key: deferred.key, weight: call.weight, batch: batch, judge: judge)
    let isExcused = never.ignoresCallbacksWhileSuspended && call.isInsideCallback
    let whileSuspended = isExcused ? false : deferred.whileSuspended
    guard whileSuspended != deferred.whileRunning else {
      if whileSuspended != false { decide(whileSuspended, occurrence) }
      return
    }
    decide(nil, occurrence)
  }

  // MARK: Judgement

  /// An event of the clause.
  private struct Occurrence {
    var witness: PendingWitness
    var key: InstanceKey
    var weight: Int
    var batch: EventBatch
    var judge: Judge
    var isSuspended = false
    var provenBy: Event?
  }

  private func occurrence(_ pattern: CompiledPattern, _ hearing: Hearing) -> Occurrence {
    Occurrence(
      witness: PendingWitness(hearing.event), key: key(pattern, hearing),
      weight: weight(hearing.event, hearing.batch), batch: hearing.batch, judge: hearing.judge)
  }

  private func key(_ pattern: CompiledPattern, _ hearing: Hearing) -> InstanceKey {
    hearing.instanceKey(pattern.keyFields)
  }

  private func weight(_ event: Event, _ batch: EventBatch) -> Int {
    guard let name = never.countArgument, let count = batch.integer(name, of: event), count > 1
    else { return 1 }
    return Int(min(count, 1 << 40))
  }

  /// Judges an event whose condition holds; nil: of which that isn't known.
  private func decide(_ holds: Bool?, _ occurrence: Occurrence) {
    let (event, batch, judge) = (occurrence.witness.event, occurrence.batch, occurrence.judge)
    let key = occurrence.key
    if (!occurrence.isSuspended && isLate(event, judge)) != never.isLateOnly { return }
    guard holds == true else {
      return monitor.doubt(
        clauseIndex, never.unit, key: key, event: event, monitor.doubtReason(judge), judge)
    }
    var weight = occurrence.weight
    var others: [PendingWitness] = []
    var reported = event
    if countMax > 0 {
      // Events that are reported on their own are counted for each key.
      let unit = monitor.ledger.unit(
        never.unit == .event ? .key : never.unit, clause: clauseIndex, key: key, splits: true,
        event: event, judge)
      if counts.count >= Ledger.unitsMax { counts.removeAll(keepingCapacity: true) }
      var seen = counts[unit] ?? Count()
      defer { counts[unit] = seen }
      if !seen.isExceeded {
        seen.allowed += weight
        guard seen.allowed > countMax else {
          if seen.evidence.count < Self.allowedMax {
            seen.evidence.append(monitor.ledger.arena.keep(occurrence.witness))
          }
          return
        }
        others = seen.evidence.compactMap { monitor.ledger.arena[$0] }
        for place in seen.evidence { monitor.ledger.arena.release(place) }
        weight = seen.allowed
        seen = Count(isExceeded: true, exceededBy: event)
      } else if never.unit == .event, let first = seen.exceededBy {
        reported = first
      }
    }
    var violation = Violation(
      unit: never.unit, key: key, splitsUnit: true,
      certainBy: occurrence.witness.witness(role: "offender", in: batch),
      timeNanoseconds: event.timeNanoseconds, thread: event.thread, weight: weight,
      limit: limitText(never.max, judge, in: .count), others: others)
    if occurrence.isSuspended {
      violation.proof = occurrence.provenBy.map { [batch.witness($0, role: "deadline")] } ?? []
      if let suspension = judge.suspensionWitness {
        violation.proof.append(suspension)
        let elapsed = difference(event.timeNanoseconds, suspension.timeNanoseconds)
        violation.since = "\(readable(nanoseconds: elapsed)) after the app was suspended"
      }
      if judge.suspensionIsObservedElsewhere { violation.confidence = .likely }
    }
    monitor.report(clauseIndex, violation, reported, batch, judge)
  }

  /// Begins the count anew, for one key or for all.
  private func reset(_ key: InstanceKey) {
    for (unit, count) in counts where key.isAbsent || unit.key == key {
      for place in count.evidence { monitor.ledger.arena.release(place) }
      if !key.isAbsent { counts[unit] = nil }
    }
    if key.isAbsent { counts.removeAll(keepingCapacity: true) }
  }

  /// Whether the event is on another thread than the callback whose return put the app into the
  /// background, and so soon after it that it is allowed for.
  private func isLate(_ event: Event, _ judge: Judge) -> Bool {
    never.lateNanoseconds > 0 && judge.interval.isLate(event, by: never.lateNanoseconds)
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    if role == 1 {
      if !counts.isEmpty {
        monitor.doubt(
          clauseIndex, .launch, event: hearing.event, monitor.doubtReason(hearing.judge),
          hearing.judge)
      }
      return reset(pattern.keyFields.isEmpty ? .none : key(pattern, hearing))
    }
    // Whether the callback moves the app isn't known.
    let holds = pattern.condition.map { monitor.value($0, hearing, pattern.keyFields) }
    if holds != false { decide(nil, occurrence(pattern, hearing)) }
  }
}
