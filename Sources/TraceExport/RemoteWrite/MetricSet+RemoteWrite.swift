// The metrics of some captures as requests of remote write: totals, all of one moment.

import TraceModel

/// The moment that totals are sent for.
public struct RemoteMoment: Sendable {
  /// Milliseconds since 1970.
  public var milliseconds: Int64
  /// When a series that the receiver doesn't know yet was nothing: an increase needs two samples.
  /// nil leaves that away.
  public var zeroMilliseconds: Int64?

  public init(milliseconds: Int64, zeroMilliseconds: Int64? = nil) {
    self.milliseconds = milliseconds
    self.zeroMilliseconds = zeroMilliseconds
  }
}

extension MetricSet {
  /// Hands over the totals of all metrics, request by request.
  ///
  /// - Parameters:
  ///   - seen: Series that the receiver has taken.
  ///   - output: Takes each request.
  public func write<Failure: Error>(
    run: MetricRun, at moment: RemoteMoment, labels: RemoteLabels = RemoteLabels(),
    seen: SeenSeries = SeenSeries(), _ output: (RemoteBatch) throws(Failure) -> Void
  ) throws(Failure) {
    var batcher = RemoteBatcher()
    let table = table.capped
    for family in MetricFamily.all where family.kind != .stateset {
      switch run.own(family) {
      case .hidden: continue
      case .samples(let own):
        guard let own else { continue }
        var bytes: [UInt8] = []
        SeriesLabels(SeriesKey(family: family, values: []), labels)
          .append(name: family.name, extra: own.label, to: &bytes)
        batcher.append(
          labels: bytes, milliseconds: [moment.milliseconds], values: [Double(own.number)])
      case .ofCaptures:
        for key in table.keys(of: family) {
          guard let value = table[key] else { continue }
          Self.add(value, of: key, at: moment, labels, seen, to: &batcher)
          try batcher.handOver(output)
        }
      }
      try batcher.handOver(output)
    }
    batcher.close()
    try batcher.handOver(output)
  }

  /// Adds all series of a key. Those that are new stay in one request, so that all of them are
  /// taken, or none.
  private static func add(
    _ value: MetricValue, of key: SeriesKey, at moment: RemoteMoment, _ added: RemoteLabels,
    _ seen: SeenSeries, to batcher: inout RemoteBatcher
  ) {
    var times = [moment.milliseconds]
    var bytes: [UInt8] = []
    var isNew = false
    if let zero = moment.zeroMilliseconds, !seen.holds(key) {
      isNew = true
      times.insert(zero, at: 0)
      batcher.reserve(sampleCount: 2 * key.family.seriesPerLabelSet)
    }
    let labels = SeriesLabels(key, added)
    SampleValues.forEach(of: key, value) { name, label, number in
      bytes.removeAll(keepingCapacity: true)
      labels.append(name: name, extra: label, to: &bytes)
      batcher.append(
        labels: bytes, milliseconds: times, values: isNew ? [0, number] : [number])
    }
    if isNew { batcher.introduce(key) }
  }
}
