// The metrics of the past as OpenMetrics text with a timestamp on every sample.

import TraceLifecycle

extension Backfill {
  /// Hands over the text piece by piece: it is much longer than what it is made of.
  public func write<Failure: Error>(
    _ output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var text = MetricText(.openMetrics)
    let changes = changes.capped
    let states = states.capped
    for family in MetricFamily.all {
      let table = family.kind == .stateset ? states.keys(of: family) : changes.keys(of: family)
      if table.isEmpty { continue }
      text.begin(family)
      for key in table {
        if let stays = states[key] { try write(stays, of: key, &text, output) }
        if let values = changes[key] { try write(values, of: key, &text, output) }
      }
    }
    text.end()
    try output(text.output)
  }

  /// A counter starts at nothing one step before its first change, as one that appears with a value
  /// has no increase.
  private func write<Failure: Error>(
    _ changes: Changes, of key: SeriesKey, _ text: inout MetricText,
    _ output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var value = key.family.kind == .histogram ? MetricValue.emptyHistogram : MetricValue(count: 0)
    var nextStep = Int64.min
    let steps = changes.values.keys.sorted()
    for (place, step) in steps.enumerated() {
      if nextStep < step { sample(value, of: key, at: step - 1, &text) }
      if let change = changes.values[step] { value.add(change) }
      nextStep =
        place + 1 < steps.count
        ? min(steps[place + 1], step + Self.heldSteps + 1)
        : step + Self.heldSteps + 1
      for held in step..<nextStep { sample(value, of: key, at: held, &text) }
      if text.output.count >= 1 << 16 {
        try output(text.output)
        text.output.removeAll(keepingCapacity: true)
      }
    }
  }

  private func sample(
    _ value: MetricValue, of key: SeriesKey, at step: Int64, _ text: inout MetricText
  ) {
    text.sample(
      key, value, timestamp: "\(step * Self.stepSeconds)", showsExemplars: false)
  }

  /// The states of an app on a device: 1 while it is in one, and 0 from when it left. Several
  /// traces may be of the same time, from devices of one model: then it is in several states.
  private func write<Failure: Error>(
    _ states: States, of key: SeriesKey, _ text: inout MetricText,
    _ output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var points: [(milliseconds: Int64, state: LifecycleState, value: Int)] = []
    for state in LifecycleState.allCases {
      for stay in Self.united(states.stays.filter { $0.state == state }.map(\.milliseconds)) {
        points.append((stay.lowerBound, state, 1))
        let step = Self.stepSeconds * 1000
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
    for point in points {
      text.sample(
        key, label: (key.family.name, point.state.word), value: "\(point.value)",
        timestamp: Self.seconds(point.milliseconds))
      if text.output.count >= 1 << 16 {
        try output(text.output)
        text.output.removeAll(keepingCapacity: true)
      }
    }
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

  /// OpenMetrics counts seconds.
  private static func seconds(_ milliseconds: Int64) -> String {
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }
}
