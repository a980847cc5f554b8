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

  private var lastOfPlace: [PendingWitness?]
  private var touched: [Int] = []
  private var used: [Int] = []
  private var recent: [PendingWitness] = []
  private var next = 0
  /// How many of the recent events came since the last batch went.
  private var freshCount = 0

  init() {
    lastOfPlace = [PendingWitness?](repeating: nil, count: Self.places)
  }

  mutating func note(_ event: Event) {
    guard event.kind.rawValue < 255, LifecycleModel.kinds.contains(event.kind) else { return }
    let place = Int(event.kind.rawValue) * 3 + Int(event.phase.rawValue)
    if lastOfPlace[place] == nil { used.append(place) }
    lastOfPlace[place] = PendingWitness(event)
    touched.append(place)
    if recent.count < Self.recentMax {
      recent.append(PendingWitness(event))
    } else {
      recent[next] = PendingWitness(event)
    }
    next = (next + 1) % Self.recentMax
    freshCount = min(freshCount + 1, Self.recentMax)
  }

  mutating func launchBegan() {
    for place in used { lastOfPlace[place] = nil }
    used.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
  }

  mutating func batchEnds(_ batch: EventBatch) {
    for place in touched { lastOfPlace[place]?.keep(from: batch) }
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
      for place in used {
        if let last = lastOfPlace[place], last.event.ordinal < first { all.append(last) }
      }
    }
    all.sort { $0.event.ordinal < $1.event.ordinal }
    return all + recent[oldest...] + recent[..<oldest]
  }
}
