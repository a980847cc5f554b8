// How instances of an `expect` clause are opened, closed, and become due.

import TraceLifecycle
import TraceModel

extension ExpectRunner {
  func key(_ pattern: CompiledPattern, _ hearing: Hearing) -> InstanceKey {
    hearing.judge.instanceKey(pattern.keyFields, of: hearing.event, hearing.batch, hearing.enter)
  }

  func open(
    _ pattern: CompiledPattern, _ hearing: Hearing, doubt: String? = nil
  ) {
    let (event, judge) = (hearing.event, hearing.judge)
    if expect.isSpan && event.phase != .enter { return }
    let key = key(pattern, hearing)
    if !expect.isSpan, let slot = table.slot(of: key) {
      switch expect.reopening {
      case .keep where table[slot]?.doubt == nil: return
      case .keep: release(slot)
      case .nest: return table.change(slot) { $0.depth = min($0.depth + 1, 1 << 40) }
      case .replace: release(slot)
      }
    }
    guard table.count < monitor.keysMax else {
      return monitor.doubt(clauseIndex, .launch, event: event, "key-limit", judge)
    }
    let slot = table.open(event, key: key, evidence: monitor.ledger.arena.keep(event))
    guard let generation = table[slot]?.generation else { return }
    if let enter = hearing.enter.flatMap({ judge.spans.enter(of: $0) }) {
      let place = monitor.ledger.arena.keep(enter)
      table.change(slot) { $0.enterEvidence = place }
    }
    if let doubt { table.change(slot) { $0.doubt = doubt } }
    if closesNeeded > 1 { table.change(slot) { $0.depth = closesNeeded } }
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
    if table.isEmpty && pending == nil { return }
    if key.isAbsent && !pattern.keyFields.isEmpty {
      for slot in table.openSlots { end(slot, at: time) }
      return
    }
    if let slot = table.onlySlot(of: key) {
      closeOnce(slot, at: time)
    } else if expect.isSpan {
      for slot in table.slots(of: key) { closeOnce(slot, at: time) }
    }
    endPending(at: time) { $0.key == key }
  }

  func closeOnce(_ slot: Int, at time: Int64) {
    if let depth = table[slot]?.depth, depth > 1 {
      table.change(slot) { $0.depth -= 1 }
    } else {
      end(slot, at: time)
    }
  }

  /// An instance is closed in time.
  func end(_ slot: Int, at time: Int64) {
    guard let instance = table[slot] else { return }
    endPending(at: time) { $0.ordinal == instance.ordinal }
    release(slot)
  }

  func endPending(
    at time: Int64, _ isMeant: (InstanceTable.Instance) -> Bool
  ) {
    guard let known = pending,
      difference(time, known.timeNanoseconds) <= monitor.toleranceNanoseconds
    else { return }
    pending?.instances.removeAll(where: isMeant)
  }

  func release(_ slot: Int) {
    guard let instance = table.close(slot) else { return }
    let isStillNeeded = pending?.instances.contains { $0.ordinal == instance.ordinal } ?? false
    if !isStillNeeded { releaseEvidence(instance) }
  }

  func becomeDue(_ place: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    let (event, judge) = (hearing.event, hearing.judge)
    if table.isEmpty { return }
    let slots: [Int]
    if case .atSameKey = expect.due[place] {
      slots = table.slots(of: key(pattern, hearing))
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
        if holds == nil { table.change(slot) { $0.doubt = judge.doubtReason } }
        timers[place]?.arm(
          slot, instance.generation,
          length: judge.value(of: time.amount, monitor.ruleIndex), now: event.timeNanoseconds,
          judge)
      } else if holds == nil {
        monitor.doubt(
          clauseIndex, expect.unit, key: instance.key, event: event, judge.doubtReason, judge)
      } else {
        violate(
          instance, at: event.timeNanoseconds,
          by: hearing.batch.witness(event, role: "offender"), event, hearing.batch, judge)
        release(slot)
      }
    }
  }
}
