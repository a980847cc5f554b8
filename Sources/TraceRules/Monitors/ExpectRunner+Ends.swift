// What the instances of an `expect` clause come to at a suspension and at the end of a launch.

import TraceLifecycle
import TraceModel

extension ExpectRunner {
  /// Judges what was open at a suspension that is certain by now.
  func settle(_ batch: EventBatch, _ judge: Judge) {
    guard let pending, !pending.awaitsConfirmation else { return }
    self.pending = nil
    for instance in pending.instances {
      violate(
        instance, at: pending.timeNanoseconds, by: pending.suspension, nil, batch, judge)
      let slot =
        expect.isSpan ? table.slot(ofSpan: instance.ordinal) : table.slot(of: instance.key)
      if let slot, table.isOpen(slot, instance.generation) {
        release(slot)
      } else {
        releaseEvidence(instance)
      }
    }
  }

  func releaseEvidence(_ instance: InstanceTable.Instance) {
    monitor.ledger.arena.release(instance.evidence)
    monitor.ledger.arena.release(instance.enterEvidence)
  }

  func endProcess(_ place: Int, _ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let hearing = Hearing(event: event, batch: batch, judge: judge, enter: nil)
    violateAll(event, batch, judge) { instance in
      endConditions[place].map { monitor.value($0, hearing, instance: instance.key) } ?? true
    }
  }

  func violateAll(
    _ event: Event, _ batch: EventBatch, _ judge: Judge,
    _ holds: (InstanceTable.Instance) -> Bool?
  ) {
    for slot in table.openSlots {
      guard let instance = table[slot] else { continue }
      switch holds(instance) {
      case true?:
        violate(
          instance, at: event.timeNanoseconds, by: batch.witness(event, role: "offender"), event,
          batch, judge)
        release(slot)
      case nil:
        monitor.doubt(
          clauseIndex, expect.unit, key: instance.key, event: event, judge.doubtReason, judge)
      case false?: continue
      }
    }
  }

  /// A suspension decides, and the launch ends in the background without one.
  func isUndecidedAtEnd(_ end: LaunchEnd, _ judge: Judge) -> Bool {
    guard case .process = end else { return false }
    return waitsForSuspension(judge)
  }

  func waitsForSuspension(_ judge: Judge) -> Bool {
    let isWaiting = hasSuspensionDue.observed || hasSuspensionDue.inferred
    let state = judge.model.state
    return isWaiting && (state == .background || state == .enteringBackground)
  }

  func doubtWaiting(_ end: LaunchEnd, _ judge: Judge) {
    let isAnyWaiting = waitsForSuspension(judge)
    for slot in table.openSlots {
      guard let instance = table[slot] else { continue }
      let isTimed =
        end.isCutOff
        && timers.contains { $0?.waits(slot, instance.generation) == true }
      if isTimed || isAnyWaiting || (end.isCutOff && expect.isUndecidedIfCutOff) {
        monitor.doubt(
          clauseIndex, expect.unit, key: instance.key, event: nil, "truncated", judge)
      }
    }
  }

  /// What the end of the process would decide, and the trace stops before it.
  func doubtEnds(_ last: Event?, _ batch: EventBatch, _ judge: Judge) {
    for (place, due) in expect.due.enumerated() {
      switch due {
      case .processEnd, .recordingEnd: break
      default: continue
      }
      for slot in table.openSlots {
        guard let instance = table[slot] else { continue }
        let time = last?.timeNanoseconds ?? judge.lastNanoseconds ?? 0
        let holds =
          endConditions[place].map {
            monitor.value($0, at: time, instance: instance.key, batch, judge)
          } ?? true
        if holds != false {
          monitor.doubt(
            clauseIndex, .key, key: instance.key, event: nil, "truncated", judge)
        }
      }
    }
  }

  func drop() {
    for slot in table.openSlots { release(slot) }
    table.removeAll()
    for place in timerOrder { timers[place]?.removeAll() }
    pending = nil
  }
}
