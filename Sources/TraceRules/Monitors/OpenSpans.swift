// Spans that are open now, thread by thread. Made for a loop over events: nothing is allocated
// for a span that a thread's memory has room for.

import TraceModel

/// The open spans of all threads.
struct OpenSpans {
  struct Open {
    var kind: EventKind
    /// Nil for a span that nobody cares for and that is only counted for nesting.
    var witness: PendingWitness?
  }

  /// Spans open at once over all threads.
  static let openMax = 16_384
  /// Threads remembered; past it those without an open span are forgotten.
  private static let threadsMax = 4_096

  private var stacks: [[Open]] = []
  private var stackOfThread: [Int64: Int] = [:]
  /// The stack of each thread of the present batch, or -1.
  private var stackOfBatchThread: [Int] = []
  private var batchNumber = -1
  private(set) var count = 0

  /// Opens a span. ``count`` must be below ``openMax``.
  mutating func open(_ event: Event, _ batch: EventBatch, number: Int, isWatched: Bool) {
    let stack = stack(of: event, batch, number)
    stacks[stack].append(
      Open(kind: event.kind, witness: isWatched ? PendingWitness(event) : nil))
    count += 1
  }

  /// Closes the innermost span of the event's kind on its thread; nil if there is none.
  mutating func close(_ event: Event, _ batch: EventBatch, number: Int) -> Open? {
    let stack = stack(of: event, batch, number)
    guard let index = stacks[stack].lastIndex(where: { $0.kind == event.kind }) else { return nil }
    count -= 1
    return stacks[stack].remove(at: index)
  }

  /// Closes the innermost span of a kind on a thread; nil if there is none.
  mutating func close(_ kind: EventKind, onThread thread: Int64) -> Open? {
    guard let stack = stackOfThread[thread],
      let index = stacks[stack].lastIndex(where: { $0.kind == kind })
    else { return nil }
    count -= 1
    return stacks[stack].remove(at: index)
  }

  /// The watched spans that are open, in the order in which they were opened.
  var watched: [PendingWitness] {
    stacks.joined().compactMap(\.witness).sorted { $0.event.ordinal < $1.event.ordinal }
  }

  mutating func removeAll() {
    for stack in stacks.indices { stacks[stack].removeAll(keepingCapacity: true) }
    count = 0
  }

  mutating func removeAll(ofThread thread: Int64) {
    guard let stack = stackOfThread[thread] else { return }
    count -= stacks[stack].count
    stacks[stack].removeAll(keepingCapacity: true)
  }

  /// Copies the evidence of spans whose batch goes.
  mutating func keepWitnesses(from batch: EventBatch) {
    guard count > 0 else { return }
    for stack in stacks.indices {
      for place in stacks[stack].indices { stacks[stack][place].witness?.keep(from: batch) }
    }
  }

  private mutating func stack(of event: Event, _ batch: EventBatch, _ number: Int) -> Int {
    if number != batchNumber {
      batchNumber = number
      if stacks.count > Self.threadsMax { forgetIdleThreads() }
      stackOfBatchThread.removeAll(keepingCapacity: true)
      for _ in batch.threads { stackOfBatchThread.append(-1) }
    }
    let thread = Int(batch.templates[Int(batch.templateIndices[event.index])].thread)
    if stackOfBatchThread[thread] < 0 {
      if let stack = stackOfThread[event.thread] {
        stackOfBatchThread[thread] = stack
      } else {
        stackOfBatchThread[thread] = stacks.count
        stackOfThread[event.thread] = stacks.count
        stacks.append([])
      }
    }
    return stackOfBatchThread[thread]
  }

  private mutating func forgetIdleThreads() {
    let busy = stackOfThread.filter { !stacks[$0.value].isEmpty }
    var kept: [[Open]] = []
    var places: [Int64: Int] = [:]
    for (thread, stack) in busy {
      places[thread] = kept.count
      kept.append(stacks[stack])
    }
    stacks = kept
    stackOfThread = places
  }
}
