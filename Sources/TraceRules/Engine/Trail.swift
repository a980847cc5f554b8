// The last events of a launch that say where it stands: what a witness may need besides the
// events of the rule.

import TraceLifecycle
import TraceModel

/// The last events that the life cycle took, and the last of each kind and phase since the launch
/// began.
struct Trail {
  /// Events kept whatever their kind.
  private static let recentMax = 48
  private static let places = 256 * 3

  /// For each kind and phase one more than the place of its last event in ``last``; 0: it had none.
  private var slotOfPlace: [UInt16]
  /// The last events, in the order in which their kinds and phases first came.
  private var last: [PendingWitness] = []
  private var used: [Int] = []
  /// The places in ``last`` that were filled since the last batch went.
  private var touched: [Int] = []
  private var recent: [PendingWitness] = []
  private var next = 0
  /// How many of the recent events came since the last batch went.
  private var freshCount = 0

  init() {
    slotOfPlace = [UInt16](repeating: 0, count: Self.places)
  }

  mutating func note(_ event: Event) {
    guard event.kind.rawValue < 255, LifecycleModel.kinds.contains(event.kind) else { return }
    let place = Int(event.kind.rawValue) * 3 + Int(event.phase.rawValue)
    let slot = Int(slotOfPlace[place])
    if slot > 0 {
      last[slot - 1] = PendingWitness(event)
      touched.append(slot - 1)
    } else {
      touched.append(last.count)
      last.append(PendingWitness(event))
      slotOfPlace[place] = UInt16(last.count)
      used.append(place)
    }
    if recent.count < Self.recentMax {
      recent.append(PendingWitness(event))
    } else {
      recent[next] = PendingWitness(event)
    }
    next = (next + 1) % Self.recentMax
    freshCount = min(freshCount + 1, Self.recentMax)
  }

  mutating func launchBegan() {
    for place in used { slotOfPlace[place] = 0 }
    used.removeAll(keepingCapacity: true)
    last.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
  }

  mutating func batchEnds(_ batch: EventBatch) {
    for place in touched { last[place].keep(from: batch) }
    touched.removeAll(keepingCapacity: true)
    var place = next
    for _ in 0..<freshCount {
      place = (place + Self.recentMax - 1) % Self.recentMax
      if place < recent.count { recent[place].keep(from: batch) }
    }
    freshCount = 0
  }

  /// The events, in the order of the trace.
  var events: [PendingWitness] {
    let oldest = recent.count < Self.recentMax ? 0 : next
    var all: [PendingWitness] = []
    // Of those that were noted since, the recent ones are all.
    if let first = recent.isEmpty ? nil : recent[oldest].event.ordinal {
      for event in last where event.event.ordinal < first { all.append(event) }
    }
    all.sort { $0.event.ordinal < $1.event.ordinal }
    return all + recent[oldest...] + recent[..<oldest]
  }
}
