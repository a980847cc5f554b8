// What one trace changed in the metrics of the past, step by step.
// This file must not know other traces.

import TraceLifecycle
import TraceModel
import TraceRules

struct TraceChanges {
  private(set) var changes: [SeriesKey: Backfill.Changes] = [:]
  private(set) var states: [SeriesKey: Backfill.States] = [:]
  private(set) var count = 0
  private(set) var isTooLarge = false

  private let trace: Judgement
  private let measures: TraceMeasures
  private let source: String
  private let clock: WallClock
  private let labels: TraceLabels
  /// The trace's last moment, in nanoseconds since 1970.
  private let end: Int64
  private var room = 0

  init(
    _ trace: Judgement, _ measures: TraceMeasures, source: String, clock: WallClock, end: Int64
  ) {
    self.trace = trace
    self.measures = measures
    self.source = source
    self.clock = clock
    self.end = end
    labels = TraceLabels(trace.header)
  }

  /// - Parameter room: Changes that may be kept.
  mutating func collect(room: Int) {
    self.room = room
    add(1, .traces, [TraceOutcome(trace).rawValue, source], at: end)
    add(UInt64(clamping: trace.eventCount), .events, [source], at: end)
    add(measures.lostEventCount, .lostEvents, [source], at: end)
    for finding in trace.findings {
      let time = finding.launch == 0 ? end : wall(at: finding.timeNanoseconds)
      add(1, .findings, labels.of(finding), at: time)
    }
    for measure in measures.timed where !isTooLarge { add(measure) }
  }

  /// A time of the trace on the wall clock; a deadline may lie after the last event.
  private func wall(at time: Int64) -> Int64 {
    min(max(clock.wall(at: time), WallClock.earliestNanoseconds), end)
  }

  private mutating func add(_ measure: LifeMeasure) {
    let time = wall(at: measure.timeNanoseconds)
    switch measure.subject {
    case .duration(let duration):
      let length = UInt64(clamping: measure.durationNanoseconds)
      add(MetricValue(durationNanoseconds: length), .of(duration), labels.app, at: time)
    case .state(let state): add(state, measure, until: time)
    case .termination(let cause, let count, _):
      add(UInt64(clamping: count), .terminations, [cause.rawValue], at: time)
    case .lostEvents, .wallClock, .launched, .foreground: break
    }
  }

  private mutating func add(
    _ state: LifecycleState, _ measure: LifeMeasure, until end: Int64
  ) {
    let start = max(
      end.minus(measure.durationNanoseconds), WallClock.earliestNanoseconds)
    guard start < end else { return }
    let key = SeriesKey(family: .appState, values: [labels.app[0], labels.deviceModel])
    let stay = Backfill.States.Stay(
      state: state, milliseconds: start / 1_000_000..<end / 1_000_000)
    let first = step(of: start)
    let last = step(of: end)
    // One for the stay, and one for each sample that keeps it in sight.
    guard take(1 + Int(clamping: last.minus(first))) else { return }
    if !stay.milliseconds.isEmpty { states[key, default: .init()].stays.append(stay) }
    guard state != .notRunning else { return }
    let stepNanoseconds = Backfill.stepSeconds * 1_000_000_000
    for step in first...last {
      // The step's number is that of its end.
      let low = max(start, (step - 1) * stepNanoseconds)
      let high = min(end, step * stepNanoseconds)
      guard low < high else { continue }
      put(
        MetricValue(count: UInt64(clamping: high - low)), .stateSeconds, labels.of(state), step)
    }
  }

  private mutating func add(
    _ count: UInt64, _ family: MetricFamily, _ labels: [String], at wall: Int64
  ) {
    add(MetricValue(count: count), family, labels, at: wall)
  }

  private mutating func add(
    _ value: MetricValue, _ family: MetricFamily, _ labels: [String], at wall: Int64
  ) {
    if take(1) { put(value, family, labels, step(of: wall)) }
  }

  private mutating func put(
    _ value: MetricValue, _ family: MetricFamily, _ labels: [String], _ step: Int64
  ) {
    let key = SeriesKey(family: family, values: labels)
    changes[key, default: .init()].add(Backfill.Changes(values: [step: value]))
  }

  /// The step at whose end a moment has been seen.
  private func step(of wall: Int64) -> Int64 {
    let stepNanoseconds = Backfill.stepSeconds * 1_000_000_000
    let (whole, rest) = wall.quotientAndRemainder(dividingBy: stepNanoseconds)
    return rest > 0 ? whole + 1 : whole
  }

  private mutating func take(_ wanted: Int) -> Bool {
    if wanted > room - count { isTooLarge = true }
    if isTooLarge { return false }
    count += wanted
    return true
  }
}
