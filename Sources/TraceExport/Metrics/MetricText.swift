// Writes metrics in the two text formats that Prometheus reads.
// This file must not know where the numbers come from.

import TraceModel

/// A text format for metrics.
public enum MetricFormat: String, CaseIterable, Hashable, Sendable {
  /// Prometheus text format 0.0.4: for the textfile collector, the Pushgateway and promtool.
  case text
  /// OpenMetrics 1.0: with units and exemplars.
  case openMetrics = "openmetrics"

  public var mediaType: String {
    switch self {
    case .text: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }
}

/// Writes families and samples one after another.
struct MetricText {
  let format: MetricFormat
  var output: [UInt8] = []

  init(_ format: MetricFormat) { self.format = format }

  /// The lines before a family's samples.
  mutating func begin(_ family: MetricFamily) {
    let name = name(of: family)
    append("# HELP \(name) \(Self.escaped(family.help, quotes: format == .openMetrics))\n")
    append("# TYPE \(name) \(type(of: family))\n")
    if format == .openMetrics, !family.unit.isEmpty { append("# UNIT \(name) \(family.unit)\n") }
  }

  mutating func end() {
    if format == .openMetrics { append("# EOF\n") }
  }

  /// A counter's, gauge's or histogram's samples.
  ///
  /// - Parameter timestamp: As it is to be printed; nil for now.
  mutating func sample(
    _ key: SeriesKey, _ value: MetricValue, timestamp: String? = nil, showsExemplars: Bool = true
  ) {
    let family = key.family
    let showsExemplars = showsExemplars && family.hasExemplars
    guard family.kind == .histogram else {
      let count = value.counts.first ?? 0
      let text = family.unit == "seconds" ? Self.seconds(count) : "\(count)"
      let exemplar = showsExemplars ? value.exemplars.first ?? nil : nil
      line(family.name, key, nil, text, timestamp, exemplar, isDuration: false)
      return
    }
    var total: UInt64 = 0
    for (place, count) in value.counts.enumerated() {
      total = total.saturatingSum(count)
      let bounds = MetricFamily.boundsNanoseconds
      let bound = place < bounds.count ? Self.bound(bounds[place]) : "+Inf"
      line(
        family.name + "_bucket", key, ("le", bound), "\(total)", timestamp,
        showsExemplars ? value.exemplars[place] : nil, isDuration: true)
    }
    let sum = Self.seconds(value.sumNanoseconds)
    line(family.name + "_sum", key, nil, sum, timestamp, nil, isDuration: true)
    line(family.name + "_count", key, nil, "\(total)", timestamp, nil, isDuration: true)
  }

  /// One sample with a label of its own.
  mutating func sample(
    _ key: SeriesKey, label: (name: String, value: String)?, value: String,
    timestamp: String? = nil
  ) {
    line(key.family.name, key, label, value, timestamp, nil, isDuration: false)
  }

  // MARK: Parts

  private func name(of family: MetricFamily) -> String {
    format == .openMetrics ? family.base : family.name
  }

  private func type(of family: MetricFamily) -> String {
    switch (family.kind, format) {
    case (.info, .text), (.stateset, .text): "gauge"
    default: family.kind.rawValue
    }
  }

  private mutating func line(
    _ name: String, _ key: SeriesKey, _ extra: (name: String, value: String)?, _ value: String,
    _ timestamp: String?, _ exemplar: MetricExemplar?, isDuration: Bool
  ) {
    append(name)
    var separator = "{"
    func label(_ name: String, _ value: String) -> String {
      defer { separator = "," }
      return "\(separator)\(name)=\"\(Self.escaped(value, quotes: true))\""
    }
    for (place, value) in zip(key.family.labels, key.values) {
      append(label(place.rawValue, value))
    }
    if let extra { append(label(extra.name, extra.value)) }
    if separator == "," { append("}") }
    append(" \(value)")
    if let timestamp { append(" \(timestamp)") }
    if format == .openMetrics, let exemplar, exemplar.isPrintable {
      let value = isDuration ? Self.seconds(exemplar.value) : "\(exemplar.value)"
      append(" # {trace_id=\"\(exemplar.traceID)\"} \(value)")
    }
    append("\n")
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

  /// Backslashes and line feeds, in label values also quotes, get a backslash.
  static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Nanoseconds as seconds, exactly and without zeros at the end.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let (whole, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if fraction == 0 { return "\(whole)" }
    var digits = "\(fraction)"
    digits = String(repeating: "0", count: 9 - digits.utf8.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// A bucket's bound, the same in both formats, so that a series is the same however it came.
  static func bound(_ nanoseconds: UInt64) -> String {
    let text = seconds(nanoseconds)
    return text.contains(".") ? text : text + ".0"
  }
}
