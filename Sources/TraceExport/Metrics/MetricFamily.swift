// What a metric is: its name, type, unit, help text and labels. The metrics themselves are in the
// table.

import TraceModel

/// A dimension of a metric. The raw value is the label's name.
public enum MetricLabel: String, CaseIterable, Hashable, Sendable {
  case outcome, source, rule, severity, state, cause, app
  case appVersion = "app_version"
  case osVersion = "os_version"
  case deviceModel = "device_model"

  /// Whether its values come from captures, so that there is no telling how many there will be.
  public var isOpen: Bool {
    switch self {
    case .app, .appVersion, .osVersion, .deviceModel: true
    case .outcome, .source, .rule, .severity, .state, .cause: false
    }
  }
}

/// A metric with all its series.
public struct MetricFamily: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case counter, gauge, histogram, info, stateset
  }

  /// The place in ``all``.
  public let index: Int
  /// The name without the ending that its type adds.
  public let base: String
  public let kind: Kind
  /// The unit that ends the name; empty for a number of things.
  public let unit: String
  /// One sentence. Dashboards use it as a panel's description.
  public let help: String
  public let labels: [MetricLabel]
  /// Whether a trace id may stand beside a sample, where the format allows it.
  public let hasExemplars: Bool

  init(
    _ index: Int, _ base: String, _ kind: Kind, unit: String = "",
    labels: [MetricLabel] = [], hasExemplars: Bool = false, _ help: String
  ) {
    self.index = index
    self.base = base
    self.kind = kind
    self.unit = unit
    self.help = help
    self.labels = labels
    self.hasExemplars = hasExemplars
  }

  /// The name to query, for example `tracecheck_findings_total`; for a histogram without the
  /// ending of its series.
  public var name: String {
    switch kind {
    case .counter: base + "_total"
    case .info: base + "_info"
    case .gauge, .histogram, .stateset: base
    }
  }

  /// The series that one set of label values makes.
  public var seriesPerLabelSet: Int {
    kind == .histogram ? Self.boundsNanoseconds.count + 3 : 1
  }

  /// Upper bounds of the histograms' buckets, in nanoseconds. They sit on the limits that matter:
  /// a tenth of a second is felt, 0.4 s is a fast launch, 5 s the callbacks' documented limit, 10
  /// and 20 s are the real allowances of scene updates and launches, 30, 180 and 600 s the budgets
  /// of background tasks from iOS 13, 7 and 4 on.
  public static let boundsNanoseconds: [UInt64] = [
    100_000_000, 250_000_000, 400_000_000, 500_000_000, 1_000_000_000, 2_000_000_000,
    5_000_000_000, 10_000_000_000, 20_000_000_000, 30_000_000_000, 180_000_000_000,
    600_000_000_000,
  ]
}
