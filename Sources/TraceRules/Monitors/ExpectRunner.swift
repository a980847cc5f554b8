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

  let expect: Expect
  @safe @exclusivity(unchecked) var table: InstanceTable
  /// By the place of the due; nil for dues without a time.
  @safe @exclusivity(unchecked) var timers: [DueTimer?]
  let timerOrder: [Int]
  let duePatterns: [Int: [CompiledPattern]]
  @safe @exclusivity(unchecked) var pending: PendingSuspension?
  @safe @exclusivity(unchecked) var lastOpenNanoseconds = Int64.min
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
    return expect.opens.flatMap(\.spanKinds)
  }

  override var outlivesLaunch: Bool { expect.outlivesLaunch }
  override var followsState: Bool {
    hasGraceEnd || timers.contains { $0?.reading.dependsOnState == true }
  }
  override var followsReasons: Bool { hasGraceEnd }

  override var isIdle: Bool { table.isEmpty && pending == nil }
  override func needsOpen(_ role: Int) -> Bool { role != Role.open }

  override func spanNanosecondsUnheard(_ role: Int) -> Int64? {
    guard expect.isSpan, role == Role.open, timerOrder.isEmpty, !hasGraceEnd else { return nil }
    let isHeardWithLifecycle = listenings.allSatisfy { role, pattern, _ in
      guard role != Role.open, role != Role.ownReturn else { return true }
      guard case .kinds(let kinds) = pattern.kinds else { return false }
      return kinds.allSatisfy { LifecycleModel.kinds.contains($0) }
    }
    return isHeardWithLifecycle ? .max : nil
  }

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
      open(pattern, hearing, doubt: monitor.doubtReason(hearing.judge))
      return refreshDeadline(hearing.event.timeNanoseconds, hearing.judge)
    }
    if table.isEmpty { return }
    let slots: [Int]
    switch role {
    case Role.ownReturn: return perform(role, pattern, hearing)
    case Role.close:
      let key = key(pattern, hearing)
      let own = table.slots(of: key)
      let isForAll = key.isAbsent && !pattern.keyFields.isEmpty
      slots = isForAll || (expect.closesOthers && own.isEmpty) ? table.openSlots : own
    case Role.closeAll: slots = table.openSlots
    case Role.callOff...:
      slots =
        timers[role - Role.callOff]?.waitingSlots(where: { table.isOpen($0, $1) }) ?? []
    default: slots = table.openSlots.filter { isDoubtful($0, role - Role.due, pattern, hearing) }
    }
    let isWithin = isWithinTolerance(hearing.event.timeNanoseconds)
    for slot in slots {
      table.change(slot) { $0.doubt = $0.doubt ?? monitor.doubtReason(hearing.judge) }
      if isWithin, let ordinal = table[slot]?.ordinal {
        pending?.doubt(ordinal, monitor.doubtReason(hearing.judge))
      }
    }
  }

  /// Whether an event makes an instance due, if it is the one that moves the app.
  private func isDoubtful(
    _ slot: Int, _ place: Int, _ pattern: CompiledPattern, _ hearing: Hearing
  ) -> Bool {
    guard let instance = table[slot], instance.ordinal != hearing.event.ordinal else {
      return false
    }
    if case .atSameKey = expect.due[place], key(pattern, hearing) != instance.key { return false }
    return pattern.condition.map { monitor.value($0, hearing, instance: instance.key) } != false
  }

  // MARK: Time

  override func afterEvent(_ hearing: Hearing) {
    followState(hearing)
    refreshDeadline(hearing.event.timeNanoseconds, hearing.judge)
  }

  func followState(_ hearing: Hearing) {
    for place in timerOrder {
      timers[place]?.reading.follow(hearing.event.timeNanoseconds, hearing.judge)
    }
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
    if hasGraceEnd, !table.isEmpty, let end = judge.graceEndNanoseconds(monitor.ruleIndex) {
      next = min(next, max(end, lastOpenNanoseconds))
    }
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
          limit: limit(place, judge), now: now, batch, judge)
        release(overdue.slot)
      }
    }
    if let pending, !pending.awaitsConfirmation,
      difference(now, pending.timeNanoseconds) > monitor.toleranceNanoseconds
    {
      settle(batch, judge)
    }
    if hasGraceEnd, let end = judge.graceEndNanoseconds(monitor.ruleIndex), end < now,
      !judge.mayRun(at: now, monitor.ruleIndex)
    {
      for slot in table.openSlots {
        guard let instance = table[slot], instance.openNanoseconds < now else { continue }
        if judge.model.mayHideReasons {
          monitor.doubt(clauseIndex, expect.unit, key: instance.key, event: nil, "mid-life", judge)
          if isWithinTolerance(now) { pending?.remove(instance.ordinal) }
        } else {
          violate(
            instance, at: max(end, instance.openNanoseconds), by: certain, now: now, batch, judge)
        }
        release(slot)
      }
    }
    refreshDeadline(now, judge)
  }

  // MARK: Suspension

  override var followsSuspensions: Bool { true }

  override func suspended(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    settle(batch, judge)
    dropPending(batch, judge)
    awaitSuspension(event, batch, judge)
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override func resumed(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    settle(batch, judge)
    refreshDeadline(event.timeNanoseconds, judge)
  }

  override func suspensionConfirmed(_ batch: EventBatch, _ judge: Judge) {
    guard pending?.awaitsConfirmation == true else { return }
    pending?.awaitsConfirmation = false
    settle(batch, judge)
  }

  // MARK: Ends and gaps

  override func launchBegan(_ judge: Judge) {
    if !expect.outlivesLaunch { drop() }
  }

  override func processEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    settle(batch, judge)
    dropPending(batch, judge)
    judgeEnd(end, batch, judge)
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    doubtOpen(end, batch, judge)
    deadlineNanoseconds = .max
    if expect.outlivesLaunch {
      refreshDeadline(judge.lastNanoseconds ?? 0, judge)
    } else {
      drop()
    }
  }

  private func drop() {
    if isIdle { return }
    for slot in table.openSlots { release(slot) }
    table.removeAll()
    for place in timerOrder { timers[place]?.removeAll() }
    pending = nil
  }

  override func lost(_ judge: Judge) {
    table.doubtAll("gap")
    if isWithinTolerance(judge.lastNanoseconds ?? .min) { pending?.doubtAll("gap") }
  }

  override func threadBroke(_ thread: Int64, _ judge: Judge) {
    guard expect.isSpan else { return }
    for slot in table.openSlots where table[slot]?.thread == thread {
      table.change(slot) { $0.doubt = $0.doubt ?? "clock" }
    }
  }

  override func spanLost(_ ordinal: Int, _ judge: Judge) {
    guard let slot = table.slot(ofSpan: ordinal) else { return }
    judge.unknown(monitor.ruleIndex, "crossing")
    end(slot, at: judge.spanLostNanoseconds)
  }
}
