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
  /// In the order of their opening; nil: not open at the suspension, after all.
  private var all: [Item?]
  private var placeOfOrdinal: [Int: Int] = [:]
  private var areDoubted = false
  /// It was only inferred, and nothing has confirmed it.
  var awaitsConfirmation: Bool

  init(
    suspension: WitnessEvent, timeNanoseconds: Int64, stretch: Stretch,
    instances: [InstanceTable.Instance], awaitsConfirmation: Bool
  ) {
    self.suspension = suspension
    self.timeNanoseconds = timeNanoseconds
    self.stretch = stretch
    all = instances.map { Item(instance: $0) }
    self.awaitsConfirmation = awaitsConfirmation
    for (place, instance) in instances.enumerated() { placeOfOrdinal[instance.ordinal] = place }
  }

  var items: [Item] { all.compactMap { $0 } }

  func holds(_ ordinal: Int) -> Bool { placeOfOrdinal[ordinal] != nil }

  mutating func remove(_ ordinal: Int) {
    if let place = placeOfOrdinal.removeValue(forKey: ordinal) { all[place] = nil }
  }

  mutating func doubt(_ ordinal: Int, _ reason: String) {
    change(ordinal) { $0.instance.doubt = $0.instance.doubt ?? reason }
  }

  mutating func doubtAll(_ reason: String) {
    // Nothing joins them, and a trace may have a loss at every event.
    if areDoubted { return }
    areDoubted = true
    for ordinal in placeOfOrdinal.keys { doubt(ordinal, reason) }
  }

  private mutating func change(_ ordinal: Int, _ body: (inout Item) -> Void) {
    guard let place = placeOfOrdinal[ordinal], var item = all[place] else { return }
    body(&item)
    all[place] = item
  }

  /// Takes note of a violation by an instance, unless there was one.
  mutating func note(_ violation: Violation, _ ordinal: Int) -> Bool {
    change(ordinal) { $0.later = $0.later ?? violation }
    return holds(ordinal)
  }

  /// Takes note of the next opening, and says whether it was the first.
  mutating func succeed(
    _ ordinal: Int, by event: Event, _ key: InstanceKey, evidence: Int
  ) -> Bool {
    var isFirst = false
    change(ordinal) {
      guard $0.successor == nil else { return }
      $0.successor = Successor(event: event, key: key, evidence: evidence)
      isFirst = true
    }
    return isFirst
  }

  /// Forgets the opening after an instance, and returns its place among the evidence.
  mutating func closeSuccessor(of ordinal: Int) -> Int? {
    var evidence: Int?
    change(ordinal) {
      evidence = $0.successor?.evidence
      $0.successor = nil
    }
    return evidence
  }
}
