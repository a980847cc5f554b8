// Turns the events that a scan found into batches whose threads are numbered without gaps.
// The recorder seals with it, and recovery reads with it: one reader for both.

public import TraceModel

/// Hands out the events of a scan, batch by batch.
struct JournalBatches: Sendable {
  /// Events that weren't wanted.
  private(set) var leftOutCount = 0
  /// Events whose names are lost.
  private(set) var namelessCount = 0

  private let scan: JournalScan
  private var nextEvent = 0
  private var assembler = BatchAssembler()
  /// The number that follows for each thread of the batch, and the one that came first.
  private var expected: [UInt64: UInt64] = [:]
  private var first: [Int64: UInt64] = [:]

  init(_ scan: JournalScan) { self.scan = scan }

  /// Fills a batch with the next events that are wanted. False if there are none.
  ///
  /// - Parameter bytes: The bytes that were scanned.
  mutating func next(
    into batch: inout EventBatch, _ bytes: Span<UInt8>,
    where isWanted: (JournalScan.Found) -> Bool
  ) -> Bool {
    expected.removeAll(keepingCapacity: true)
    first.removeAll(keepingCapacity: true)
    while nextEvent < scan.events.count, !assembler.isFull {
      let event = scan.events[nextEvent]
      // A block says where the numbers of a thread begin, and no more: a gap begins a new one.
      if let next = expected[event.thread], next != event.sequence { break }
      nextEvent += 1
      guard isWanted(event) else {
        leftOutCount += 1
        continue
      }
      guard scan.append(event, of: bytes, to: &assembler) else {
        namelessCount += 1
        continue
      }
      if expected.updateValue(event.sequence + 1, forKey: event.thread) == nil {
        first[Int64(event.thread)] = event.sequence
      }
    }
    guard assembler.batch.count > 0 else { return false }
    assembler.take(into: &batch)
    for place in batch.threads.indices {
      batch.threads[place].firstSequence = first[batch.threads[place].id] ?? 0
    }
    return true
  }
}

/// The events of a segment of a journal's ring, for the recorder that seals it.
public struct JournalSegmentReader: Sendable {
  private var batches: JournalBatches
  private let bytes: [UInt8]
  /// Events that the segment holds.
  public let eventCount: Int

  /// - Parameters:
  ///   - bytes: A copy of the segment.
  ///   - firstSlot: The number in the ring of its first slot.
  ///   - key: The key of the journal.
  public init(_ bytes: [UInt8], firstSlot: Int, key: UInt16) {
    self.bytes = bytes
    let scan = JournalScan(bytes.span, ring: 0..<bytes.count, firstSlot: firstSlot, key: key)
    eventCount = scan.events.count
    batches = JournalBatches(scan)
  }

  /// Fills a batch with the next events, in the order of time. False if there are none.
  public mutating func next(into batch: inout EventBatch) -> Bool {
    // A second reference, so that reading it isn't an access to the whole reader; no copy.
    let bytes = bytes
    return batches.next(into: &batch, bytes.span) { _ in true }
  }
}
