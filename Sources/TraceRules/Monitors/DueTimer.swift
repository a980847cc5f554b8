// The deadlines of one kind of due: a queue where all have the same length.

import TraceModel

/// Instances that wait for a time to be over, in the order in which it began.
struct DueTimer {
  private struct Entry {
    var slot: Int
    var generation: Int
    var target: Int64
  }

  var reading: ClockReading
  private var entries: [Entry] = []
  private var head = 0
  /// With so many entries those that nobody waits for are dropped.
  private var compactionCount = DueTimer.compactionCountMin
  /// Of each slot the generation that waits, and the count of ``removeAll()`` before it began.
  private var armed: [(generation: Int, removals: Int)] = []
  private var removals = 0
  /// Whether the oldest is the first; not if the lengths differ from instance to instance.
  private let isSorted: Bool

  private static let compactionCountMin = 1_024

  init(_ time: Time) {
    reading = ClockReading(time)
    if case .argument = time.amount { isSorted = false } else { isSorted = true }
  }

  var isEmpty: Bool { head == entries.count }

  /// The entries in memory, those included that nobody waits for any more.
  var entryCount: Int { entries.count }

  mutating func arm(_ slot: Int, _ generation: Int, length: Int64, now: Int64, _ judge: Judge) {
    let target = sum(reading.value(at: now, judge), length)
    let entry = Entry(slot: slot, generation: generation, target: target)
    if isSorted, let last = entries.last, target < last.target {
      // The clock was set back: the app turned out to have been suspended for a while.
      entries.insert(entry, at: placeBehind(target))
    } else {
      entries.append(entry)
    }
    while armed.count <= slot { armed.append((-1, 0)) }
    armed[slot] = (generation, removals)
    if entries.count >= compactionCount { compact() }
  }

  /// Drops the entries before the first that waits, and those of slots that others wait in by now:
  /// at most one entry is left of each slot. The next time there are twice as many, so that the
  /// cost of one more entry stays constant.
  private mutating func compact() {
    var keptCount = 0
    for place in head..<entries.count {
      let entry = entries[place]
      guard waits(entry.slot, entry.generation) else { continue }
      entries[keptCount] = entry
      keptCount += 1
    }
    entries.removeLast(entries.count - keptCount)
    head = 0
    compactionCount = max(Self.compactionCountMin, 2 * keptCount)
  }

  /// Goes on to the second entry.
  private mutating func dropFirst() {
    head += 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  /// The place behind all entries that are due no later than a target.
  private func placeBehind(_ target: Int64) -> Int {
    var low = head
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].target <= target { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The next moment at which an instance may be overdue; `.max` if none waits or time stands
  /// still.
  func nextDeadline(now: Int64, _ judge: Judge) -> Int64 {
    guard head < entries.count else { return .max }
    var target = entries[head].target
    if !isSorted { for entry in entries[head...] { target = min(target, entry.target) } }
    return reading.time(of: target, now: now, judge)
  }

  /// Takes the next entry whose time is over at a moment, with how long ago that was.
  mutating func takeOverdue(
    now: Int64, _ judge: Judge
  ) -> (slot: Int, generation: Int, sinceNanoseconds: Int64)? {
    guard head < entries.count else { return nil }
    let value = reading.value(at: now, judge)
    var place = head
    if !isSorted {
      guard let overdue = entries[head...].firstIndex(where: { $0.target < value }) else {
        return nil
      }
      place = overdue
    }
    guard entries[place].target < value else { return nil }
    let entry = entries[place]
    if waits(entry.slot, entry.generation) { armed[entry.slot].generation = -1 }
    if place == head { dropFirst() } else { entries.remove(at: place) }
    return (entry.slot, entry.generation, difference(value, entry.target))
  }

  /// Drops entries at the front that nobody waits for any more.
  mutating func dropFront(while isIdle: (Int, Int) -> Bool) {
    while head < entries.count, isIdle(entries[head].slot, entries[head].generation) { dropFirst() }
  }

  /// Whether an instance waits.
  func waits(_ slot: Int, _ generation: Int) -> Bool {
    slot < armed.count && armed[slot].generation == generation && armed[slot].removals == removals
  }

  /// The slots of the instances that wait. The timer isn't told when one is closed: entries of
  /// those stay, and their slots may be those of others by now.
  func waitingSlots(where isOpen: (Int, Int) -> Bool) -> [Int] {
    var slots: [Int] = []
    for entry in entries[head...] where isOpen(entry.slot, entry.generation) {
      slots.append(entry.slot)
    }
    return slots
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    head = 0
    removals += 1
  }
}
