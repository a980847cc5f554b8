// LM06, the plain way: from a run back to its request and to the last sample of the wall clock.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Scheduled tasks that run before the time that was asked for, one report for each identifier
  /// and launch.
  func earlyRuns() -> [NaiveHit] {
    struct Unit: Hashable {
      var launch: Int
      var identifier: NaiveKey
    }
    let hits = events.indices.filter(isEarlyRun).map {
      NaiveHit(
        offender: $0, key: [key("identifier", at: $0)], time: events[$0].time, moment: $0)
    }
    let units = Dictionary(grouping: hits) {
      Unit(launch: events[$0.moment].launch, identifier: $0.key[0])
    }
    return units.values.flatMap(joined)
  }

  private func isEarlyRun(_ run: Int) -> Bool {
    guard isRun(run), let request = request(for: run),
      let earliest = events[request].arguments["earliest_begin_wall_ns"]?.int64
    else { return false }
    guard let sync = lastSync(before: run), let wall = wallTime(events[sync]) else {
      isUnknown = true
      return false
    }
    let elapsed = events[run].time.minus(events[sync].time)
    guard wall.plus(elapsed) < earliest else { return false }
    // A later request, or a step of the clock, may be among what was lost.
    let isDoubtful = hasGap(after: request, upTo: run) || hasGapOfClock(after: sync, upTo: run)
    let stoodStill = trace.header.string(.clockKind) == "uptime" && elapsed > 0
    if isDoubtful || stoodStill {
      isUnknown = true
      return false
    }
    return true
  }

  /// The first sign of life in a trace is no gap for what the recorder said before it.
  private func hasGapOfClock(after sync: Int, upTo run: Int) -> Bool {
    events[sync + 1...run].contains { $0.losesTrack && !$0.isFirstSign }
  }

  private func isRun(_ place: Int) -> Bool {
    events[place].kind == .bgschedRun && events[place].phase != .return
  }

  /// The last request for what runs here, unless it has been run since: one is good for one run.
  private func request(for run: Int) -> Int? {
    let identifier = key("identifier", at: run)
    guard identifier != .absent else { return nil }
    let last = events.indices.last { place in
      guard place < run, key("identifier", at: place) == identifier else { return false }
      if isRun(place) { return true }
      // A request that is refused leaves the one before in force.
      let isRefused = events[place].arguments["error_code"]?.int64 ?? 0 != 0
      return events[place].kind == .bgschedSubmit && !isRefused
    }
    return last.flatMap { isRun($0) ? nil : $0 }
  }

  private func lastSync(before run: Int) -> Int? {
    events.indices.last { place in
      guard place < run else { return false }
      return events[place].kind == .traceClockStep || wallTime(events[place]) != nil
    }
  }

  private func wallTime(_ event: NaiveEvent) -> Int64? {
    switch event.kind {
    case .traceStart, .traceClockSync: event.arguments["wall_ns"]?.int64
    case .traceClockStep: event.arguments["new_wall_ns"]?.int64
    default: nil
    }
  }
}
