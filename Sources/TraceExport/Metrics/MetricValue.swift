// The value of a metric's series: whole numbers, so that sums don't depend on their order.

import TraceModel

/// What makes a value add up: in any order and grouping, with the same result.
protocol AddableValue: Sendable {
  mutating func add(_ other: Self)
}

/// A trace that a sample speaks of.
public struct MetricExemplar: Hashable, Sendable {
  public var traceID: String
  /// The duration measured, in nanoseconds; for a counter 1.
  public var value: UInt64
  /// When the trace was recorded, in nanoseconds since 1970; the smallest number if unknown.
  public var wallNanoseconds: Int64

  public init(traceID: String, value: UInt64, wallNanoseconds: Int64) {
    self.traceID = traceID
    self.value = value
    self.wallNanoseconds = wallNanoseconds
  }

  /// Characters of an exemplar's labels that OpenMetrics allows, names included.
  private static let scalarsMax = 128

  /// Whether the trace's id may stand beside a sample. A cut one would lead nowhere, and readers
  /// of exemplars differ in what they make of a backslash.
  var isPrintable: Bool {
    let scalars = traceID.unicodeScalars
    return !scalars.isEmpty && "trace_id".unicodeScalars.count + scalars.count <= Self.scalarsMax
      && !scalars.contains { PrintableText.isHarmful($0) || $0 == "\"" || $0 == "\\" }
  }

  /// The newest trace speaks for a sample; between equals an order decides that all have.
  static func preferred(_ a: MetricExemplar?, _ b: MetricExemplar?) -> MetricExemplar? {
    guard let a, let b else { return a ?? b }
    return a.rank < b.rank ? b : a
  }

  private var rank: (Int64, String, UInt64) { (wallNanoseconds, traceID, value) }
}

/// A counter, or the buckets of a histogram, each not containing the ones below.
public struct MetricValue: Hashable, Sendable, AddableValue {
  /// One number for a counter; for a histogram one per bucket, the last without a bound.
  public private(set) var counts: [UInt64]
  /// The sum of a histogram's durations, in nanoseconds.
  public private(set) var sumNanoseconds: UInt64 = 0
  /// One per count.
  public private(set) var exemplars: [MetricExemplar?]

  /// A counter.
  public init(count: UInt64, exemplar: MetricExemplar? = nil) {
    counts = [count]
    exemplars = [exemplar]
  }

  /// A value that was kept; one count and one exemplar or nil per bucket.
  init(counts: [UInt64], sumNanoseconds: UInt64, exemplars: [MetricExemplar?]) {
    self.counts = counts
    self.sumNanoseconds = sumNanoseconds
    self.exemplars = exemplars
  }

  private init(bucketCount: Int) {
    counts = [UInt64](repeating: 0, count: bucketCount)
    exemplars = [MetricExemplar?](repeating: nil, count: bucketCount)
  }

  /// A histogram without durations.
  public static let emptyHistogram = MetricValue(
    bucketCount: MetricFamily.boundsNanoseconds.count + 1)

  /// A histogram of one duration.
  public init(durationNanoseconds duration: UInt64, exemplar: MetricExemplar? = nil) {
    self = .emptyHistogram
    observe(duration, exemplar: exemplar)
  }

  /// Adds a duration, in nanoseconds, to a histogram.
  public mutating func observe(_ duration: UInt64, exemplar: MetricExemplar? = nil) {
    let bounds = MetricFamily.boundsNanoseconds
    let bucket = bounds.firstIndex { duration <= $0 } ?? bounds.count
    counts[bucket] = counts[bucket].saturatingSum(1)
    exemplars[bucket] = MetricExemplar.preferred(exemplars[bucket], exemplar)
    sumNanoseconds = sumNanoseconds.saturatingSum(duration)
  }

  /// The value with a trace beside each sample that has one, if the trace's id can be printed:
  /// else another trace shall speak for the sample.
  func attributed(to traceID: String, wallNanoseconds: Int64) -> MetricValue {
    var value = self
    for place in value.exemplars.indices {
      value.exemplars[place]?.traceID = traceID
      value.exemplars[place]?.wallNanoseconds = wallNanoseconds
      if value.exemplars[place]?.isPrintable == false { value.exemplars[place] = nil }
    }
    return value
  }

  /// The number of durations in a histogram, or the counter.
  public var total: UInt64 { counts.reduce(0) { $0.saturatingSum($1) } }

  /// Adds what was counted elsewhere. Associative and commutative.
  public mutating func add(_ other: MetricValue) {
    combine(other) { $0.saturatingSum($1) }
  }

  /// Takes the larger of each number, for two readings of the same trace: what was counted once
  /// never falls, and reading again counts nothing twice.
  public mutating func raise(to other: MetricValue) {
    combine(other) { max($0, $1) }
  }

  private mutating func combine(_ other: MetricValue, _ combined: (UInt64, UInt64) -> UInt64) {
    while counts.count < other.counts.count {
      counts.append(0)
      exemplars.append(nil)
    }
    for place in other.counts.indices {
      counts[place] = combined(counts[place], other.counts[place])
      exemplars[place] = MetricExemplar.preferred(exemplars[place], other.exemplars[place])
    }
    sumNanoseconds = combined(sumNanoseconds, other.sumNanoseconds)
  }
}

extension UInt64 {
  func saturatingSum(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
