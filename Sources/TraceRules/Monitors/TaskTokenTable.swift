// Values by task token: made for tens of thousands of tokens, nearly all of which are numbers.

import TraceModel

/// A table of task tokens, which a long trace begins and ends all the time. Numbers lie in an open
/// table, and a removal moves what lies behind.
struct TaskTokenTable<Value> {
  /// For each place by hash one more than the place of the entry that lies there; 0: none. As many
  /// as a power of two, or none.
  private var places: [UInt32] = []
  /// The tokens that are numbers, and their values: in no order that means anything.
  private var keys: [UInt64] = []
  private var values: [Value] = []
  private var texts: [String: Value] = [:]
  private let secret = TaskTokenSecret.ofProcess

  private static var placesMin: Int { 64 }

  var count: Int { keys.count + texts.count }

  subscript(token: TaskToken) -> Value? {
    get {
      switch token {
      case .bits(let bits): slot(of: bits).map { values[Int(places[$0]) - 1] }
      case .text(let text): texts[text]
      }
    }
    set {
      switch (token, newValue) {
      case (.bits(let bits), nil): remove(bits)
      case (.bits(let bits), let value?): set(bits, value)
      case (.text(let text), _): texts[text] = newValue
      }
    }
  }

  mutating func removeAll() {
    if keys.isEmpty && texts.isEmpty { return }
    for slot in places.indices { places[slot] = 0 }
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
  }

  /// The place at which the search for a token begins.
  private func home(_ bits: UInt64) -> Int {
    let (high, low) = (bits ^ secret.first).multipliedFullWidth(by: secret.second)
    return Int(truncatingIfNeeded: high ^ low) & (places.count - 1)
  }

  private func slot(of bits: UInt64) -> Int? {
    if keys.isEmpty { return nil }
    var slot = home(bits)
    while places[slot] != 0 {
      if keys[Int(places[slot]) - 1] == bits { return slot }
      slot = (slot + 1) & (places.count - 1)
    }
    return nil
  }

  private mutating func set(_ bits: UInt64, _ value: Value) {
    if let slot = slot(of: bits) {
      values[Int(places[slot]) - 1] = value
      return
    }
    keys.append(bits)
    values.append(value)
    if keys.count * 4 > places.count * 3 { grow() } else { note(keys.count - 1) }
  }

  /// Takes note of where an entry lies; there is room.
  private mutating func note(_ entry: Int) {
    var slot = home(keys[entry])
    while places[slot] != 0 { slot = (slot + 1) & (places.count - 1) }
    places[slot] = UInt32(entry + 1)
  }

  private mutating func grow() {
    places = [UInt32](repeating: 0, count: max(Self.placesMin, 2 * places.count))
    for entry in keys.indices { note(entry) }
  }

  private mutating func remove(_ bits: UInt64) {
    guard let slot = slot(of: bits) else { return }
    let entry = Int(places[slot]) - 1
    close(slot)
    // The last entry fills the gap.
    let last = keys.count - 1
    if entry != last {
      var lastSlot = home(keys[last])
      while places[lastSlot] != UInt32(last + 1) { lastSlot = (lastSlot + 1) & (places.count - 1) }
      places[lastSlot] = UInt32(entry + 1)
      keys[entry] = keys[last]
      values.swapAt(entry, last)
    }
    keys.removeLast()
    values.removeLast()
  }

  /// Empties a place, and moves back what would not be found behind it.
  private mutating func close(_ slot: Int) {
    let mask = places.count - 1
    var hole = slot
    var next = (hole + 1) & mask
    while places[next] != 0 {
      let way = next &- home(keys[Int(places[next]) - 1])
      if way & mask >= (next &- hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole] = 0
  }
}

/// What hashes are mixed with, so that nobody can make a trace whose tokens collide. Nothing that
/// is told depends on it.
private struct TaskTokenSecret {
  let first: UInt64
  let second: UInt64

  static let ofProcess = TaskTokenSecret(
    first: UInt64.random(in: .min ... .max), second: UInt64.random(in: .min ... .max) | 1)
}
