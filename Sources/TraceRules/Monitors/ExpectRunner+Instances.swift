// How instances of an `expect` clause are opened, closed, and become due.

import TraceLifecycle
import TraceModel

extension ExpectRunner {
  func key(_ pattern: CompiledPattern, _ hearing: Hearing) -> InstanceKey {
    hearing.instanceKey(pattern.keyFields)
  }

  /// Asks the table where it stands: a plain call would copy it each time.
  private func withTable<Result>(_ body: (inout InstanceTable) -> Result) -> Result {
    body(&table)
  }

  func open(
    _ pattern: CompiledPattern, _ hearing: Hearing, doubt: String? = nil
  ) {
    let (event, judge) = (hearing.event, hearing.judge)
    if expect.isSpan && event.phase != .enter { return }
    let key = key(pattern, hearing)
    if !expect.isSpan, let slot = withTable({ $0.slot(of: key) }) {
      // Another pattern may have opened it at the same event.
      if doubt != nil, table[slot]?.ordinal == event.ordinal { return }
      switch expect.reopening {
      case .keep where table[slot]?.doubt == nil:
        if let ordinal = table[slot]?.ordinal, isPending(ordinal, at: event.timeNanoseconds) {
          let place = monitor.ledger.arena.keep(event)
          let isKept = pending?.succeed(ordinal, by: event, key, evidence: place) == true
          if !isKept { monitor.ledger.arena.release(place) }
        }
        return
      case .keep, .replace: end(slot, at: event.timeNanoseconds)
      case .nest:
        // Which of them the next close is for isn't known.
        guard let doubt else { break }
        for slot in table.slots(of: key) { table.change(slot) { $0.doubt = $0.doubt ?? doubt } }
      }
    }
    guard table.count < monitor.keysMax else {
      return monitor.doubt(clauseIndex, .launch, event: event, "key-limit", judge)
    }
    // Nobody told the clocks of the state while nothing was open.
    if table.isEmpty { followState(hearing) }
    let slot = table.open(event, key: key, evidence: monitor.ledger.arena.keep(event))
    guard let generation = table[slot]?.generation else { return }
    lastOpenNanoseconds = event.timeNanoseconds
    if let enter = hearing.enter.flatMap({ judge.spans.enter(of: $0) }) {
      let place = monitor.ledger.arena.keep(enter)
      table.change(slot) { $0.enterEvidence = place }
    }
    if let doubt { table.change(slot) { $0.doubt = doubt } }
    if closesNeeded > 1 { table.change(slot) { $0.closesLeft = closesNeeded } }
    for place in timerOrder {
      guard case .within(let time) = expect.due[place],
        let length = length(time, hearing)
      else { continue }
      timers[place]?.arm(
        slot, generation, length: length, now: event.timeNanoseconds, judge)
    }
  }

  func length(_ time: Time, _ hearing: Hearing) -> Int64? {
    guard case .argument(let name, let unit) = time.amount else {
      return hearing.judge.value(of: time.amount, monitor.ruleIndex)
    }
    guard let number = hearing.batch.number(name, of: hearing.event) else { return nil }
    let nanoseconds = number * Double(unit)
    return nanoseconds >= 0 && nanoseconds < 9e18 ? Int64(nanoseconds) : nil
  }

  func close(_ pattern: CompiledPattern, _ hearing: Hearing) {
    let key = key(pattern, hearing)
    let time = hearing.event.timeNanoseconds
    if table.isEmpty { return }
    if key.isAbsent && !pattern.keyFields.isEmpty {
      for slot in table.openSlots { end(slot, at: time) }
      return
    }
    if let slot = withTable({ $0.onlySlot(of: key) }) {
      // Of those that nest the last one; of others there is but one.
      let isOnlyOne = table[slot]?.outer ?? -1 < 0
      if isOnlyOne || expect.reopening == .nest { return closeOnce(slot, at: time) }
    } else if !expect.isSpan {
      if expect.closesOthers, let slot = table.openSlots.first { closeOnce(slot, at: time) }
      return
    }
    for slot in table.slots(of: key) { closeOnce(slot, at: time) }
  }

  func closeOnce(_ slot: Int, at time: Int64) {
    if let closes = table[slot]?.closesLeft, closes > 1 {
      table.change(slot) { $0.closesLeft -= 1 }
    } else {
      end(slot, at: time)
    }
  }

  /// An instance is closed in time.
  func end(_ slot: Int, at time: Int64) {
    guard let instance = table[slot] else { return }
    if isWithinTolerance(time) {
      pending?.remove(instance.ordinal)
    } else if let evidence = pending?.closeSuccessor(of: instance.ordinal) {
      monitor.ledger.arena.release(evidence)
    }
    release(slot)
  }

  func release(_ slot: Int) {
    guard let instance = table.close(slot) else { return }
    if pending?.holds(instance.ordinal) != true { releaseEvidence(instance) }
  }

  func becomeDue(_ place: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    let (event, judge) = (hearing.event, hearing.judge)
    if table.isEmpty { return }
    let slots: [Int]
    if case .atSameKey = expect.due[place] {
      slots = table.slots(of: key(pattern, hearing))
    } else if case .after = expect.due[place] {
      // They only begin to wait, all for the same time.
      slots = table.openSlotsUnordered
    } else {
      slots = table.openSlots
    }
    for slot in slots {
      guard let instance = table[slot], instance.ordinal != event.ordinal else { continue }
      let holds =
        pattern.condition.map { monitor.value($0, hearing, instance: instance.key) } ?? true
      if holds == false { continue }
      if case .after(_, let time, _, _) = expect.due[place] {
        guard timers[place]?.waits(slot, instance.generation) == false else { continue }
        if holds == nil { table.change(slot) { $0.doubt = $0.doubt ?? monitor.doubtReason(judge) } }
        timers[place]?.arm(
          slot, instance.generation,
          length: judge.value(of: time.amount, monitor.ruleIndex), now: event.timeNanoseconds,
          judge)
      } else if holds == nil {
        monitor.doubt(
          clauseIndex, expect.unit, key: instance.key, event: event, monitor.doubtReason(judge),
          judge)
        if isWithinTolerance(event.timeNanoseconds) { pending?.remove(instance.ordinal) }
        release(slot)
      } else {
        violate(
          instance, at: event.timeNanoseconds,
          by: hearing.batch.witness(event, role: "offender"), now: event.timeNanoseconds,
          hearing.batch, judge)
        release(slot)
      }
    }
  }
}
