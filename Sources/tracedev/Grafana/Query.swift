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

  /// For how long the last value of a series that is gone still is the one before. A pause of the
  /// scrapes that is longer makes everything look new, once.
  static let remembered = "1d"

  /// How much each series of a counter grew, those included that appear with a value.
  ///
  /// `increase` finds nothing in a series that appears with its final value, as every series does
  /// that a single run writes; and it takes each fall for a restart from 0 and adds the whole value
  /// again, though a server that is started anew reads the same captures, and a run over a folder
  /// from which a capture was removed finds no new ones. So the value before is subtracted, 0 if
  /// there was none, and a value that fell is nothing new. Series that were backfilled, which have
  /// no job, show the value before each change inside the range.
  ///
  /// - Parameters:
  ///   - range: The time in which it grew.
  ///   - before: How long before the range the value before is looked for.
  ///   - hasBackfill: Whether the range may hold backfilled series.
  static func counted(
    _ family: MetricFamily, _ suffix: String = "", where fixed: String = "",
    chosen: [MetricLabel] = chosen, over range: String, before: String = remembered,
    hasBackfill: Bool = true
  ) -> String {
    let all = series(family, suffix, where: fixed, chosen: chosen)
    let last = "last_over_time(\(all)[\(range)])"
    var base = "last_over_time(\(all)[\(before)] offset \(range))"
    if hasBackfill {
      let past = fixed.isEmpty ? "job=\"\"" : "\(fixed), job=\"\""
      let backfilled = series(family, suffix, where: past, chosen: chosen)
      base += " or min_over_time(\(backfilled)[\(range)])"
    }
    return "clamp_min(\(last) - (\(base) or 0 * \(last)), 0)"
  }

  /// How much counters grew in the time of a point of a graph.
  static func growth(
    _ family: MetricFamily, by labels: [MetricLabel] = [], where fixed: String = "",
    chosen: [MetricLabel] = chosen
  ) -> Query {
    let counted = counted(family, where: fixed, chosen: chosen, over: "$__rate_interval")
    return Query("sum\(grouping(labels.map(\.rawValue)))(\(counted))", origin(of: family))
  }

  /// How much counters grew in the whole time that is shown.
  static func total(
    _ family: MetricFamily, by labels: [MetricLabel] = [], where fixed: String = "",
    chosen: [MetricLabel] = chosen
  ) -> Query {
    let counted = counted(
      family, where: fixed, chosen: chosen, over: "$__range", before: "$__range")
    return Query("sum\(grouping(labels.map(\.rawValue)))(\(counted))", origin(of: family))
  }

  /// A quantile of the durations in the time of a point of a graph.
  static func quantile(
    _ quantile: String, _ family: MetricFamily, by labels: [MetricLabel] = []
  ) -> Query {
    let by = ["le"] + labels.map(\.rawValue)
    let buckets = counted(family, "_bucket", over: "$__rate_interval")
    return Query(
      "histogram_quantile(\(quantile), sum\(grouping(by))(\(buckets)))", origin(of: family))
  }

  /// How many durations fell into each bucket.
  static func buckets(_ family: MetricFamily) -> Query {
    let buckets = counted(family, "_bucket", over: "$__rate_interval")
    return Query("sum by (le) (\(buckets))", origin(of: family))
  }

  /// The number of durations in the whole time that is shown.
  static func durations(_ family: MetricFamily, by labels: [MetricLabel] = []) -> Query {
    let counted = counted(family, "_count", over: "$__range", before: "$__range")
    return Query("sum\(grouping(labels.map(\.rawValue)))(\(counted))", origin(of: family))
  }

  /// Seconds since a moment that a gauge holds, for each source of metrics; 0 is no moment. A
  /// source that is gone counts on from what it said last.
  static func age(_ family: MetricFamily) -> Query {
    let last = "last_over_time(\(series(family))[\(remembered)])"
    return Query("time() - max by (job, instance) (\(last) > 0)", origin(of: family))
  }

  /// Matches causes that are no ends by the system: the app or its user ended it, or nobody knows.
  static let notBySystem = "exit.*|user_force_quit|unrecorded|unknown"

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
    case .checkDuration, .lastRun, .lastSuccess, .unseenPaths, .build, .remoteSent,
      .remoteRefused, .remoteSuperseded, .remoteFailures, .remotePending:
      .scrapeOnly
    case .appState: .backfillOnly
    default: .both
    }
  }
}
