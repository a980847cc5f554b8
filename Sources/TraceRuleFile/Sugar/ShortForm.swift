// The short forms of patterns, as a person writes them, and what they are translated into.

import TraceLifecycle
import TraceModel
import TraceRules

/// One pattern in short form with the keys that go with it: `where`, `key`, `per`, scopes, ….
struct ShortForm {
  let reading: Reading
  /// The number of the clause, for the names of the facts that a translation needs.
  let number: Int
  let key: [KeyField]
  let unit: ReportUnit?
  let clock: Clock
  /// Where the clock is named; nil if it isn't.
  private let clockPlace: Place?
  let whereValue: YAMLValue?
  let condition: Condition?
  let scope: Scope?
  /// The time that `within` allows inside `between`.
  var strictTime: Time?
  /// Whether what is open when a complete recording ends is no violation.
  var mayStayOpen = false
  /// The facts that the translation needs.
  var facts: [Fact] = []

  /// Reads the keys that go with a pattern.
  init(_ map: inout MapReader, number: Int, afterIsPattern: Bool, events: [EventPattern]) {
    let reading = map.reading
    self.reading = reading
    self.number = number
    let near = reading.argumentNames(of: events.flatMap(\.knownKinds))
    var key = map.value("key").map { reading.keyFields($0, among: near) } ?? []
    var unit: ReportUnit?
    if let per = map.value("per") {
      switch per.text {
      case "process"?: unit = .launch
      case "thread"?:
        unit = .key
        if !key.contains(.thread) { key.append(.thread) }
      case "scene"?:
        unit = .key
        if !key.contains(.argument(.scene)) { key.append(.argument(.scene)) }
      default:
        unit = reading.word(
          per, "unit of reports",
          among: Names.units + [("process", .launch), ("thread", .key), ("scene", .key)])
      }
    }
    self.key = key
    self.unit = unit
    clockPlace = map.has("clock") ? map.place(of: "clock") : nil
    clock = Self.clock(&map) ?? .run
    whereValue = map.value("where")
    condition = map.value("while").flatMap { reading.condition($0) }
    scope = Scope(&map, key: key, number: number, afterIsPattern: afterIsPattern)
    facts = scope?.facts ?? []
  }

  private static func clock(_ map: inout MapReader) -> Clock? {
    guard let value = map.value("clock") else { return nil }
    if value.text == "wall" {
      map.reading.error(
        .unsupported, at: value.place, "the clock of the wall can't be measured with",
        expected: "run, watchdog or continuous", suggestion: "continuous")
      return nil
    }
    return map.reading.word(value, "clock", among: Names.clocks)
  }

  /// What must hold for an event to be looked at: `while`, and the scope.
  var inScope: Condition? { reading.merged(condition, scope?.condition) }

  /// An event with the clause's `while` and scope.
  func scoped(_ pattern: EventPattern) -> EventPattern {
    var pattern = pattern
    pattern.condition = reading.merged(pattern.condition, inScope)
    return pattern
  }

  /// The event that the clause is about: with its `where`, `while` and scope.
  func subject(_ pattern: EventPattern) -> EventPattern {
    var pattern = scoped(pattern)
    if let whereValue {
      let test = reading.fieldTest(whereValue, of: pattern.knownKinds)
      pattern.test = reading.merged(pattern.test, test)
    }
    return pattern
  }

  /// A time on the clause's clock.
  func time(_ value: YAMLValue, _ what: String) -> Time? {
    reading.time(value, what, on: clock)
  }

  /// The events whose violation shows only when the scope is closed.
  func closedByEnd(_ event: EventPattern) -> Pattern? {
    guard let scope, scope.isStrict else { return nil }
    return .expect(
      Expect(
        opens: [event], key: key, reopening: unit == .event ? .nest : .keep, due: [scope.due],
        per: unit ?? (key.isEmpty ? .event : .key), isUndecidedIfCutOff: true))
  }

  /// Reports a scope that the pattern has no meaning in.
  func refuseBrackets(_ what: String) {
    guard let scope, scope.hasBrackets else { return }
    reading.error(
      .unsupported, at: scope.place, "\(what) can't be limited to a part between two events",
      expected: "while, after or until")
  }

