// Queries of dashboards, made of the metrics' own definitions: a panel can't ask for a metric or a
// label that doesn't exist.

import TraceExport

/// An expression for Prometheus.
struct Query: ExpressibleByStringLiteral {
  var expression: String
  /// Which outputs of tracecheck hold what it asks for.
  var origin = Origin.both

  enum Origin { case both, scrapeOnly, backfillOnly }

  init(_ expression: String, _ origin: Origin = .both) {
    self.expression = expression
    self.origin = origin
  }

  init(stringLiteral value: String) { self.init(value) }

  /// Labels that dashboards let their reader choose, by the variables' names.
  static let chosen: [MetricLabel] = [.app, .appVersion, .osVersion, .deviceModel]

  /// The series of a metric that the variables choose.
  ///
  /// - Parameters:
  ///   - suffix: `_bucket`, `_sum` or `_count` of a histogram.
  ///   - fixed: Further matchers, for example `severity="error"`.
  static func series(
    _ family: MetricFamily, _ suffix: String = "", where fixed: String = "",
    chosen: [MetricLabel] = chosen
  ) -> String {
    var matchers = family.labels.filter(chosen.contains).map {
      "\($0.rawValue)=~\"$\($0.rawValue)\""
    }
    if !fixed.isEmpty { matchers.append(fixed) }
    let name = family.name + suffix
    return matchers.isEmpty ? name : "\(name){\(matchers.joined(separator: ", "))}"
  }

  /// How much counters grew in the time of a point of a graph.
  static func growth(
    _ family: MetricFamily, by labels: [MetricLabel] = [], where fixed: String = "",
    over range: String = "$__rate_interval"
  ) -> Query {
    Query(
      "sum\(grouping(labels.map(\.rawValue)))(increase(\(series(family, where: fixed))[\(range)]))",
      origin(of: family))
  }

  /// How much counters grew in the whole time that is shown.
  static func total(
    _ family: MetricFamily, by labels: [MetricLabel] = [], where fixed: String = ""
  ) -> Query {
    growth(family, by: labels, where: fixed, over: "$__range")
  }

  /// A quantile of a histogram.
  static func quantile(
    _ quantile: String, _ family: MetricFamily, by labels: [MetricLabel] = [],
    over range: String = "$__rate_interval"
  ) -> Query {
    let by = ["le"] + labels.map(\.rawValue)
    let buckets = "rate(\(series(family, "_bucket"))[\(range)])"
    return Query(
      "histogram_quantile(\(quantile), sum\(grouping(by))(\(buckets)))", origin(of: family))
  }

  /// How many durations fell into each bucket.
  static func buckets(_ family: MetricFamily) -> Query {
    Query(
      "sum by (le) (increase(\(series(family, "_bucket"))[$__rate_interval]))",
      origin(of: family))
  }

  /// The number of durations in the whole time that is shown.
  static func durations(_ family: MetricFamily, by labels: [MetricLabel] = []) -> Query {
    Query(
      "sum\(grouping(labels.map(\.rawValue)))(increase(\(series(family, "_count"))[$__range]))",
      origin(of: family))
  }

  /// Nothing counted is 0, and no hole.
  var orZero: Query { Query("(\(expression)) or vector(0)", origin) }

  static func / (a: Query, b: Query) -> Query {
    Query("\(a.expression) / \(b.expression)", a.origin)
  }

  private static func grouping(_ labels: [String]) -> String {
    labels.isEmpty ? " " : " by (\(labels.joined(separator: ", "))) "
  }

  /// What the run itself measured has no past.
  private static func origin(of family: MetricFamily) -> Origin {
    switch family {
    case .checkDuration, .lastRun, .lastSuccess, .build: .scrapeOnly
    case .appState: .backfillOnly
    default: .both
    }
  }
}
