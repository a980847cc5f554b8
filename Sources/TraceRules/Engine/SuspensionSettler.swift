// Decides whether an event fell into a suspension. That isn't known when the event is heard:
// the times of suspension and resume come from an observer and are only so exact.

import TraceModel

/// Holds events heard during a suspension until it is certain on which side they fall.
///
/// Within the tolerance after the suspension or before the resume an event counts as running.
/// Between them it shows code that ran while suspended or, if the suspension was only inferred,
/// that there was none.
struct SuspensionSettler {
  struct Call {
    /// Who judges the event, unless a runner does.
    var monitor: NeverMonitor?
    /// The place of the clause that the event violates if the app was suspended.
    var whileSuspended: Int?
    /// The place of the clause that it violates if the app ran in the background.
    var whileRunning: Int?
    var witness: PendingWitness
    /// How many calls the event stands for.
    var weight: Int
    var isInsideCallback: Bool
    /// For a runner that judges the event: what it needs for that.
    var deferred: NeverRunner.Deferred?

    /// Has the event judged; the one that proves where it falls is of the batch given.
    func settle(
      asSuspended: Bool, provenBy event: Event?, _ batch: EventBatch, _ judge: Judge
    ) {
      if let deferred {
        deferred.runner.settle(
          self, deferred, asSuspended: asSuspended, provenBy: event, batch, judge)
      } else {
        monitor?.settle(self, asSuspended: asSuspended, provenBy: event, batch, judge)
      }
    }

    /// Says that nothing tells where the event falls.
    func leaveUndecided(isInferred: Bool, _ batch: EventBatch, _ judge: Judge) {
      if let deferred {
        deferred.runner.leaveUndecided(self, deferred, batch, judge)
      } else {
        monitor?.leaveUndecided(self, isInferred: isInferred, batch, judge)
      }
    }
  }

  /// Events held at most. More within one tolerance (50 ms) means that code certainly runs; the
  /// oldest is then settled as suspended.
  static let callsMax = 65_536

  private var calls: [Call] = []
  private var head = 0
  private var openCallbacks: [(thread: Int64, kind: EventKind)] = []

  var isEmpty: Bool { head == calls.count }

  /// Whether there is nothing to forget either.
  var isClear: Bool { calls.isEmpty && openCallbacks.isEmpty }

  /// The time of the oldest event held; nil if there is none.
  var oldestNanoseconds: Int64? { isEmpty ? nil : calls[head].witness.event.timeNanoseconds }

  mutating func enqueue(_ call: Call) { calls.append(call) }

  /// Whether more events are held than fit.
  var isOverfull: Bool { calls.count - head > Self.callsMax }

  mutating func removeOldest() -> Call {
    let call = calls[head]
    head += 1
    if head == calls.count {
      calls.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 4096 && head * 2 > calls.count {
      calls.removeFirst(head)
      head = 0
    }
    return call
  }

  mutating func removeAll() {
    calls.removeAll(keepingCapacity: true)
    head = 0
    openCallbacks.removeAll(keepingCapacity: true)
  }

  /// Copies the evidence of events whose batch goes: of the first, which a finding may name.
  mutating func keepWitnesses(from batch: EventBatch) {
    for index in calls[head...].indices.prefix(64) { calls[index].witness.keep(from: batch) }
    for index in calls[head...].indices.dropFirst(64) {
      calls[index].witness = PendingWitness(
        calls[index].witness.event,
        keptAs: WitnessEvent(
          ordinal: calls[index].witness.event.ordinal,
          timeNanoseconds: calls[index].witness.event.timeNanoseconds,
          event: batch.name(of: calls[index].witness.event.kind),
          phase: calls[index].witness.event.phase, thread: calls[index].witness.event.thread,
          role: "", arguments: [], line: 0))
    }
  }

  /// Takes note of callbacks that the system makes while the app is suspended.
  mutating func noteCallback(_ event: Event) {
    if event.phase == .enter {
      if openCallbacks.count < 1024 { openCallbacks.append((event.thread, event.kind)) }
    } else if event.phase == .return,
      let index = openCallbacks.lastIndex(where: {
        $0.thread == event.thread && $0.kind == event.kind
      })
    {
      openCallbacks.remove(at: index)
    }
  }

  func isInsideCallback(_ thread: Int64) -> Bool {
    openCallbacks.contains { $0.thread == thread }
  }
}
