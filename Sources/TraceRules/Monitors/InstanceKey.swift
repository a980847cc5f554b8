// The key of an instance or a fact: what the key fields of an event say.

import TraceLifecycle
import TraceModel

/// One or two values that tell instances apart.
struct InstanceKey: Hashable {
  var first: ArgumentKey
  var second: ArgumentKey

  /// The key of patterns without key fields.
  static let none = InstanceKey(first: .absent, second: .absent)

  /// Whether the event didn't say what it is about.
  var isAbsent: Bool { first == .absent && second == .absent }
}

extension Judge {
  /// The key of an event; arguments that a return lacks are those of its enter. Only the first two
  /// fields count.
  func instanceKey(
    _ fields: [KeyField], of event: Event, _ batch: EventBatch, _ enter: SpanMemory.Record?
  ) -> InstanceKey {
    switch fields.count {
    case 0: .none
    case 1: InstanceKey(first: fieldKey(fields[0], event, batch, enter), second: .absent)
    default:
      InstanceKey(
        first: fieldKey(fields[0], event, batch, enter),
        second: fieldKey(fields[1], event, batch, enter))
    }
  }

  private func fieldKey(
    _ field: KeyField, _ event: Event, _ batch: EventBatch, _ enter: SpanMemory.Record?
  ) -> ArgumentKey {
    switch field {
    case .thread: return .bits(UInt64(bitPattern: event.thread))
    case .argument(let name):
      let key = key(name, of: event, batch)
      return key == .absent ? enter?.value(name) ?? .absent : key
    }
  }
}
