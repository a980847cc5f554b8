// Which events of which threads have been read: intervals of their numbers, joined.

public import TraceModel

/// Numbers of events that were seen, by thread.
public struct SequenceRanges: Sendable {
  /// Intervals of all threads that are remembered; beyond it duplicates may stay.
  private static let rangesMax = 65_536

  private var rangesByThread: [Int64: [Range<UInt64>]] = [:]
  private var rangeCount = 0

  public init() {}

  /// Adds a run of numbers, which nearly always follows the last one.
  public mutating func insert(_ range: Range<UInt64>, thread: Int64) {
    guard !range.isEmpty else { return }
    if rangeCount < Self.rangesMax { rangeCount += Self.add(range, to: &self[thread]) }
  }

  private subscript(thread: Int64) -> [Range<UInt64>] {
    get { rangesByThread[thread] ?? [] }
    _modify { yield &rangesByThread[thread, default: []] }
  }

  /// Adds an interval, and returns by how many there are more.
  private static func add(_ range: Range<UInt64>, to ranges: inout [Range<UInt64>]) -> Int {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      return 0
    }
    let place = ranges.firstIndex { $0.lowerBound > range.lowerBound } ?? ranges.count
    ranges.insert(range, at: place)
    return 1
  }

  /// Whether a number of a thread was seen.
  public func contains(_ sequence: UInt64, thread: Int64) -> Bool {
    guard let ranges = rangesByThread[thread] else { return false }
    // The first interval that begins behind the number; the one before it may hold the number.
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].lowerBound > sequence { high = middle } else { low = middle + 1 }
    }
    return low > 0 && ranges[..<low].contains { $0.contains(sequence) }
  }

  /// Threads of which numbers were seen that a journal can hold.
  var threads: Set<UInt64> {
    Set(rangesByThread.keys.compactMap { UInt64(exactly: $0) })
  }

  /// How many numbers are missing between the first and the last of each thread.
  public var missingCount: UInt64 {
    rangesByThread.values.reduce(0) { sum, ranges in
      var missing = sum
      var end: UInt64?
      for range in ranges {
        if let end, range.lowerBound > end { missing &+= range.lowerBound - end }
        end = max(end ?? 0, range.upperBound)
      }
      return missing
    }
  }

  /// Adds the events of a batch whose threads are numbered.
  public mutating func insert(_ batch: EventBatch) {
    guard batch.threads.contains(where: { $0.firstSequence != 0 }) else { return }
    var counts = [UInt64](repeating: 0, count: batch.threads.count)
    for template in batch.templateIndices {
      counts[Int(batch.templates[Int(template)].thread)] += 1
    }
    for (thread, count) in zip(batch.threads, counts) where thread.firstSequence != 0 {
      let (end, overflow) = thread.firstSequence.addingReportingOverflow(count)
      if !overflow { insert(thread.firstSequence..<end, thread: thread.id) }
    }
  }
}
