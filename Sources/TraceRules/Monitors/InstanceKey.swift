// The key of an instance or a fact: what the key fields of an event say.

import TraceLifecycle
import TraceModel

/// One or two values that tell instances apart.
struct InstanceKey: Hashable {
  var first: ArgumentKey
  var second: ArgumentKey

  /// The key of patterns without key fields.
  static let none = InstanceKey(first: .absent, second: .absent)

  /// Most keys are numbers, compared without a look at what else they might be.
  static func == (one: InstanceKey, other: InstanceKey) -> Bool {
    equal(one.first, other.first) && equal(one.second, other.second)
  }

  private static func equal(_ one: ArgumentKey, _ other: ArgumentKey) -> Bool {
    switch (one, other) {
    case (.absent, .absent): true
    case (.bits(let one), .bits(let other)): one == other
    case (.text(let one), .text(let other)): one == other
    case (.absent, _), (.bits, _), (.text, _): false
    default: one == other
    }
  }

  /// Whether the event didn't say what it is about.
  var isAbsent: Bool {
    if case (.absent, .absent) = (first, second) { true } else { false }
  }
}

extension Hearing {
  /// The key of the event; arguments that a return lacks are those of its enter. Only the first
  /// two fields count.
  func instanceKey(_ fields: [KeyField]) -> InstanceKey {
    switch fields.count {
    case 0: .none
    case 1: InstanceKey(first: key(fields[0]), second: .absent)
    default: InstanceKey(first: key(fields[0]), second: key(fields[1]))
    }
  }

  private func key(_ field: KeyField) -> ArgumentKey {
    switch field {
    case .thread: return .bits(UInt64(bitPattern: event.thread))
    case .argument(let name):
      if let lastKey, lastKey.name == name { return lastKey.key }
      var key = judge.key(name, of: event, batch)
      if case .absent = key { key = said(name) ?? .absent }
      lastKey = (name, key)
      return key
    }
  }

  /// What the enter said, if the event is a return.
  func said(_ name: ArgumentName) -> ArgumentKey? {
    enter.flatMap { judge.spans.argument(name, of: $0, batch, judge) }
  }
}
