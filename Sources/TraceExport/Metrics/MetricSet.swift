// The metrics of some captures, as a value that adds up.
// This file must not know text formats or times of the past.

import TraceLifecycle
import TraceModel
import TraceRules

/// The metrics of any number of captures.
///
///     var all = MetricSet()
///     for capture in captures { all.add(MetricSet(capture)) }
///
/// ``add(_:)-(MetricSet)`` is associative and commutative. ``raise(to:)`` is for a capture that was
/// read again: whoever keeps a set per capture, raises it and adds the sets up shows counters that
/// never fall, although the capture grew or was replaced.
public struct MetricSet: Sendable {
  /// Series with labels from captures that are told apart, if nobody says otherwise: enough for
  /// hundreds of app versions, and within what a small Prometheus takes.
  public static let defaultSeriesMax = 10_000
  /// Scalars of one label's value; longer ones are cut, as no legend shows them.
  public static let labelScalarsMax = 128
  /// What a label says that a capture doesn't.
  static let unknown = "unknown"

  var table: SeriesTable<MetricValue>

  public init(seriesMax: Int = defaultSeriesMax) { table = SeriesTable(seriesMax: seriesMax) }

  /// The metrics of one capture.
  ///
  /// - Parameter countsOutcomes: False if the capture may still grow, so that it is too early to
  ///   say what became of its traces; their outcomes are then all 0.
  public init(
    _ capture: JudgedCapture, seriesMax: Int = defaultSeriesMax, countsOutcomes: Bool = true
  ) {
    self.init(seriesMax: seriesMax)
    add(capture, countsOutcomes: countsOutcomes)
  }

  /// Adds what was counted in other captures.
  public mutating func add(_ other: MetricSet) { table.add(other.table) }

  /// Takes the larger of each number of two readings of the same capture.
  public mutating func raise(to other: MetricSet) {
    var raised = SeriesTable<MetricValue>(seriesMax: table.seriesMax)
    raised.adoptCut(of: table)
    raised.adoptCut(of: other.table)
    for (key, value) in table.values {
      var value = value
      if let newer = other.table[key] { value.raise(to: newer) }
      raised.add(value, to: key)
    }
    for (key, value) in other.table.values where table[key] == nil { raised.add(value, to: key) }
    table = raised
  }

  /// Adds the time taken to check a capture.
  public mutating func addCheck(durationNanoseconds: Int64) {
    add(MetricValue(durationNanoseconds: UInt64(clamping: durationNanoseconds)), .checkDuration, [])
  }

  /// Adds a capture. A copy of another counts nothing.
  public mutating func add(_ capture: JudgedCapture) { add(capture, countsOutcomes: true) }

  /// What the label `source` says of a format; its name may be empty.
  static func source(_ format: String) -> String { format.isEmpty ? unknown : format }

  private mutating func add(_ capture: JudgedCapture, countsOutcomes: Bool) {
    if capture.copyOf != nil { return }
    let source = Self.source(capture.format)
    if capture.failure != nil {
      add(countsOutcomes ? 1 : 0, .traces, [TraceOutcome.unreadable.rawValue, source])
    }
    for (place, trace) in capture.traces.enumerated() {
      let measures =
        place < capture.measures.count ? capture.measures[place] : TraceMeasures()
      let outcome = TraceOutcome(trace)
      for known in TraceOutcome.allCases {
        add(countsOutcomes && known == outcome ? 1 : 0, .traces, [known.rawValue, source])
      }
      add(trace, measures, source: source)
    }
    // Families whose label values are known show zeros, so that the first of a kind is an increase.
    if !capture.traces.isEmpty {
      for cause in TerminationCause.allCases { add(0, .terminations, [cause.rawValue]) }
    }
  }

  private mutating func add(_ trace: Judgement, _ measures: TraceMeasures, source: String) {
    let labels = TraceLabels(trace.header)
    add(UInt64(clamping: trace.eventCount), .events, [source])
    add(measures.lostEventCount, .lostEvents, [source])
    let wall = measures.wallNanoseconds ?? .min
    for finding in trace.findings {
      let exemplar = MetricExemplar(traceID: trace.traceID, value: 1, wallNanoseconds: wall)
      add(
        MetricValue(count: 1, exemplar: exemplar.isPrintable ? exemplar : nil), .findings,
        labels.of(finding))
    }
    for (duration, value) in measures.durations {
      let attributed = value.attributed(to: trace.traceID, wallNanoseconds: wall)
      add(attributed, .of(duration), labels.app)
    }
    for (state, length) in measures.stateNanoseconds where state != .notRunning {
      add(length, .stateSeconds, labels.of(state))
    }
    for (cause, count) in measures.terminations { add(count, .terminations, [cause.rawValue]) }
  }

  mutating func add(_ count: UInt64, _ family: MetricFamily, _ labels: [String]) {
    add(MetricValue(count: count), family, labels)
  }

  mutating func add(_ value: MetricValue, to key: SeriesKey) { table.add(value, to: key) }

  private mutating func add(_ value: MetricValue, _ family: MetricFamily, _ labels: [String]) {
    table.add(value, to: SeriesKey(family: family, values: labels))
  }
}

/// The label values that a trace's header gives, in the order of the families' labels.
struct TraceLabels {
  /// For families by app and version.
  let app: [String]
  let osVersion: String
  let deviceModel: String

  init(_ header: TraceHeader) {
    func label(_ field: HeaderField) -> String {
      guard let text = header.string(field), !text.isEmpty else { return MetricSet.unknown }
      return PrintableText.label(text)
    }
    app = [label(.appBundleID), label(.appVersion)]
    osVersion = header.version(.osVersion).map { "\($0.major).\($0.minor)" } ?? MetricSet.unknown
    deviceModel = label(.deviceModel)
  }

  func of(_ finding: Finding) -> [String] {
    [PrintableText.label(finding.rule), finding.severity.rawValue] + app + [osVersion, deviceModel]
  }

  func of(_ state: LifecycleState) -> [String] { [app[0], state.word] }
}

extension PrintableText {
  /// A label's value: what is invisible or moves the text is written out, but for line feeds, which
  /// the formats have a sign for.
  fileprivate static func label(_ text: String) -> String {
    var scalarsLeft = MetricSet.labelScalarsMax
    var parts: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !parts.isEmpty { scalarsLeft -= 1 }
      parts.append(printable(String(line), scalarsMax: max(0, scalarsLeft)))
      scalarsLeft -= line.unicodeScalars.count
      if scalarsLeft <= 0 { break }
    }
    return parts.joined(separator: "\n")
  }
}
