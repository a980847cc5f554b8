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
/// The keys that stay are the first in an order that doesn't depend on who came when: a key that
/// stays in a sum of tables was in none of them beyond the cap. So adding is associative and
/// commutative, with or without the cap, and a key that stays is exact.
struct SeriesTable<Value: AddableValue>: Sendable {
  private(set) var values: [SeriesKey: Value] = [:]
  let seriesMax: Int
  private var cappedCount = 0

  /// - Parameter seriesMax: Series with labels from captures that are told apart.
  init(seriesMax: Int) { self.seriesMax = seriesMax }

  subscript(key: SeriesKey) -> Value? { values[key] }

  mutating func add(_ value: Value, to key: SeriesKey) {
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

  mutating func add(_ other: SeriesTable) {
    for (key, value) in other.values { add(value, to: key) }
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
      hasRoom = hasRoom && count <= seriesMax
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
