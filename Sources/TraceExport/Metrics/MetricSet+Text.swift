// The metrics of some captures as text, to be scraped, pushed, or put into a file.

/// What a text of metrics says of the run that made it.
public struct MetricRun: Hashable, Sendable {
  public var version: String
  /// When captures were last checked, in seconds since 1970; nil if they never were.
  public var endSeconds: Int64?
  /// When captures were last checked without an unreadable one, in seconds since 1970; nil if that
  /// isn't known.
  public var lastSuccessSeconds: Int64?
  /// Parts of a directory that couldn't be looked at last; nil if nobody looks again and again.
  public var unseenPathCount: Int?

  public init(
    version: String, endSeconds: Int64?, lastSuccessSeconds: Int64?, unseenPathCount: Int? = nil
  ) {
    self.version = version
    self.endSeconds = endSeconds
    self.lastSuccessSeconds = lastSuccessSeconds
    self.unseenPathCount = unseenPathCount
  }
}

extension MetricSet {
  /// The text of all metrics, without timestamps.
  public func text(_ format: MetricFormat, run: MetricRun) -> [UInt8] {
    text(format, run: run) { value, _ in value }
  }

  /// The text for a reader who comes again: a series that it hasn't seen is shown as nothing, and
  /// with its value from the next text on.
  public func text(_ format: MetricFormat, run: MetricRun, seen: inout SeenSeries) -> [UInt8] {
    seen.begin()
    return text(format, run: run) { seen.value($0, of: $1) }
  }

  private func text(
    _ format: MetricFormat, run: MetricRun, shown: (MetricValue, SeriesKey) -> MetricValue
  ) -> [UInt8] {
    var text = MetricText(format)
    let table = table.capped
    for family in MetricFamily.all where family.kind != .stateset {
      text.begin(family)
      let key = SeriesKey(family: family, values: [])
      switch family {
      case .lastRun:
        if let seconds = run.endSeconds { text.sample(key, label: nil, value: "\(seconds)") }
      case .lastSuccess:
        if let seconds = run.lastSuccessSeconds {
          text.sample(key, label: nil, value: "\(seconds)")
        }
      case .unseenPaths:
        if let count = run.unseenPathCount { text.sample(key, label: nil, value: "\(count)") }
      case .build: text.sample(key, label: ("version", run.version), value: "1")
      default:
        for key in table.keys(of: family) {
          if let value = table[key] { text.sample(key, shown(value, key)) }
        }
      }
    }
    text.end()
    return text.output
  }
}
