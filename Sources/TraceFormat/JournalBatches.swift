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
  /// Threads of which an event came before: here, or in the blocks of the trace.
  private(set) var known: Set<UInt64>
  private let tellsFirstLosses: Bool

  /// - Parameters:
  ///   - known: Threads of which the trace holds events.
  ///   - tellsFirstLosses: Whether numbers that are missing before the first event of a thread were
  ///     dropped. No gap shows them, so that an event has to.
  init(_ scan: JournalScan, known: Set<UInt64>, tellsFirstLosses: Bool) {
    self.scan = scan
    self.known = known
    self.tellsFirstLosses = tellsFirstLosses
  }

  /// The last event of each thread, as one that was dropped.
  func lastOfThreads() -> [JournalDrop] {
    var last: [UInt64: JournalDrop] = [:]
    for event in scan.events {
      last[event.thread] = JournalDrop(
        threadAndSequence: event.threadAndSequence, timeNanoseconds: event.timeNanoseconds, turn: 0)
    }
    return Array(last.values)
  }

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
      var event = scan.events[nextEvent]
      var lossCount: UInt64 = 1
      // A block says where the numbers of a thread begin, and no more: a gap begins a new one.
      if let next = expected[event.thread] {
        if next != event.sequence { break }
      } else if known.insert(event.thread).inserted {
        // Numbers before the first one of a thread are no gap.
        if event.isLoss {
          if tellsFirstLosses { lossCount = event.sequence }
        } else if tellsFirstLosses, event.sequence > 1 {
          lossCount = event.sequence - 1
          event = event.lossBefore
          nextEvent -= 1
        }
      }
      nextEvent += 1
      guard isWanted(event) else {
        leftOutCount += 1
        continue
      }
      if event.isLoss {
        appendLoss(event, count: lossCount)
      } else if !scan.append(event, of: bytes, to: &assembler) {
        namelessCount += 1
        continue
      }
      if expected.updateValue(event.sequence + 1, forKey: event.thread) == nil {
        first[Int64(event.thread)] = event.sequence
      }
    }
    return finish(&batch)
  }

  /// Adds what stands for a dropped event: it has the number of that event. Those that were dropped
  /// before it in a row are missing numbers.
  private mutating func appendLoss(_ event: JournalScan.Found, count: UInt64) {
    assembler.begin(
      .traceLost, .instant, thread: Int64(event.thread), timeNanoseconds: event.timeNanoseconds)
    assembler.add(.count, .integer(Int64(clamping: count)))
    assembler.add(.firstNs, .integer(event.timeNanoseconds))
    assembler.add(.thread, .string("\(event.thread)"))
    assembler.endEvent()
  }

  private mutating func finish(_ batch: inout EventBatch) -> Bool {
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
  /// Events that come out: those of the segment, and one for each loss.
  public let eventCount: Int
  /// Events that only say that others were dropped.
  public let lossCount: Int

  /// - Parameters:
  ///   - bytes: A copy of the segment.
  ///   - firstSlot: The number in the ring of its first slot.
  ///   - key: The key of the journal.
  ///   - drops: What threads dropped, to be told with the events.
  ///   - known: Threads of which the trace holds events.
  public init(
    _ bytes: [UInt8], firstSlot: Int, key: UInt16, drops: [JournalDrop], known: Set<UInt64>
  ) {
    self.bytes = bytes
    let scan = JournalScan(
      bytes.span, ring: 0..<bytes.count, firstSlot: firstSlot, key: key, drops: drops)
    eventCount = scan.events.count
    lossCount = scan.dropCount
    batches = JournalBatches(scan, known: known, tellsFirstLosses: true)
  }

  /// Threads of which the trace holds events once these are in it.
  public var known: Set<UInt64> { batches.known }

  /// The last event of each thread, as it is told if the segment is given up.
  public func lastOfThreads() -> [JournalDrop] { batches.lastOfThreads() }

  /// Fills a batch with the next events, in the order of time. False if there are none.
  public mutating func next(into batch: inout EventBatch) -> Bool {
    // A second reference, so that reading it isn't an access to the whole reader; no copy.
    let bytes = bytes
    return batches.next(into: &batch, bytes.span) { _ in true }
  }
}
