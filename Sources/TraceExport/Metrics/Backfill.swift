// The metrics of the past, at the times they had: what a Prometheus that had watched would hold.
// This file must not know the text format.

import TraceLifecycle
import TraceModel
import TraceRules

/// Collects captures for `promtool tsdb create-blocks-from openmetrics`, or for remote write.
///
/// promtool loses samples that are out of order, two in one millisecond and timestamps in the wrong
/// unit, and says nothing. So everything is put on a grid of steps and sorted, and a trace whose
/// times can't be right is refused.
public struct Backfill: Sendable {
  /// A scrape a minute would have seen as much.
  public static let stepSeconds: Int64 = 60
  /// Steps for which a value is shown after its last change: `rate` and `increase` work out a
  /// change from the samples around it, and too few would exaggerate it.
  static let heldSteps: Int64 = 10
  /// The newest hours are Prometheus's own: it may be writing them.
  public static let recentSeconds: Int64 = 3 * 3600
  /// Changes of all series together; they wait in memory until all captures are read.
  public static let changesMax = 500_000

  /// Where the samples go.
  public enum Destination: Sendable {
    /// Blocks that promtool makes, and that mustn't overlap with what Prometheus is writing.
    case blocks
    /// A receiver, which says itself what it doesn't want.
    case remoteWrite

    /// Why a trace is too young, as a sentence about its clock and about itself.
    var lateClock: String {
      switch self {
      case .blocks: "its wall clock reads a time that is not over three hours ago"
      case .remoteWrite: "its wall clock reads a time that is yet to come"
      }
    }

    var lateEnd: String {
      switch self {
      case .blocks: "it is not over three hours old, and Prometheus keeps those"
      case .remoteWrite: "it ends at a time that is yet to come"
      }
    }
  }

  /// A counter or histogram, by the steps at which it grew.
  struct Changes: AddableValue {
    var values: [Int64: MetricValue] = [:]

    mutating func add(_ other: Changes) {
      for (step, value) in other.values {
        if values[step] == nil { values[step] = value } else { values[step]?.add(value) }
      }
    }
  }

  /// When an app was in which state, in milliseconds since 1970.
  struct States: AddableValue {
    struct Stay: Hashable {
      var state: LifecycleState
      var milliseconds: Range<Int64>
    }

    var stays: [Stay] = []

    mutating func add(_ other: States) { stays += other.stays }
  }

  private(set) var changes: SeriesTable<Changes>
  private(set) var states: SeriesTable<States>
  private var changeCount = 0
  private let latestNanoseconds: Int64
  /// No sample is later, in milliseconds since 1970.
  let lastMilliseconds: Int64
  private let destination: Destination

  /// - Parameter nowSeconds: Seconds since 1970.
  public init(
    nowSeconds: Int64, seriesMax: Int = MetricSet.defaultSeriesMax,
    for destination: Destination = .blocks
  ) {
    changes = SeriesTable(seriesMax: seriesMax)
    states = SeriesTable(seriesMax: seriesMax)
    self.destination = destination
    let held = Self.stepSeconds * (Self.heldSteps + 1)
    // The second that has begun belongs to now.
    let latestSeconds =
      destination == .blocks
      ? nowSeconds.minus(Self.recentSeconds + held) : nowSeconds.plus(1)
    let (latest, overflow) = latestSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    latestNanoseconds = overflow ? .max : latest
    lastMilliseconds = destination == .blocks ? .max : latestNanoseconds / 1_000_000
  }

  /// Adds a capture.
  ///
  /// - Returns: Why traces of it were left out, one sentence without a final dot for each.
  public mutating func add(_ capture: JudgedCapture) -> [String] {
    if capture.copyOf != nil { return [] }
    var refusals: [String] = []
    for (place, trace) in capture.traces.enumerated() {
      let measures = place < capture.measures.count ? capture.measures[place] : TraceMeasures()
      do throws(WallClock.Refusal) {
        try add(trace, measures, source: capture.format)
      } catch {
        refusals.append(error.text)
      }
    }
    return refusals
  }

  private mutating func add(
    _ trace: Judgement, _ measures: TraceMeasures, source: String
  ) throws(WallClock.Refusal) {
    if measures.isIncomplete {
      throw WallClock.Refusal(
        text: "its capture holds more than \(TraceMeasures.timedMax) measures; cut it into parts")
    }
    let clock = try WallClock(
      measures.wallReadings, latestNanoseconds: latestNanoseconds, lateText: destination.lateClock)
    let end = clock.wall(at: trace.lastNanoseconds)
    let start = clock.wall(at: trace.firstNanoseconds)
    if end > latestNanoseconds {
      throw WallClock.Refusal(text: destination.lateEnd)
    }
    if min(start, end) < WallClock.earliestNanoseconds {
      throw WallClock.Refusal(text: "its events reach back before 2007: its times can't be right")
    }
    var batch = TraceChanges(trace, measures, source: source, clock: clock, end: end)
    batch.collect(room: Self.changesMax - changeCount)
    if batch.isTooLarge {
      throw WallClock.Refusal(
        text: "more than \(Self.changesMax) changes don't fit into one call; make several")
    }
    changeCount += batch.count
    for (key, value) in batch.changes { changes.add(value, to: key) }
    for (key, value) in batch.states { states.add(value, to: key) }
  }
}
