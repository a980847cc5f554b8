// The metrics of the past as requests of remote write, each sample at the time it had.

import TraceLifecycle
import TraceModel

extension Backfill {
  /// Samples of one series that are collected before they are cut into requests.
  private static let samplesAtOnce = 512

  /// Hands over everything, request by request: series by series, each in the order of its times.
  ///
  /// - Parameter output: Takes each request.
  public func write<Failure: Error>(
    labels: RemoteLabels = RemoteLabels(), _ output: (RemoteBatch) throws(Failure) -> Void
  ) throws(Failure) {
    var batcher = RemoteBatcher()
    let changes = changes.capped
    let states = states.capped
    for family in MetricFamily.all {
      let table = family.kind == .stateset ? states.keys(of: family) : changes.keys(of: family)
      for key in table {
        let own = SeriesLabels(key, labels)
        if let stays = states[key] {
          Self.add(stays, of: key, own, to: &batcher)
          try batcher.handOver(output)
        }
        if let values = changes[key] { try add(values, of: key, own, &batcher, output) }
      }
    }
    batcher.close()
    try batcher.handOver(output)
  }

  /// Adds the series of a counter or histogram, a stretch of time after the other.
  private func add<Failure: Error>(
    _ changes: Changes, of key: SeriesKey, _ labels: SeriesLabels, _ batcher: inout RemoteBatcher,
    _ output: (RemoteBatch) throws(Failure) -> Void
  ) throws(Failure) {
    var stretch = Stretch(key, labels)
    try forEachSample(changes, of: key) { (value, milliseconds) throws(Failure) in
      stretch.append(value, milliseconds)
      if stretch.milliseconds.count >= Self.samplesAtOnce {
        stretch.move(to: &batcher)
        try batcher.handOver(output)
      }
    }
    stretch.move(to: &batcher)
    try batcher.handOver(output)
  }

  /// Adds a series for each state that an app was in.
  private static func add(
    _ states: States, of key: SeriesKey, _ labels: SeriesLabels, to batcher: inout RemoteBatcher
  ) {
    let points = points(of: states)
    for state in LifecycleState.allCases {
      let own = points.filter { $0.state == state }
      if own.isEmpty { continue }
      var bytes: [UInt8] = []
      labels.append(name: key.family.name, extra: (key.family.name, state.word), to: &bytes)
      batcher.append(
        labels: bytes, milliseconds: own.map(\.milliseconds), values: own.map { Double($0.value) })
    }
  }

  /// The series of one key over some time.
  private struct Stretch {
    private let key: SeriesKey
    /// The labels of each series.
    private var series: [[UInt8]] = []
    private var values: [[Double]] = []
    private(set) var milliseconds: [Int64] = []
    private let labels: SeriesLabels

    init(_ key: SeriesKey, _ labels: SeriesLabels) {
      self.key = key
      self.labels = labels
    }

    mutating func append(_ value: MetricValue, _ time: Int64) {
      milliseconds.append(time)
      var place = 0
      SampleValues.forEach(of: key, value) { name, label, number in
        if place == series.count {
          var bytes: [UInt8] = []
          labels.append(name: name, extra: label, to: &bytes)
          series.append(bytes)
          values.append([])
        }
        values[place].append(number)
        place += 1
      }
    }

    mutating func move(to batcher: inout RemoteBatcher) {
      for place in series.indices {
        batcher.append(labels: series[place], milliseconds: milliseconds, values: values[place])
        values[place].removeAll(keepingCapacity: true)
      }
      milliseconds.removeAll(keepingCapacity: true)
    }
  }
}
