// Finds where events of a trace are missing, by the numbers of each thread's events or by places.
// This file must not know what becomes of a gap.

package import TraceModel

/// Finds gaps in the sequence numbers of threads.
package struct SequenceChecker: Sendable {
  private var next: [Int64: UInt64] = [:]
  private var gaps: [SequenceGap] = []
  /// Whether some thread was seen from its first event on: only then can the first number of
  /// another tell of a loss. A recording that was rotated begins with higher numbers everywhere.
  private var hasSeenFirst = false
  private var counts: [UInt64] = []
  private var firstIndices: [Int] = []
  /// The place in the trace after the last event; nil where nobody knows what comes first.
  private var nextOrdinal: Int?

  /// - Parameter isWhole: Whether events are missing that stood before the first one: not where a
  ///   part of a trace was left out on purpose.
  package init(isWhole: Bool = true) { nextOrdinal = isWhole ? 0 : nil }

  /// The gaps that were found since the last call.
  package mutating func takeGaps() -> [SequenceGap] {
    defer { gaps.removeAll() }
    return gaps
  }

  /// A process that starts anew numbers its threads anew.
  package mutating func restart() {
    next.removeAll()
    hasSeenFirst = false
  }

  /// Looks for gaps before and in a batch.
  package mutating func check(_ batch: EventBatch) {
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
