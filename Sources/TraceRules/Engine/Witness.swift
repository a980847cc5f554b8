// Events kept as evidence. An event refers to its batch; evidence must outlive it.

import TraceModel

extension EventBatch {
  /// Bytes of a text that evidence keeps: a report shows less, and a trace may hold many findings.
  static let witnessTextBytesMax = 256

  /// The event as evidence, with its arguments. Allocates: made for findings, not for events.
  func witness(_ event: Event, role: String) -> WitnessEvent {
    WitnessEvent(
      ordinal: event.ordinal, timeNanoseconds: event.timeNanoseconds, event: name(of: event.kind),
      phase: event.phase, thread: event.thread, role: role,
      arguments: witnessArguments(event),
      line: lines.isEmpty ? 0 : lines[event.index])
  }
}

extension EventBatch {
  private func witnessArguments(_ event: Event) -> [WitnessArgument] {
    let template = templates[Int(templateIndices[event.index])]
    let start = Int(argumentStarts[event.index])
    return (0..<Int(template.slotCount)).map { offset in
      let slot = slots[Int(template.firstSlot) + offset]
      return WitnessArgument(
        name: text(of: slot.name), value: witnessValue(argumentBits[start + offset], slot.type))
    }
  }

  /// The value of an argument, long texts cut.
  private func witnessValue(_ bits: UInt64, _ type: ArgumentType) -> ArgumentValue {
    guard type == .string || type == .json,
      strings.range(at: Int(bits)).count > Self.witnessTextBytesMax
    else { return value(bits, as: type) }
    let range = strings.range(at: Int(bits))
    var kept = strings.bytes[range].prefix(Self.witnessTextBytesMax)
    // Not in the middle of a character.
    while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
    if let last = kept.last, last >= 0xC0 { kept.removeLast() }
    return .string(String(decoding: kept, as: UTF8.self) + "…")
  }
}

/// An event that may become evidence: read from its batch while that is at hand, and copied when
/// the batch goes. Most are forgotten before, and cost nothing.
struct PendingWitness {
  /// A class, so that evidence is small as long as it is in its batch.
  private final class Copy: Sendable {
    let witness: WitnessEvent
    init(_ witness: WitnessEvent) { self.witness = witness }
  }

  let event: Event
  private var kept: Copy?

  init(_ event: Event) { self.event = event }

  init(_ event: Event, keptAs witness: WitnessEvent) {
    self.event = event
    kept = Copy(witness)
  }

  /// Copies the event. Call it before its batch goes.
  mutating func keep(from batch: EventBatch) {
    if kept == nil { kept = Copy(batch.witness(event, role: "")) }
  }

  /// The evidence. The batch must be the event's own if ``keep(from:)`` wasn't called.
  func witness(role: String, in batch: EventBatch) -> WitnessEvent {
    var witness = kept?.witness ?? batch.witness(event, role: "")
    witness.role = role
    return witness
  }
}
