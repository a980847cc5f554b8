// Values by metric and labels, as many as a cap allows; the rest under `other`.
// This file must not know what the values are.

/// A metric with values for its labels.
struct SeriesKey: Hashable, Sendable {
  /// The label value of what the cap leaves no room for.
  static let other = "other"

  var family: MetricFamily
  /// One per label of the family.
  var values: [String]

  func hash(into hasher: inout Hasher) {
    hasher.combine(family.index)
    hasher.combine(values)
  }

  static func == (a: SeriesKey, b: SeriesKey) -> Bool {
    a.family.index == b.family.index && a.values == b.values
  }

  /// Whether the cap counts it: it has values from captures.
  var isCapped: Bool { zip(family.labels, values).contains { $0.isOpen && $1 != Self.other } }

  /// The key with `other` for everything that comes from captures.
  var folded: SeriesKey {
    SeriesKey(
      family: family, values: zip(family.labels, values).map { $0.isOpen ? Self.other : $1 })
  }

  /// Where it stands when the cap decides who stays: all of one app together.
  var capOrder: (app: [String], family: Int, values: [String]) {
    (zip(family.labels, values).filter { $0.0.isOpen }.map(\.1), family.index, values)
  }
}

/// Values by key, with a cap on the series that captures can make.
///
/// The keys that stay are the first in an order that doesn't depend on who came when, up to the
/// first one without room. That one is remembered: what comes after it has no room in any larger
/// sum either. So adding is associative and commutative, with or without the cap, and a key that
/// stays is exact.
struct SeriesTable<Value: AddableValue>: Sendable {
  private(set) var values: [SeriesKey: Value] = [:]
  let seriesMax: Int
  private var cappedCount = 0
  /// The first key that had no room.
  private var cut: SeriesKey?

  /// - Parameter seriesMax: Series with labels from captures that are told apart.
  init(seriesMax: Int) { self.seriesMax = seriesMax }

  subscript(key: SeriesKey) -> Value? { values[key] }

  mutating func add(_ value: Value, to key: SeriesKey) {
    if key.isCapped, let cut, !key.precedes(cut) { return add(value, to: key.folded) }
    if values[key] != nil {
      values[key]?.add(value)
      return
    }
    values[key] = value
    guard key.isCapped else { return }
    cappedCount += key.family.seriesPerLabelSet
    // Room for as many again, so that sorting is rare.
    if cappedCount > seriesMax.saturatingDouble { fold() }
  }

  /// Leaves no room for what has none in another table.
  mutating func adoptCut(of other: SeriesTable) {
    guard let limit = other.cut, cut.map({ limit.precedes($0) }) ?? true else { return }
    cut = limit
    for key in values.keys where key.isCapped && !key.precedes(limit) {
      cappedCount -= key.family.seriesPerLabelSet
      if let value = values.removeValue(forKey: key) { add(value, to: key.folded) }
    }
  }

  mutating func add(_ other: SeriesTable) {
    adoptCut(of: other)
    for (key, value) in other.values { add(value, to: key) }
  }

  /// Takes out all series of a family without labels from captures.
  mutating func remove(_ family: MetricFamily) {
    for key in values.keys where key.family.index == family.index && !key.isCapped {
      values[key] = nil
    }
  }

  /// What stays under the cap, and the rest under `other`.
  var capped: SeriesTable {
    var table = self
    table.fold()
    return table
  }

  private mutating func fold() {
    let keys = values.keys.filter(\.isCapped).sorted { $0.precedes($1) }
    var count = 0
    var hasRoom = true
    cappedCount = 0
    for key in keys {
      count += key.family.seriesPerLabelSet
      if hasRoom, count > seriesMax {
        hasRoom = false
        cut = key
      }
      if hasRoom {
        cappedCount += key.family.seriesPerLabelSet
      } else if let value = values.removeValue(forKey: key) {
        add(value, to: key.folded)
      }
    }
  }

  /// The keys of a family, sorted.
  func keys(of family: MetricFamily) -> [SeriesKey] {
    values.keys.filter { $0.family.index == family.index }
      .sorted { $0.values.lexicographicallyPrecedes($1.values) }
  }
}

extension SeriesKey {
  fileprivate func precedes(_ other: SeriesKey) -> Bool {
    let (a, b) = (capOrder, other.capOrder)
    if a.app != b.app { return a.app.lexicographicallyPrecedes(b.app) }
    if a.family != b.family { return a.family < b.family }
    return a.values.lexicographicallyPrecedes(b.values)
  }
}

extension Int {
  fileprivate var saturatingDouble: Int {
    let (double, overflow) = multipliedReportingOverflow(by: 2)
    return overflow ? .max : double
  }
}
