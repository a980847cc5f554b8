// The metrics of the past as OpenMetrics text with a timestamp on every sample.

import TraceLifecycle
import TraceModel

extension Backfill {
  /// Hands over the text piece by piece: it is much longer than what it is made of.
  public func write<Failure: Error>(
    _ output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var text = MetricText(.openMetrics)
    let changes = changes.capped
    let states = states.capped
    for family in MetricFamily.all {
      let table = family.kind == .stateset ? states.keys(of: family) : changes.keys(of: family)
      if table.isEmpty { continue }
      text.begin(family)
      for key in table {
        if let stays = states[key] { try write(stays, of: key, &text, output) }
        if let values = changes[key] { try write(values, of: key, &text, output) }
      }
    }
    text.end()
    try output(text.output)
  }

  private func write<Failure: Error>(
    _ changes: Changes, of key: SeriesKey, _ text: inout MetricText,
    _ output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachSample(changes, of: key) { (value, milliseconds) throws(Failure) in
      text.sample(
        key, value, timestamp: Self.seconds(milliseconds), showsExemplars: false)
      try Self.handOver(&text, output)
    }
  }

  private func write<Failure: Error>(
    _ states: States, of key: SeriesKey, _ text: inout MetricText,
    _ output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for point in Self.points(of: states) {
      text.sample(
        key, label: (key.family.name, point.state.word), value: "\(point.value)",
        timestamp: Self.decimals(point.milliseconds))
      try Self.handOver(&text, output)
    }
  }

  private static func handOver<Failure: Error>(
    _ text: inout MetricText, _ output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    if text.output.count < 1 << 16 { return }
    try output(text.output)
    text.output.removeAll(keepingCapacity: true)
  }

  /// OpenMetrics counts seconds.
  private static func seconds(_ milliseconds: Int64) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : decimals(milliseconds)
  }

  private static func decimals(_ milliseconds: Int64) -> String {
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }
}
