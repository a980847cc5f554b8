// What was open when the app was suspended, until the suspension is certain.

import TraceModel

/// Instances of an `expect` clause that were open at a suspension.
struct PendingSuspension {
  /// A violation, before it is reported.
  struct Violation {
    var timeNanoseconds: Int64
    var certain: WitnessEvent?
    var limit: String
    var stretch: Stretch
    /// Why it isn't known whether the instance was still open.
    var doubt: String?
  }

  /// What was opened with the same key after the tolerance, and counts if the suspension turns out
  /// to be certain.
  struct Successor {
    var event: Event
    var key: InstanceKey
    var evidence: Int
  }

  struct Item {
    var instance: InstanceTable.Instance
    /// What became a violation after the suspension, and counts if that isn't certain.
    var later: Violation?
    var successor: Successor?
  }

  let suspension: WitnessEvent
  let timeNanoseconds: Int64
  let stretch: Stretch
  private(set) var items: [Item]
  /// It was only inferred, and nothing has confirmed it.
  var awaitsConfirmation: Bool

  init(
    suspension: WitnessEvent, timeNanoseconds: Int64, stretch: Stretch,
    instances: [InstanceTable.Instance], awaitsConfirmation: Bool
  ) {
    self.suspension = suspension
    self.timeNanoseconds = timeNanoseconds
    self.stretch = stretch
    items = instances.map { Item(instance: $0) }
    self.awaitsConfirmation = awaitsConfirmation
  }

  private func place(_ ordinal: Int) -> Int? {
    items.firstIndex { $0.instance.ordinal == ordinal }
  }

  func holds(_ ordinal: Int) -> Bool { place(ordinal) != nil }

  mutating func remove(_ ordinal: Int) { items.removeAll { $0.instance.ordinal == ordinal } }

  mutating func doubt(_ ordinal: Int, _ reason: String) {
    guard let place = place(ordinal) else { return }
    items[place].instance.doubt = items[place].instance.doubt ?? reason
  }

  mutating func doubtAll(_ reason: String) {
    items.mark { $0.instance.doubt = $0.instance.doubt ?? reason }
  }

  /// Takes note of a violation by an instance, unless there was one.
  mutating func note(_ violation: Violation, _ ordinal: Int) -> Bool {
    guard let place = place(ordinal) else { return false }
    items[place].later = items[place].later ?? violation
    return true
  }

  /// Takes note of the next opening, and says whether it was the first.
  mutating func succeed(
    _ ordinal: Int, by event: Event, _ key: InstanceKey, evidence: Int
  ) -> Bool {
    guard let place = place(ordinal), items[place].successor == nil else { return false }
    items[place].successor = Successor(event: event, key: key, evidence: evidence)
    return true
  }

  /// Forgets the opening after an instance, and returns its place among the evidence.
  mutating func closeSuccessor(of ordinal: Int) -> Int? {
    guard let place = place(ordinal), let next = items[place].successor else { return nil }
    items[place].successor = nil
    return next.evidence
  }
}
