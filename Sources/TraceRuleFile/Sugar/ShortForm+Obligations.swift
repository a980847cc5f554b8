// The short forms that become `Expect`: paired, after … expect, holds, at_least, require.

import TraceLifecycle
import TraceModel
import TraceRules

extension ShortForm {
  /// What a short form becomes: patterns with the words that tell them apart.
  typealias Translation = [(reason: String?, pattern: Pattern, message: String)]

  private func due(_ map: inout MapReader, leaksByDefault: Bool) -> [Due] {
    var due: [Due] = []
    if let within = map.value("within") {
      if let time = time(within, "'within'") { due.append(.within(time)) }
    }
    if let before = map.value("before") {
      let events = reading.patterns(before)
      let isKeyed = !key.isEmpty && events.allSatisfy { $0.carries(key) }
      if !events.isEmpty { due.append(isKeyed ? .atSameKey(events) : .at(events)) }
    }
    if let scope, !scope.ends.isEmpty { due.append(scope.due) }
    let atEnd = map.value("at_end").flatMap {
      reading.word($0, "word for 'at_end'", among: [("leak", true), ("ok", false)])
    }
    if atEnd ?? (leaksByDefault && due.isEmpty) {
      due.append(.processEnd([.on(.procExit)], orNewStart: false, while: nil))
      due.append(.recordingEnd)
    }
    if due.isEmpty, map.has("at_end") {
      reading.warning(
        .vacuous, at: map.place(of: "at_end"), "nothing is ever due",
        expected: "'before', 'within', or 'at_end: leak'")
    }
    return due
  }

  /// `paired: {open, close, key, reopen}`.
  mutating func paired(_ value: YAMLValue, _ clause: inout MapReader) -> Translation {
    let due = due(&clause, leaksByDefault: true)
    guard var map = MapReader(value, "'paired'", reading) else { return [] }
    let open = map.required("open").flatMap { reading.pattern($0) }
    let close = map.required("close").flatMap { reading.pattern($0) }
    let near = reading.argumentNames(of: (open.map { [$0] } ?? []).flatMap(\.knownKinds))
    let key = map.value("key").map { reading.keyFields($0, among: near) } ?? self.key
    let reopen =
      map.value("reopen").flatMap {
        reading.word(
          $0, "word for 'reopen'",
          among: [("error", "error"), ("nest", "nest"), ("replace", "replace"), ("keep", "keep")])
      } ?? "keep"
    map.finish()
    guard let open, let close else { return [] }
    let opens = subject(open)
    let reopening: Expect.Reopening =
      switch reopen {
      case "nest": .nest
      case "replace": .replace
      default: .keep
      }
    var translation: Translation = [
      (
        "unclosed",
        .expect(
          Expect(
            opens: [opens], closes: [close], key: key, reopening: reopening, due: due,
            per: unit ?? .key)),
        "{what} was not followed by '\(shown(close))' in time"
      )
    ]
    if let balance = balance(opens, close, key: key, reopen: reopen) { translation.append(balance) }
    return translation
  }

  /// The state machine that finds a second opening, and a closing of what isn't open. Where only
  /// some openings count, a closing may belong to another one, and isn't looked at.
  private func balance(
    _ opens: EventPattern, _ close: EventPattern, key: [KeyField], reopen: String
  ) -> (reason: String?, pattern: Pattern, message: String)? {
    let countsAll = opens.test == nil && opens.condition == nil
    if reopen == "nest" || (reopen != "error" && !countsAll) { return nil }
    var edges = [Order.Edge("closed", opens, "open"), Order.Edge("open", close, "closed")]
    if reopen != "error" { edges.append(Order.Edge("open", opens, "open")) }
    if !countsAll { edges.append(Order.Edge("closed", close, "closed")) }
    let order = Order(key: key, start: "closed", edges: edges, per: unit ?? .event)
    let message =
      reopen != "error"
      ? "{what} closes what was not open"
      : countsAll ? "{what} has no counterpart, or came twice" : "{what} came twice"
    return ("unbalanced", .order(order), message)
  }

  /// `after: A`, `expect: B`, `within: T`.
  mutating func answered(_ value: YAMLValue, _ clause: inout MapReader) -> Translation {
    let due = due(&clause, leaksByDefault: true)
    let closes = reading.patterns(value)
    guard let after = clause.required("after") else { return [] }
    let opens = reading.patterns(after).map { subject($0) }
    guard !opens.isEmpty, !closes.isEmpty else { return [] }
    let names = closes.map { "'\(shown($0))'" }.joined(separator: " or ")
    return [
      (
        nil,
        .expect(Expect(opens: opens, closes: closes, key: key, due: due, per: unit ?? .key)),
        "{what} was not followed by \(names) in time"
      )
    ]
  }

