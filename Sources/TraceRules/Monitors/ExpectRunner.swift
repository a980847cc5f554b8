// Runs `expect` clauses: what is opened must be closed in time.

import TraceLifecycle
import TraceModel

/// Follows the instances of one `expect` clause.
final class ExpectRunner: ClauseRunner {
  enum Role {
    static let open = 0
    static let close = 1
    static let closeAll = 2
    static let ownReturn = 3
    /// Plus the place of the due.
    static let due = 100
    static let callOff = 1_000
  }

  /// Instances that were open when the app was suspended, until it is certain.
  struct Pending {
    var suspension: WitnessEvent
    var timeNanoseconds: Int64
    var instances: [InstanceTable.Instance]
    var awaitsConfirmation: Bool
  }

  let expect: Expect
  var table: InstanceTable
  /// By the place of the due; nil for dues without a time.
  var timers: [DueTimer?]
  let timerOrder: [Int]
  let duePatterns: [Int: [CompiledPattern]]
  var pending: Pending?
  let endConditions: [Int: CompiledCondition]
  let hasSuspensionDue: (observed: Bool, inferred: Bool)
  private let hasGraceEnd: Bool
  let closesNeeded: Int

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ expect: Expect, _ judge: Judge) {
    self.expect = expect
    table = InstanceTable(isSpan: expect.isSpan)
    var timers = [DueTimer?](repeating: nil, count: expect.due.count)
    var patterns: [Int: [CompiledPattern]] = [:]
    var conditions: [Int: CompiledCondition] = [:]
    var observed = false
    var inferred = false
    var graceEnd = false
    for (place, due) in expect.due.enumerated() {
      switch due {
      case .within(let time), .after(_, let time, _, _): timers[place] = DueTimer(time)
      case .processEnd(let ends, _, let condition):
        patterns[place] = ends.map {
          CompiledPattern($0, key: [], monitor.rule.facts, judge, monitor.ruleIndex)
        }
        conditions[place] = condition.map { CompiledCondition($0, monitor.rule.facts, judge) }
      case .suspension(let isInferred):
        observed = observed || !isInferred
        inferred = inferred || isInferred
      case .graceEnd: graceEnd = true
      case .at, .atSameKey, .recordingEnd: break
      }
    }
    self.timers = timers
    timerOrder = timers.indices.filter { timers[$0] != nil }
    duePatterns = patterns
    endConditions = conditions
    hasSuspensionDue = (observed, inferred)
    hasGraceEnd = graceEnd
    closesNeeded = Int(clamping: judge.value(of: expect.closesNeeded, monitor.ruleIndex))
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] {
    var all: [Listening] = []
    for (place, due) in expect.due.enumerated() {
      switch due {
      case .at(let patterns), .atSameKey(let patterns):
        all += patterns.map { (Role.due + place, $0, expect.key) }
      case .after(let patterns, _, _, let unless):
        all += unless.map { (Role.callOff + place, $0, expect.key) }
        all += patterns.map { (Role.due + place, $0, expect.key) }
      default: break
      }
    }
    all += expect.closes.map { (Role.close, $0, expect.key) }
    all += expect.closesAll.map { (Role.closeAll, $0, expect.key) }
    if expect.isSpan {
      for pattern in expect.opens {
        all.append((Role.ownReturn, EventPattern(pattern.kinds, edge: .end), []))
      }
    }
    return all + expect.opens.map { (Role.open, $0, expect.key) }
  }

  override var spanKinds: [EventKind] {
    guard expect.isSpan else { return [] }
    return expect.opens.flatMap { pattern -> [EventKind] in
      if case .kinds(let kinds) = pattern.kinds { kinds } else { [] }
    }
  }

  override var outlivesLaunch: Bool { expect.outlivesLaunch }
  override var followsState: Bool {
    hasGraceEnd || timers.contains { $0?.reading.dependsOnState == true }
  }
  override var followsReasons: Bool { hasGraceEnd }

  /// Conditions of dues are asked for each instance on its own.
  override func defersCondition(_ role: Int) -> Bool { role >= Role.due && role < Role.callOff }

  // MARK: Events

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    switch role {
    case Role.open: open(pattern, hearing)
    case Role.close: close(pattern, hearing)
    case Role.closeAll:
      if table.isEmpty { return }
      for slot in table.openSlots { end(slot, at: hearing.event.timeNanoseconds) }
    case Role.ownReturn:
      if let ordinal = hearing.enter?.ordinal, let slot = table.slot(ofSpan: ordinal) {
        end(slot, at: hearing.event.timeNanoseconds)
      }
    case Role.callOff...: timers[role - Role.callOff]?.removeAll()
    default: becomeDue(role - Role.due, pattern, hearing)
    }
    refreshDeadline(hearing.event.timeNanoseconds, hearing.judge)
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    // Whether something was opened or closed isn't known: then neither is what depends on it.
    if role == Role.open {
      open(pattern, hearing, doubt: hearing.judge.doubtReason)
      return refreshDeadline(hearing.event.timeNanoseconds, hearing.judge)
    }
    guard role == Role.close || role == Role.closeAll else { return }
    for slot in table.openSlots { table.change(slot) { $0.doubt = hearing.judge.doubtReason } }
  }

  // MARK: Violations

  func violate(
    _ instance: InstanceTable.Instance, at time: Int64, by certain: WitnessEvent?,
    limit: String = "", _ event: Event?, _ batch: EventBatch, _ judge: Judge
  ) {
    if let doubt = instance.doubt {
      return monitor.doubt(
        clauseIndex, .event, key: instance.key,
        event: monitor.ledger.arena[instance.evidence]?.event, doubt, judge)
    }
    monitor.report(
      clauseIndex,
      Violation(
        unit: expect.unit, key: instance.key,
        opening: monitor.ledger.arena[instance.evidence], certainBy: certain,
        timeNanoseconds: time, thread: instance.thread,
        durationNanoseconds: difference(time, instance.openNanoseconds),
        limit: limit.isEmpty
          ? readable(nanoseconds: difference(time, instance.openNanoseconds)) : limit,
        others: [monitor.ledger.arena[instance.enterEvidence]].compactMap { $0 }),
      event, batch, judge)
  }

  // MARK: Time

  override func afterEvent(_ hearing: Hearing) {
    for place in timerOrder {
      timers[place]?.reading.follow(hearing.event.timeNanoseconds, hearing.judge)
    }
    refreshDeadline(hearing.event.timeNanoseconds, hearing.judge)
  }

  func refreshDeadline(_ now: Int64, _ judge: Judge) {
    var next = Int64.max
    for place in timerOrder {
      timers[place]?.dropFront { !table.isOpen($0, $1) }
      next = min(next, timers[place]?.nextDeadline(now: now, judge) ?? .max)
    }
    if let pending, !pending.awaitsConfirmation {
      next = min(next, sum(pending.timeNanoseconds, monitor.toleranceNanoseconds))
    }
    if hasGraceEnd, !table.isEmpty, let end = judge.graceEndNanoseconds { next = min(next, end) }
    deadlineNanoseconds = next
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    let now = event.timeNanoseconds
    let certain = batch.witness(event, role: "deadline")
    for place in timerOrder {
      while let overdue = timers[place]?.takeOverdue(now: now, judge) {
        guard table.isOpen(overdue.slot, overdue.generation), let instance = table[overdue.slot]
        else { continue }
        violate(
          instance, at: difference(now, overdue.sinceNanoseconds), by: certain,
          limit: limit(place, judge), nil, batch, judge)
        release(overdue.slot)
      }
    }
    if let pending, !pending.awaitsConfirmation,
      difference(now, pending.timeNanoseconds) > monitor.toleranceNanoseconds
    {
      settle(batch, judge)
    }
    if hasGraceEnd, let end = judge.graceEndNanoseconds, end < now, !judge.mayRun(at: now) {
      for slot in table.openSlots {
        guard let instance = table[slot] else { continue }
        if judge.model.mayHideReasons {
          monitor.doubt(clauseIndex, expect.unit, key: instance.key, event: nil, "mid-life", judge)
        } else {
          violate(instance, at: end, by: certain, nil, batch, judge)
        }
        release(slot)
      }
    }
    refreshDeadline(now, judge)
  }

  func limit(_ place: Int, _ judge: Judge) -> String {
    switch expect.due[place] {
    case .within(let time), .after(_, let time, _, _):
      judge.readable(time.amount, monitor.ruleIndex)
    default: ""
    }
  }

  // MARK: Suspension

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let suspension = judge.model.suspension else { return }
    settle(batch, judge)
    pending = nil
    let isObserved = !suspension.isInferred
    var slots: [Int] = []
    if isObserved ? hasSuspensionDue.observed : hasSuspensionDue.inferred {
      slots = table.openSlots
    } else {
      for place in timerOrder {
        if case .after(_, _, orSuspension: true, _) = expect.due[place] {
          slots += timers[place]?.waiting.filter { table.isOpen($0, $1) }.map(\.slot) ?? []
        }
      }
    }
    if !slots.isEmpty {
      pending = Pending(
        suspension: batch.witness(event, role: "offender"), timeNanoseconds: event.timeNanoseconds,
        instances: slots.compactMap { table[$0] },
        awaitsConfirmation: suspension.isInferred && !suspension.isConfirmed)
    }
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override func clocksWentOn(_ event: Event, _ judge: Judge) {
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    settle(batch, judge)
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override func suspensionConfirmed(_ batch: EventBatch, _ judge: Judge) {
    pending?.awaitsConfirmation = false
    settle(batch, judge)
  }

  // MARK: Ends and gaps

  override func launchBegan(_ judge: Judge) {
    if !expect.outlivesLaunch { drop() }
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    settle(batch, judge)
    pending = nil
    for (place, due) in expect.due.enumerated() {
      switch (due, end) {
      case (.processEnd(_, _, _), .process(let event)):
        let hearing = Hearing(event: event, batch: batch, judge: judge, enter: nil)
        let fits = duePatterns[place]?.contains {
          $0.pattern.listens(to: event.kind, event.phase) && $0.fits(event, batch, judge, nil)
            && $0.condition.map { monitor.value($0, hearing, []) == true } ?? true
        }
        if fits == true {
          endProcess(place, event, batch, judge)
        } else {
          // The end says nothing on whether it would have been closed.
          for _ in 0..<table.count { judge.unknown(monitor.ruleIndex, "ended-by-system") }
        }
      case (.processEnd(_, orNewStart: true, _), .newStart(let event)):
        endProcess(place, event, batch, judge)
      case (.recordingEnd, .recordingEnded(let event)):
        violateAll(event, batch, judge) { _ in true }
      default: break
      }
    }
    if end.isCutOff || isUndecidedAtEnd(end, judge) { doubtWaiting(end, judge) }
    if case .truncated(let last) = end { doubtEnds(last, batch, judge) }
    if !expect.outlivesLaunch { drop() }
    deadlineNanoseconds = .max
  }

  override func lost(_ judge: Judge) {
    for slot in table.openSlots { table.change(slot) { $0.doubt = "gap" } }
    if let count = pending?.instances.count {
      for index in 0..<count { pending?.instances[index].doubt = "gap" }
    }
  }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    guard expect.isSpan else { return }
    for slot in table.openSlots where table[slot]?.thread == thread {
      table.change(slot) { $0.doubt = "clock" }
    }
  }

  override func spanLost(_ ordinal: Int, _ judge: Judge) {
    guard let slot = table.slot(ofSpan: ordinal) else { return }
    judge.unknown(monitor.ruleIndex, "crossing")
    release(slot)
  }
}
