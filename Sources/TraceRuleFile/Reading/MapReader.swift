// Reads the entries of a map, and reports the keys that nobody asked for.

/// A map that is read key by key.
struct MapReader {
  let reading: Reading
  let place: Place
  /// What the map is, for messages: `a rule`, `'never'`.
  let what: String
  private let entries: [YAMLValue.Entry]
  private var asked: [String] = []
  /// The pattern among the keys, for messages about keys that don't go with it.
  var pattern: String?

  /// Nil, with a problem reported, if the value is no map.
  init?(_ value: YAMLValue, _ what: String, _ reading: Reading) {
    guard let entries = value.entries else {
      reading.error(
        .badType, at: value.place, "\(what) is \(value.description)", expected: "a map with keys")
      return nil
    }
    self.init(entries, at: value.place, what, reading)
  }

  init(_ entries: [YAMLValue.Entry], at place: Place, _ what: String, _ reading: Reading) {
    self.reading = reading
    self.place = place
    self.what = what
    self.entries = entries
  }

  /// The keys in the order of the file.
  var keys: [String] { entries.map(\.key) }

  func has(_ key: String) -> Bool { entries.contains { $0.key == key } }

  /// The value of a key; nil if it isn't there.
  mutating func value(_ key: String) -> YAMLValue? {
    asked.append(key)
    return entries.first { $0.key == key }?.value
  }

  /// The place of a key that is there.
  func place(of key: String) -> Place { entries.first { $0.key == key }?.place ?? place }

  /// The value of a key that must be there; nil, with a problem reported, if it isn't.
  mutating func required(_ key: String) -> YAMLValue? {
    if let value = value(key) { return value }
    reportMissing(key)
    return nil
  }

  /// Reports a missing key, at a key that looks like it if there is one.
  func reportMissing(_ key: String) {
    let near = entries.first { NameSuggestion.nearest(to: $0.key, among: [key]) != nil }
    // A slip in the key is reported once, as the unknown key that it is.
    if near != nil { return }
    reading.error(.missingKey, at: place, "\(what) has no '\(key)'", expected: "the key '\(key)'")
  }

  /// Remembers keys that are known here and read elsewhere.
  mutating func allow(_ keys: some Sequence<String>) { asked.append(contentsOf: keys) }

  /// The entries that nobody has asked for.
  var rest: [YAMLValue.Entry] {
    let asked = Set(asked)
    return entries.filter { !asked.contains($0.key) }
  }

  /// Reports the entries that nobody has asked for. Keys that have a place elsewhere in a rule are
  /// told so.
  func finish(elsewhere: [String] = []) {
    for entry in rest {
      if elsewhere.contains(entry.key) {
        reading.error(
          .misplacedKey, at: entry.place,
          "'\(entry.key)' doesn't go with \(pattern.map { "'\($0)'" } ?? what)")
      } else {
        reading.unknown(
          .unknownKey, "key", entry.key, at: entry.place, among: Set(asked + elsewhere).sorted())
      }
    }
  }
}