  /// `holds: {resource: [acquire, release], at: E}`.
  mutating func holds(_ value: YAMLValue) -> Translation {
    guard var map = MapReader(value, "'holds'", reading) else { return [] }
    let resource = map.required("resource")
    let at = map.required("at").map { reading.patterns($0) } ?? []
    map.finish()
    guard let resource, let pair = pair(resource, "'resource'"), !at.isEmpty else { return [] }
    let moments = at.map { scoped($0) }
    return [
      (
        nil,
        .expect(
          Expect(
            opens: [subjectWithoutScope(pair.0)], closes: [pair.1], key: key, due: [.at(moments)],
            per: unit ?? .key)),
        "{what} was still held at '\(at.map { shown($0) }.joined(separator: "', '"))'"
      )
    ]
  }

  /// `at_least: {event, count}` in a scope that begins and ends.
  mutating func atLeast(_ value: YAMLValue) -> Translation {
    guard var map = MapReader(value, "'at_least'", reading) else { return [] }
    let event = map.required("event").flatMap { reading.pattern($0) }
    let count = map.value("count").flatMap { reading.countAmount($0, "'count'") }
    map.finish()
    guard let scope, !scope.starts.isEmpty, !scope.ends.isEmpty else {
      reading.error(
        .missingKey, at: value.place, "'at_least' doesn't say from when to when",
        expected: "a scope: 'between: [A, B]' or 'after_until: [A, B]'")
      return []
    }
    guard let event else { return [] }
    var closes = event
    if let whereValue {
      closes.test = reading.merged(
        closes.test, reading.fieldTest(whereValue, of: event.knownKinds))
    }
    var opens = scope.starts[0]
    opens.condition = reading.merged(opens.condition, condition)
    // The instance is the scope: no fact is needed for it.
    facts = []
    return [
      (
        nil,
        .expect(
          Expect(
            opens: [opens], closes: [closes], key: scope.isKeyed ? key : [], reopening: .replace,
            closesNeeded: count ?? .fixed(1), due: [scope.due], per: unit ?? .event)),
        "'\(shown(event))' came too seldom after {what}"
      )
    ]
  }

  /// `require: {event: P, before: Q}`.
  mutating func require(_ value: YAMLValue) -> Translation {
    guard var map = MapReader(value, "'require'", reading) else { return [] }
    let needed = map.required("event").map { reading.patterns($0) } ?? []
    let before = map.required("before").map { reading.patterns($0) } ?? []
    map.finish()
    guard !needed.isEmpty, !before.isEmpty else { return [] }
    let name = reading.freshFact("required \(number)")
    let isKeyed = !key.isEmpty && needed.allSatisfy { $0.carries(key) }
    let starts = scope?.starts ?? []
    facts.append(
      Fact(
        name, set: needed, clear: scope?.isKeyed == true ? starts : [],
        clearAll: scope?.isKeyed == true ? [] : starts, key: isKeyed ? key : []))
    return before.map { event in
      var event = subject(event)
      event.condition = reading.merged(event.condition, .not(.fact(name)))
      let names = needed.map { "'\(shown($0))'" }.joined(separator: " or ")
      return (nil, forbidden(event), "{what} came before \(names)")
    }
  }

  /// An event that must not occur; inside `between` it counts once the scope is closed.
  func forbidden(_ event: EventPattern, max: Amount = .fixed(0)) -> Pattern {
    closedByEnd(event)
      ?? .never(
        Never(event, per: unit ?? (key.isEmpty ? .event : .key), key: key, max: max))
  }

  /// Two events in brackets.
  func pair(_ value: YAMLValue, _ what: String) -> (EventPattern, EventPattern)? {
    let elements = reading.elements(value)
    guard elements.count == 2 else {
      reading.error(
        .badType, at: value.place, "\(what) has \(elements.count) events",
        expected: "two: [open, close]")
      return nil
    }
    let first = reading.pattern(elements[0])
    let second = reading.pattern(elements[1])
    guard let first, let second else { return nil }
    return (first, second)
  }

  private func subjectWithoutScope(_ pattern: EventPattern) -> EventPattern {
    var pattern = pattern
    if let whereValue {
      pattern.test = reading.merged(
        pattern.test, reading.fieldTest(whereValue, of: pattern.knownKinds))
    }
    return pattern
  }

  func shown(_ pattern: EventPattern) -> String {
    let names = pattern.kindNames
    return names.isEmpty ? "app_work" : names.joined(separator: " or ")
  }
}
