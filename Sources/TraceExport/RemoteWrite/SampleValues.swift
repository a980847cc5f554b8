// What a key's series are called and hold, as numbers: the same ones that the text formats print.

import TraceModel

/// The samples of one key at one moment.
enum SampleValues {
  /// Hands out each series of a key: the ending of its name, its own label, and its value.
  static func forEach<Failure: Error>(
    of key: SeriesKey, _ value: MetricValue,
    _ body: (
      _ name: String, _ label: (name: String, value: String)?, _ value: Double
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let family = key.family
    guard family.kind == .histogram else {
      let count = value.counts.first ?? 0
      try body(family.name, nil, family.unit == "seconds" ? seconds(count) : Double(count))
      return
    }
    var total: UInt64 = 0
    for (place, count) in value.counts.enumerated() {
      total = total.saturatingSum(count)
      let bound = bounds[min(place, bounds.count - 1)]
      try body(bucketNames[family.index], ("le", bound), Double(total))
    }
    try body(family.name + "_sum", nil, seconds(value.sumNanoseconds))
    try body(family.name + "_count", nil, Double(total))
  }

  /// Nanoseconds as seconds: the number nearest to the text that is printed.
  static func seconds(_ nanoseconds: UInt64) -> Double {
    // Both are exact up to here, so that the division is rounded once.
    if nanoseconds < 1 << 53 { return Double(nanoseconds) / 1e9 }
    return Double(MetricText.seconds(nanoseconds)) ?? Double(nanoseconds) / 1e9
  }

  private static let bounds =
    MetricFamily.boundsNanoseconds.map { MetricText.bound($0) } + ["+Inf"]
  private static let bucketNames = MetricFamily.all.map { $0.name + "_bucket" }
}
