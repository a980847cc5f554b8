// Joins small batches to large ones: large blocks compress better.
// This file must not know where batches come from or go to.

public import TraceExport
public import TraceModel

/// Hands on the events of batches in batches that are as large as a block may be.
///
/// Threads stay numbered: where numbers have a gap, a new batch begins.
public struct BatchMerger {
  private var assembler = BatchAssembler()
  private var merged = EventBatch()
  /// For each thread of the events that wait: its first event's number, and the next one's.
  private var numbers: [Int64: (first: UInt64, next: UInt64)] = [:]

  /// Batches of so many events or more are handed on as they are if nothing waits.
  private static let largeEventsMin = 32_768

  public init() {}

  /// Takes a batch, and hands on what is complete.
  public mutating func add(
    _ batch: EventBatch, _ body: (EventBatch) throws(CaptureFailure) -> Void
  ) throws(CaptureFailure) {
    var next = batch.threads.map(\.firstSequence)
    try add(batch, 0..<batch.count, numbers: &next, body)
  }

  /// Takes some events of a batch, and hands on what is complete.
  ///
  /// - Parameter next: The number of each thread's next event, 0 where they aren't numbered; that
  ///   after the range when it returns.
  mutating func add(
    _ batch: EventBatch, _ range: Range<Int>, numbers next: inout [UInt64],
    _ body: (EventBatch) throws(CaptureFailure) -> Void
  ) throws(CaptureFailure) {
    if range.count == batch.count, batch.count >= Self.largeEventsMin {
      try flush(body)
      return try body(batch)
    }
    // Of a few events as many texts are looked up as a table of all would take.
    var texts = range.count < batch.strings.count ? CopiedTexts() : CopiedTexts(of: batch)
    for event in range {
      let thread = Int(batch.templates[Int(batch.templateIndices[event])].thread)
      let identifier = batch.threads[thread].id
      if assembler.isFull { try flush(body) }
      if let known = numbers[identifier], known.next != next[thread] { try flush(body) }
      let following = next[thread] == 0 ? 0 : next[thread] &+ 1
      numbers[identifier, default: (next[thread], 0)].next = following
      next[thread] = following
      assembler.copy(event, of: batch, texts: &texts)
    }
  }

  /// Hands on what waits.
  public mutating func flush(
    _ body: (EventBatch) throws(CaptureFailure) -> Void
  ) throws(CaptureFailure) {
    guard assembler.batch.count > 0 else { return }
    assembler.take(into: &merged)
    for index in merged.threads.indices {
      merged.threads[index].firstSequence = numbers[merged.threads[index].id]?.first ?? 0
    }
    numbers.removeAll(keepingCapacity: true)
    try body(merged)
  }
}
