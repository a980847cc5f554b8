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
  /// Of each slot the generation that waits, and the count of ``removeAll()`` before it began.
  private var armed: [(generation: Int, removals: Int)] = []
  private var removals = 0
  /// The lengths differ from instance to instance, so that the oldest isn't the first.
  private let isSorted: Bool

  init(_ time: Time) {
    reading = ClockReading(time)
    if case .argument = time.amount { isSorted = false } else { isSorted = true }
  }

  var isEmpty: Bool { head == entries.count }

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
    if place == head {
      head += 1
      if head == entries.count {
        entries.removeAll(keepingCapacity: true)
        head = 0
      } else if head > 1_024 && head * 2 > entries.count {
        entries.removeFirst(head)
        head = 0
      }
    } else {
      entries.remove(at: place)
    }
    return (entry.slot, entry.generation, difference(value, entry.target))
  }

  /// Drops entries at the front that nobody waits for any more.
  mutating func dropFront(while isIdle: (Int, Int) -> Bool) {
    while head < entries.count, isIdle(entries[head].slot, entries[head].generation) { head += 1 }
    if head == entries.count { removeAll() }
  }

  /// Whether an instance waits.
  func waits(_ slot: Int, _ generation: Int) -> Bool {
    slot < armed.count && armed[slot].generation == generation && armed[slot].removals == removals
  }

  /// The instances that wait.
  var waiting: [(slot: Int, generation: Int)] {
    entries[head...].map { ($0.slot, $0.generation) }
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    head = 0
    removals += 1
  }
}
