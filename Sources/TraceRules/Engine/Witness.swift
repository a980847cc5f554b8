// Events kept as evidence. An event refers to its batch; evidence must outlive it.

import TraceModel

extension EventBatch {
  /// The event as evidence, with its arguments. Allocates: made for findings, not for events.
  func witness(_ event: Event, role: String) -> WitnessEvent {
    WitnessEvent(
      ordinal: event.ordinal, timeNanoseconds: event.timeNanoseconds, event: name(of: event.kind),
      phase: event.phase, thread: event.thread, role: role,
      arguments: arguments(at: event.index).map { WitnessArgument(name: $0.name, value: $0.value) },
      line: lines.isEmpty ? 0 : lines[event.index])
  }
}

/// An event that may become evidence: read from its batch while that is at hand, and copied when
/// the batch goes. Most are forgotten before, and cost nothing.
struct PendingWitness {
  let event: Event
  private var kept: WitnessEvent?

  init(_ event: Event) { self.event = event }

  init(_ event: Event, keptAs witness: WitnessEvent) {
    self.event = event
    kept = witness
  }

  /// Copies the event. Call it before its batch goes.
  mutating func keep(from batch: EventBatch) {
    if kept == nil { kept = batch.witness(event, role: "") }
  }

  /// The evidence. The batch must be the event's own if ``keep(from:)`` wasn't called.
  func witness(role: String, in batch: EventBatch) -> WitnessEvent {
    var witness = kept ?? batch.witness(event, role: "")
    witness.role = role
    return witness
  }
}
