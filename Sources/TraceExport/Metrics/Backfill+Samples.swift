// Which samples the metrics of the past are made of: what a scrape a minute would have seen.
// This file must not know how they are written.

import TraceLifecycle
import TraceModel

extension Backfill {
  /// Hands out the samples of a counter or histogram in the order of their times.
  ///
  /// It starts at nothing one step before its first change, as one that appears with a value has no
  /// increase. The last step may not be over: then its sample is of now.
  ///
  /// - Parameter body: Takes a value and its milliseconds since 1970.
  func forEachSample<Failure: Error>(
    _ changes: Changes, of key: SeriesKey,
    _ body: (MetricValue, _ milliseconds: Int64) throws(Failure) -> Void
  ) throws(Failure) {
    let stepMilliseconds = Self.stepSeconds * 1000
    var value = key.family.kind == .histogram ? MetricValue.emptyHistogram : MetricValue(count: 0)
    var nextStep = Int64.min
    let steps = changes.values.keys.sorted()
    for (place, step) in steps.enumerated() {
      if nextStep < step { try body(value, (step - 1) * stepMilliseconds) }
      if let change = changes.values[step] { value.add(change) }
      nextStep =
        place + 1 < steps.count
        ? min(steps[place + 1], step + Self.heldSteps + 1)
        : step + Self.heldSteps + 1
      try body(value, min(step * stepMilliseconds, lastMilliseconds))
      for held in step + 1..<max(step + 1, nextStep) {
        if held * stepMilliseconds > lastMilliseconds { break }
        try body(value, held * stepMilliseconds)
      }
    }
  }

  /// The states of an app on a device: 1 while it is in one, and 0 from when it left. Several
  /// traces may be of the same time, from devices of one model: then it is in several states.
  static func points(
    of states: States
  ) -> [(milliseconds: Int64, state: LifecycleState, value: Int)] {
    var points: [(milliseconds: Int64, state: LifecycleState, value: Int)] = []
    for state in LifecycleState.allCases {
      for stay in united(states.stays.filter { $0.state == state }.map(\.milliseconds)) {
        points.append((stay.lowerBound, state, 1))
        let step = stepSeconds * 1000
        var next = (stay.lowerBound / step + 1) * step
        while next < stay.upperBound {
          points.append((next, state, 1))
          next += step
        }
        points.append((stay.upperBound, state, 0))
      }
    }
    points.sort {
      ($0.milliseconds, $0.state.rawValue) < ($1.milliseconds, $1.state.rawValue)
    }
    return points
  }

  /// Stays that touch or overlap become one.
  private static func united(_ stays: [Range<Int64>]) -> [Range<Int64>] {
    var united: [Range<Int64>] = []
    for stay in stays.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = united.last, stay.lowerBound <= last.upperBound {
        united[united.count - 1] =
          last.lowerBound..<max(last.upperBound, stay.upperBound)
      } else {
        united.append(stay)
      }
    }
    return united
  }
}
