// Keeps what each trace counts for, also when its file is gone, so that a reading of a file that
// grew raises what was counted instead of adding to it.

import TraceExport
import TraceIO
import TraceModel

/// The metrics of each trace, in the state directory or in memory without one, and their sum.
struct MetricStore {
  private let state: StateStore?
  /// By key, encoded, since they are seldom needed again and take less room so: everything without
  /// a state directory, and with one what couldn't be written to it.
  private var encoded: [String: [UInt8]] = [:]
  /// The names of the keys that were written to the state directory.
  private var counted: Set<String> = []
  private var total = MetricSet()
  private var checks = MetricSet()
  /// Whether what checks took is still to be written to the state directory.
  private var owesChecks = false

  init(_ state: StateStore?) { self.state = state }

  /// Everything that was counted.
  var sum: MetricSet {
    var sum = total
    sum.add(checks)
    return sum
  }

  /// Takes back what was kept, and returns the captures.
  mutating func load() -> [CaptureRecord] {
    guard let state else { return [] }
    var total = MetricSet()
    counted = state.forEachMetrics { total.add($0) }
    self.total = total
    checks = state.checks() ?? MetricSet()
    return state.load(counted: counted)
  }

  /// Counts a reading of a trace: what it shows more than earlier ones.
  ///
  /// - Throws: ``FileError`` if that can't be kept for the next start. It is counted all the same.
  mutating func count(_ set: MetricSet, as key: String) throws(FileError) {
    let old = encoded[key].flatMap { MetricSet(encoded: $0) } ?? state?.metrics(key)
    var new = old ?? MetricSet()
    new.raise(toRereading: set)
    // What was counted and is lost can't be told from what is new: better nothing than twice.
    if old != nil || !isCounted(key) { total.add(new.growth(since: old ?? MetricSet())) }
    encoded[key] = new.encoded
    try write(key)
  }

  mutating func addCheck(durationNanoseconds: Int64) throws(FileError) {
    checks.addCheck(durationNanoseconds: durationNanoseconds)
    owesChecks = true
    try writeChecks()
  }

  /// Tries again to write what couldn't be written.
  mutating func writeRest() throws(FileError) {
    guard state != nil else { return }
    for key in encoded.keys.sorted() { try write(key) }
    try writeChecks()
  }

  /// Those of some keys under which nothing was counted yet.
  func uncounted(_ keys: [String]) -> Set<String> { Set(keys.filter { !isCounted($0) }) }

  private func isCounted(_ key: String) -> Bool {
    encoded[key] != nil || !counted.isEmpty && counted.contains(StateStore.name(of: key))
  }

  private mutating func writeChecks() throws(FileError) {
    guard let state, owesChecks else { return }
    try state.saveChecks(checks)
    owesChecks = false
  }

  private mutating func write(_ key: String) throws(FileError) {
    guard let state, let bytes = encoded[key] else { return }
    counted.insert(StateStore.name(of: key))
    try state.save(bytes, as: key)
    encoded[key] = nil
  }
}
