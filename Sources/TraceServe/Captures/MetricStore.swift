// Keeps what each trace counts for, also when its file is gone, so that a reading of a file that
// grew raises what was counted instead of adding to it.

import TraceExport
import TraceIO

/// The metrics of each trace: in the state directory, or in memory without one.
struct MetricStore {
  private let state: StateStore?
  /// By key, encoded, since they are seldom needed again and take less room so.
  private var encoded: [String: [UInt8]] = [:]
  private var checks: [UInt8]?

  init(_ state: StateStore?) { self.state = state }

  /// What was kept: the captures, the sum of all traces, and what the checks themselves took.
  func load() -> (records: [CaptureRecord], total: MetricSet, checks: MetricSet) {
    var total = MetricSet()
    guard let state else { return ([], total, MetricSet()) }
    let files = state.forEachMetrics { total.add($0) }
    return (state.load(counted: files), total, state.checks() ?? MetricSet())
  }

  /// What a trace counts for; nil if it was never counted.
  func metrics(_ key: String) -> MetricSet? {
    if let state { return state.metrics(key) }
    return encoded[key].flatMap { MetricSet(encoded: $0) }
  }

  mutating func save(_ set: MetricSet, as key: String) throws(FileError) {
    if let state { return try state.save(set, as: key) }
    encoded[key] = set.encoded
  }

  mutating func saveChecks(_ set: MetricSet) throws(FileError) { try state?.saveChecks(set) }
}
