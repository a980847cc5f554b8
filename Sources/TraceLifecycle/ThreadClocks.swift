// The last time of each thread, and the sequence numbers of threads.
// This file must not know what order is made of them.

import TraceModel

/// The last time of every thread.
struct ThreadClocks: Sendable {
  /// Threads remembered over the whole trace. Far more than live at once; beyond it all are
  /// forgotten, which at worst lets a clock step pass for lateness.
  static let threadsMax = 65_536

  private var places: [Int64: Int] = [:]
  private var times: [Int64] = []

  init() {}

  /// Finds the place of each thread of a batch. The places are good until the next call.
  mutating func resolve(_ threads: [ThreadEntry], into found: inout [Int]) {
    if times.count > Self.threadsMax {
      places.removeAll()
      times.removeAll()
    }
    found.removeAll(keepingCapacity: true)
    for thread in threads {
      if let place = places[thread.id] {
        found.append(place)
      } else {
        places[thread.id] = times.count
        found.append(times.count)
        times.append(.min)
      }
    }
  }

  func last(_ place: Int) -> Int64? { times[place] == .min ? nil : times[place] }

  mutating func set(_ place: Int, _ time: Int64) { times[place] = time }

  mutating func forgetTimes() {
    for place in times.indices { times[place] = .min }
  }
}

/// Finds gaps in the sequence numbers of threads.
struct SequenceChecker: Sendable {
  private var next: [Int64: UInt64] = [:]
  private var gaps: [SequenceGap] = []
  /// Whether some thread was seen from its first event on: only then can the first number of
  /// another tell of a loss. A recording that was rotated begins with higher numbers everywhere.
  private var hasSeenFirst = false
  private var counts: [UInt64] = []
  private var firstIndices: [Int] = []
  /// The place in the trace after the last event; nil before the first one.
  private var nextOrdinal: Int?

  init() {}

  mutating func takeGaps() -> [SequenceGap] {
    defer { gaps.removeAll() }
    return gaps
  }

  /// A process that starts anew numbers its threads anew.
  mutating func restart() {
    next.removeAll()
    hasSeenFirst = false
  }

  mutating func check(_ batch: EventBatch) {
    let expected = nextOrdinal
    note(batch)
    guard batch.threads.contains(where: { $0.firstSequence != 0 }) else {
      return checkOrdinals(batch, expected)
    }
    counts.removeAll(keepingCapacity: true)
    firstIndices.removeAll(keepingCapacity: true)
    for _ in batch.threads {
      counts.append(0)
      firstIndices.append(-1)
    }
    for index in 0..<batch.count {
      let thread = Int(batch.templates[Int(batch.templateIndices[index])].thread)
      if counts[thread] == 0 { firstIndices[thread] = index }
      counts[thread] += 1
    }
    if next.count > ThreadClocks.threadsMax { restart() }
    if batch.threads.contains(where: { $0.firstSequence == 1 }) { hasSeenFirst = true }
    for (place, thread) in batch.threads.enumerated()
    where thread.firstSequence != 0 && counts[place] > 0 {
      let expected = next[thread.id] ?? (hasSeenFirst ? 1 : thread.firstSequence)
      if thread.firstSequence > expected, gaps.count < TimeOrderer.reportsMax {
        gaps.append(
          SequenceGap(
            thread: thread.id, missingCount: Int(clamping: thread.firstSequence - expected),
            nextOrdinal: batch.ordinal(at: firstIndices[place])))
      }
      next[thread.id] = thread.firstSequence.addingReportingOverflow(counts[place]).partialValue
    }
  }

  private mutating func note(_ batch: EventBatch) {
    guard batch.count > 0 else { return }
    let (after, overflow) = batch.ordinal(at: batch.count - 1).addingReportingOverflow(1)
    nextOrdinal = overflow ? .max : max(after, nextOrdinal ?? 0)
  }

  /// Where threads have no numbers, events still have places: a block that was damaged leaves a
  /// hole.
  private mutating func checkOrdinals(_ batch: EventBatch, _ expected: Int?) {
    guard let expected, batch.count > 0, batch.ordinals.isEmpty, batch.firstOrdinal > expected,
      gaps.count < TimeOrderer.reportsMax
    else { return }
    gaps.append(
      SequenceGap(
        thread: nil, missingCount: batch.firstOrdinal - expected, nextOrdinal: batch.firstOrdinal))
  }
}
