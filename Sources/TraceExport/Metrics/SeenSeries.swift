// Which series a reader of metrics has seen. Prometheus works out an increase from two samples, so
// what a series holds when it appears is lost unless it appears as nothing first.

/// The series that have been shown.
///
///     var seen = SeenSeries()
///     let first = metrics.text(.text, run: run, seen: &seen)    // every counter is 0
///     let second = metrics.text(.text, run: run, seen: &seen)   // and now as it is
public struct SeenSeries: Sendable {
  private var keys: Set<SeriesKey> = []
  /// Whether the last text held a series that was shown as nothing.
  public private(set) var hasNew = false

  public init() {}

  /// All series of metrics that were shown before, for example by a server that was started anew.
  public init(_ metrics: MetricSet) { keys = Set(metrics.table.capped.values.keys) }

  /// Begins a text.
  mutating func begin() { hasNew = false }

  /// Whether a series has been shown.
  func holds(_ key: SeriesKey) -> Bool { keys.contains(key) }

  /// Notes what a receiver has taken: its series have been shown.
  public mutating func insert(_ batch: RemoteBatch) { keys.formUnion(batch.newKeys) }

  /// The value to show of a series.
  mutating func value(_ value: MetricValue, of key: SeriesKey) -> MetricValue {
    guard keys.insert(key).inserted, value.total > 0 else { return value }
    hasNew = true
    return key.family.kind == .histogram ? .emptyHistogram : MetricValue(count: 0)
  }
}
