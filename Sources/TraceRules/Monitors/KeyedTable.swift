// Values by instance key: a few are found by looking at all, many by their hash.

/// A dictionary of instance keys that is quick while it is small, as it nearly always is.
struct KeyedTable<Value> {
  /// As many keys are compared one by one.
  private static var comparedMax: Int { 8 }

  private var keys: [InstanceKey] = []
  /// The values, in the order of ``keys``: that of their coming, but for gaps that the last fills.
  private(set) var values: [Value] = []
  /// The place of each key; empty while there are few.
  private var places: [InstanceKey: Int] = [:]

  var count: Int { keys.count }
  var isEmpty: Bool { keys.isEmpty }

  func place(of key: InstanceKey) -> Int? {
    if keys.count > Self.comparedMax { return places[key] }
    for place in 0..<keys.count where keys[place] == key { return place }
    return nil
  }

  subscript(key: InstanceKey) -> Value? { place(of: key).map { values[$0] } }

  /// Changes the value at a place where it is.
  mutating func change(_ place: Int, _ body: (inout Value) -> Void) { body(&values[place]) }

  /// Adds a key that the table doesn't have.
  mutating func add(_ key: InstanceKey, _ value: Value) {
    keys.append(key)
    values.append(value)
    if keys.count > Self.comparedMax + 1 {
      places[key] = keys.count - 1
    } else if keys.count > Self.comparedMax {
      for place in keys.indices { places[keys[place]] = place }
    }
  }

  mutating func set(_ key: InstanceKey, _ value: Value) {
    if let place = place(of: key) { values[place] = value } else { add(key, value) }
  }

  mutating func remove(at place: Int) {
    let last = keys.count - 1
    if keys.count > Self.comparedMax {
      places[keys[last]] = place
      places[keys[place]] = nil
    }
    keys.swapAt(place, last)
    values.swapAt(place, last)
    keys.removeLast()
    values.removeLast()
    if keys.count <= Self.comparedMax { places.removeAll(keepingCapacity: true) }
  }

  mutating func remove(_ key: InstanceKey) {
    if let place = place(of: key) { remove(at: place) }
  }

  mutating func changeAll(_ body: (inout Value) -> Void) {
    for place in values.indices { body(&values[place]) }
  }

  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}
