// Evidence that a monitor may need later, by number: what is still wanted when a batch goes is
// copied then, and what isn't costs nothing.

import TraceModel

/// Events kept as evidence by one monitor.
struct EvidenceArena {
  private var slots: [PendingWitness?] = []
  private var free: [Int] = []
  /// Slots filled since the last batch went.
  private var fresh: [Int] = []

  /// Keeps an event; the number is good until ``release(_:)``.
  mutating func keep(_ event: Event) -> Int { keep(PendingWitness(event)) }

  /// Keeps evidence that may have been copied already.
  mutating func keep(_ witness: PendingWitness) -> Int {
    let place: Int
    if let reused = free.popLast() {
      place = reused
      slots[place] = witness
    } else {
      place = slots.count
      slots.append(witness)
    }
    fresh.append(place)
    return place
  }

  mutating func release(_ place: Int) {
    guard place >= 0, place < slots.count, slots[place] != nil else { return }
    slots[place] = nil
    free.append(place)
  }

  /// The evidence; the batch must be that of the event if it was kept since the last batch went.
  subscript(place: Int) -> PendingWitness? {
    place >= 0 && place < slots.count ? slots[place] : nil
  }

  mutating func batchEnds(_ batch: EventBatch) {
    for place in fresh where place < slots.count { slots[place]?.keep(from: batch) }
    fresh.removeAll(keepingCapacity: true)
  }

  mutating func removeAll() {
    slots.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
    fresh.removeAll(keepingCapacity: true)
  }
}
