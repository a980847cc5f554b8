// How the count of a capture that is read again goes into sums that never fall.

import TraceModel

extension MetricSet {
  /// Takes the larger of each number of two readings of the same trace, which stays one trace: the
  /// outcome under which it was first counted is kept.
  public mutating func raise(toRereading other: MetricSet) {
    let counted = table.keys(of: .traces)
    let isCounted = counted.contains { (table[$0]?.total ?? 0) > 0 }
    var other = other.underSources(of: self)
    if isCounted { other.table.remove(.traces) }
    raise(to: other)
  }

  /// The same numbers under the source that a trace was first counted from: a copy of it in
  /// another format is no second trace.
  private func underSources(of counted: MetricSet) -> MetricSet {
    let known = Set(counted.table.values.keys.compactMap(\.source))
    guard let first = known.min() else { return self }
    var set = MetricSet(seriesMax: table.seriesMax)
    for (key, value) in table.values {
      var key = key
      if let source = key.source, !known.contains(source) { key.source = first }
      set.add(value, to: key)
    }
    return set
  }

  /// What must be added to a sum that holds an earlier count of the same traces.
  ///
  /// - Parameter old: A set that was raised to become this one.
  public func growth(since old: MetricSet) -> MetricSet {
    var growth = MetricSet(seriesMax: table.seriesMax)
    for (key, value) in table.values {
      growth.add(old.table[key].map(value.growth) ?? value, to: key)
    }
    return growth
  }
}

extension SeriesKey {
  /// The value of the label `source`; nil for a family that has none.
  fileprivate var source: String? {
    get { family.labels.firstIndex(of: .source).map { values[$0] } }
    set {
      guard let place = family.labels.firstIndex(of: .source), let newValue else { return }
      values[place] = newValue
    }
  }
}

extension MetricValue {
  /// The value without what an earlier one held; its exemplars are the newer ones.
  fileprivate func growth(since old: MetricValue) -> MetricValue {
    let differences = counts.indices.map { place in
      let earlier = place < old.counts.count ? old.counts[place] : 0
      return counts[place] > earlier ? counts[place] - earlier : 0
    }
    let sum = sumNanoseconds > old.sumNanoseconds ? sumNanoseconds - old.sumNanoseconds : 0
    return MetricValue(counts: differences, sumNanoseconds: sum, exemplars: exemplars)
  }
}
