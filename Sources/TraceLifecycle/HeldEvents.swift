// Copies of the events that wait for their turn.
// This file must not know how long an event has to wait.

import TraceModel

/// Events that wait, in order of time and then of arrival.
///
/// As long as they come in order they stand in a queue and are emitted in place; one that comes
/// out of order makes it a heap until it is empty.
struct HeldEvents: Sendable {
  /// Events of one chunk: small enough to be let go soon, large enough to be handed on whole.
  private static let chunkEventsMax = 4_096
  /// Chunks with few waiting events are packed anew when this many dead events stand beside each
  /// waiting one, and at least ``chunkEventsMax`` times this in all: packing is cheap.
  private static let deadPerWaitingMax = 4
  /// Fewer events in a row are copied and handed on with others: whoever takes a range does some
  /// work for each.
  private static let rangeEventsMin = 256

  private struct Entry {
    var timeNanoseconds: Int64
    var arrival: Int
    var chunk: Int
    var place: Int

    static func < (a: Entry, b: Entry) -> Bool {
      (a.timeNanoseconds, a.arrival) < (b.timeNanoseconds, b.arrival)
    }
  }

  /// Number `firstChunk + place`; emptied ones leave the front.
  private var chunks: [BatchAssembler] = []
  private var firstChunk = 0
  private var entries: [Entry] = []
  /// Where the queue begins in ``entries``; 0 while they are a heap.
  private var head = 0
  private var isHeap = false
  private var arrivals = 0
  private var storedCount = 0
  private var newestNanoseconds = Int64.min
  private var output = BatchAssembler()
  private var spare = EventBatch()

  init() {}

  var count: Int { entries.count - head }

  var oldestNanoseconds: Int64? {
    count == 0 ? nil : entries[head].timeNanoseconds
  }

  mutating func removeAll() {
    chunks.removeAll()
    entries.removeAll(keepingCapacity: true)
    firstChunk = 0
    head = 0
    isHeap = false
    storedCount = 0
    newestNanoseconds = .min
  }

  mutating func append(_ index: Int, of batch: EventBatch, timeNanoseconds: Int64) {
    if chunks.last.map({ $0.isFull || $0.batch.count >= Self.chunkEventsMax }) ?? true {
      chunks.append(BatchAssembler())
    }
    let last = chunks.count - 1
    chunks[last].copy(index, of: batch, timeNanoseconds: timeNanoseconds)
    storedCount += 1
    let entry = Entry(
      timeNanoseconds: timeNanoseconds, arrival: arrivals, chunk: firstChunk + last,
      place: chunks[last].batch.count - 1)
    arrivals += 1
    if !isHeap && timeNanoseconds < newestNanoseconds && count > 0 { makeHeap() }
    newestNanoseconds = max(newestNanoseconds, timeNanoseconds)
    entries.append(entry)
    if isHeap { siftUp(entries.count - 1) }
  }

  /// Emits all events up to a time, and at least so many; returns the time of the last one.
  /// Those of a heap are collected first: ``emitAll(_:)`` and ``flush(_:)`` hand them on.
  mutating func emit(
    upTo limit: Int64, atLeast wanted: Int, _ emit: (EventBatch, Range<Int>) -> Void
  ) -> Int64? {
    isHeap ? emitHeap(upTo: limit, atLeast: wanted, emit) : emitQueue(limit, wanted, emit)
  }

  mutating func emitAll(_ emit: (EventBatch, Range<Int>) -> Void) {
    _ = self.emit(upTo: .max, atLeast: 0, emit)
    flush(emit)
  }

  /// Hands on what was collected.
  mutating func flush(_ emit: (EventBatch, Range<Int>) -> Void) {
    guard output.batch.count > 0 else { return }
    output.take(into: &spare)
    emit(spare, 0..<spare.count)
  }

  /// Hands on events of a batch: in place, or with others if they are few.
  mutating func pass(
    _ range: Range<Int>, of batch: EventBatch, _ emit: (EventBatch, Range<Int>) -> Void
  ) {
    if range.count >= Self.rangeEventsMin {
      flush(emit)
      emit(batch, range)
    } else {
      for index in range {
        if output.isFull { flush(emit) }
        output.copy(index, of: batch)
      }
    }
  }

  /// Makes a queue of a heap again, if no more than so many events have to be copied for it.
  mutating func straighten(copyingAtMost limit: Int) {
    if isHeap && count <= limit { pack() }
  }

  // MARK: Queue

  private mutating func emitQueue(
    _ limit: Int64, _ wanted: Int, _ emit: (EventBatch, Range<Int>) -> Void
  ) -> Int64? {
    var end = head
    while end < entries.count, entries[end].timeNanoseconds <= limit || end - head < wanted {
      end += 1
    }
    guard end > head else { return nil }
    let last = entries[end - 1].timeNanoseconds
    while head < end {
      let first = entries[head]
      var next = head + 1
      while next < end && entries[next].chunk == first.chunk { next += 1 }
      pass(
        first.place..<(first.place + next - head), of: chunks[first.chunk - firstChunk].batch, emit)
      head = next
    }
    if head == entries.count {
      removeAll()
      return last
    }
    // Chunks and entries in front are done with; both are dropped in large steps.
    let dead = entries[head].chunk - firstChunk
    if dead > 0 {
      for chunk in chunks[..<dead] { storedCount -= chunk.batch.count }
      chunks.removeFirst(dead)
      firstChunk += dead
    }
    if head > Self.chunkEventsMax && head > entries.count / 2 {
      entries.removeFirst(head)
      head = 0
    }
    return last
  }

  // MARK: Heap

  private mutating func emitHeap(
    upTo limit: Int64, atLeast wanted: Int, _ emit: (EventBatch, Range<Int>) -> Void
  ) -> Int64? {
    var last: Int64?
    var emitted = 0
    while let oldest = oldestNanoseconds, oldest <= limit || emitted < wanted {
      last = oldest
      let entry = popHeap()
      pass(
        entry.place..<entry.place + 1, of: chunks[entry.chunk - firstChunk].batch, emit)
      emitted += 1
    }
    if count == 0 { removeAll() } else { packIfSparse() }
    return last
  }

  /// A queue in order is a heap already.
  private mutating func makeHeap() {
    entries.removeFirst(head)
    head = 0
    isHeap = true
  }

  private mutating func siftUp(_ start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard entries[place] < entries[parent] else { return }
      entries.swapAt(place, parent)
      place = parent
    }
  }

  private mutating func popHeap() -> Entry {
    let top = entries[0]
    let last = entries.removeLast()
    guard !entries.isEmpty else { return top }
    entries[0] = last
    var place = 0
    while true {
      var least = 2 * place + 1
      guard least < entries.count else { return top }
      if least + 1 < entries.count && entries[least + 1] < entries[least] { least += 1 }
      guard entries[least] < entries[place] else { return top }
      entries.swapAt(place, least)
      place = least
    }
  }

  /// Copies the waiting events together when they stand among too many that are done with.
  private mutating func packIfSparse() {
    if storedCount > Self.deadPerWaitingMax * max(count, Self.chunkEventsMax) { pack() }
  }

  private mutating func pack() {
    let old = chunks
    let oldEntries = entries.sorted { $0 < $1 }
    let oldFirst = firstChunk
    removeAll()
    for entry in oldEntries {
      append(
        entry.place, of: old[entry.chunk - oldFirst].batch,
        timeNanoseconds: entry.timeNanoseconds)
    }
  }
}