  /// Reports a clock for a pattern that measures no time on it.
  func refuseClock(_ what: String) {
    guard let clockPlace else { return }
    reading.error(
      .misplacedKey, at: clockPlace,
      "'clock' doesn't go with \(what), which measures no time on it",
      expected: "a clock beside 'within' or 'lasts' only")
  }

  /// Reports `between` for what would be reported before it is closed.
  func refuseStrict(_ what: String, at place: Place? = nil) {
    guard let scope, scope.isStrict else { return }
    reading.error(
      .unsupported, at: place ?? scope.place, "\(what) is reported before 'between' is closed",
      expected: "'after_until'")
  }

  /// Reports `where` for a pattern that has several events it could be for.
  func refuseWhere(_ what: String) {
    guard let whereValue else { return }
    reading.error(
      .misplacedKey, at: whereValue.place, "'where' doesn't say which event of \(what) it is for",
      expected: "'where' inside one event")
  }
}

/// The part of a trace in which a clause looks: `after`, `until`, `between`, `after_until`.
struct Scope {
  let place: Place
  /// The fact that says whether the scope is open, or for `until` over.
  let name: String
  let condition: Condition
  let facts: [Fact]
  let starts: [EventPattern]
  let ends: [EventPattern]
  /// Whether the delimiters have the clause's key.
  let isKeyed: Bool
  /// `between`: what happens inside counts only once the scope is closed.
  let isStrict: Bool
  /// Whether the scope begins and ends.
  let hasBrackets: Bool

  /// Nil if no scope is given, or if it is wrong.
  init?(_ map: inout MapReader, key: [KeyField], number: Int, afterIsPattern: Bool) {
    let reading = map.reading
    let keys = RuleKeys.scopes.filter { !(afterIsPattern && $0 == "after") && map.has($0) }
    map.allow(keys)
    guard let scope = keys.first, let value = map.value(scope) else { return nil }
    if keys.count > 1 {
      reading.error(
        .twoScopes, at: map.place(of: keys[1]), "a second scope beside '\(scope)'",
        expected: "one scope; for a part between two events 'after_until: [A, B]'")
    }
    place = value.place
    hasBrackets = scope == "between" || scope == "after_until"
    isStrict = scope == "between"
    if hasBrackets {
      let elements = reading.elements(value)
      guard elements.count == 2 else {
        reading.error(
          .badType, at: value.place, "'\(scope)' has \(elements.count) events",
          expected: "two: [A, B]")
        return nil
      }
      guard let start = reading.pattern(elements[0]), let end = reading.pattern(elements[1]) else {
        return nil
      }
      starts = [start]
      ends = [end]
    } else {
      let events = reading.patterns(value)
      if events.isEmpty { return nil }
      starts = scope == "after" ? events : []
      ends = scope == "until" ? events : []
    }
    isKeyed = !key.isEmpty && (starts + ends).allSatisfy { $0.carries(key) }
    name = reading.freshFact("scope \(number)")
    if scope == "until" {
      facts = [Fact(name, set: ends, key: isKeyed ? key : [])]
      condition = .not(.fact(name))
    } else {
      facts = [Fact(name, set: starts, clear: ends, key: isKeyed ? key : [])]
      condition = .fact(name)
    }
  }

  /// When something that is open at the end of the scope is due.
  var due: Due { isKeyed ? .atSameKey(ends) : .at(ends) }

  /// The ends of the scope where a fact or a count with a key looks: each for its own key, where
  /// the scope has one.
  func ends(keyedBy key: [KeyField]) -> [EventPattern] {
    guard isKeyed else { return ends }
    return ends.map { end in
      var end = end
      end.key = key
      return end
    }
  }
}

extension EventPattern {
  /// Whether all its events have these fields. An app's own kinds are trusted to.
  func carries(_ key: [KeyField]) -> Bool {
    guard case .kinds(let kinds) = kinds else { return true }
    return key.allSatisfy { field in
      guard case .argument(let name) = field else { return true }
      return kinds.allSatisfy { kind in
        Vocabulary.description(of: kind)?.arguments.contains { $0.name == name } ?? false
      }
    }
  }
}
