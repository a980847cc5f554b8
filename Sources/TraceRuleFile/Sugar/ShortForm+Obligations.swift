// The short forms that become `Expect`: paired, after … expect, holds, at_least, require.

import TraceLifecycle
import TraceModel
import TraceRules

extension ShortForm {
  /// What a short form becomes: patterns with the words that tell them apart.
  typealias Translation = [(reason: String?, pattern: Pattern, message: String)]

  /// What is due at a clean end: then what is open stays so.
  private static let dueAtEnd: [Due] = [
    .processEnd([.on(.procExit)], orNewStart: false, while: nil), .recordingEnd,
  ]

  /// When what was opened is due. Where nothing else is said that is the end too: after a clean
  /// one nothing comes any more. `between` is closed by its end only.
  private mutating func due(_ map: inout MapReader) -> [Due] {
    var due: [Due] = []
    if let within = map.value("within") {
      if scope?.isStrict == true {
        strictTime = time(within, "'within' with 'between'")
      } else if let time = time(within, "'within'") {
        due.append(.within(time))
      }
    }
    if let before = map.value("before") {
      refuseStrict("'before'", at: map.place(of: "before"))
      let events = reading.patterns(before)
      let isKeyed = !key.isEmpty && events.allSatisfy { $0.carries(key) }
      if !events.isEmpty { due.append(isKeyed ? .atSameKey(events) : .at(events)) }
    }
    if let scope, !scope.ends.isEmpty { due.append(scope.due) }
    let atEnd = map.value("at_end").flatMap {
      reading.word($0, "word for 'at_end'", among: [("leak", true), ("ok", false)])
    }
    mayStayOpen = atEnd == false
    if atEnd ?? (!map.has("before") && scope?.isStrict != true) { due += Self.dueAtEnd }
    if due.isEmpty, map.has("at_end") {
      reading.warning(
        .vacuous, at: map.place(of: "at_end"), "nothing is ever due",
        expected: "'before', 'within', or 'at_end: leak'")
    }
    return due
  }

  /// Opens and closes such that what is closed too late stays open until `between` is closed.
  ///
  /// A fact tells what is late: it is asked before the other one hears that something waits, so
  /// that a second opening doesn't count the time anew, unless that is wanted.
  private mutating func timed(
    _ opens: [EventPattern], _ closes: [EventPattern], key: [KeyField], replaces: Bool = false
  ) -> (opens: [EventPattern], closes: [EventPattern]) {
    guard let time = strictTime, let scope else { return (opens, closes) }
    let late = reading.freshFact("late \(number)")
    let waiting = reading.freshFact("waiting \(number)")
    func changed(_ patterns: [EventPattern], _ condition: Condition) -> [EventPattern] {
      patterns.map { pattern in
        var pattern = pattern
        pattern.condition = reading.merged(pattern.condition, condition)
        return pattern
      }
    }
    let inTime = changed(closes, .not(.fact(late)))
    let isAlone: Condition =
      replaces ? .any([.not(.fact(waiting)), .not(.fact(late))]) : .not(.fact(waiting))
    let ends = scope.isKeyed ? scope.ends : []
    let endsOfAll = scope.isKeyed ? [] : scope.ends
    facts += [
      Fact(
        late, set: changed(opens, isAlone), clear: ends, clearAll: endsOfAll, key: key,
        after: time),
      Fact(waiting, set: opens, clear: inTime + ends, clearAll: endsOfAll, key: key),
    ]
    return (changed(opens, .not(.fact(late))), inTime)
  }

  /// `paired: {open, close, key, reopen}`.
  mutating func paired(_ value: YAMLValue, _ clause: inout MapReader) -> Translation {
    let due = due(&clause)
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
    if reopen == "error" { refuseStrict("'reopen: error'", at: map.place(of: "reopen")) }
    map.finish()
    guard let open, let close else { return [] }
    let opens = subject(open)
    if reopen == "nest", strictTime != nil {
      refuseStrict("'reopen: nest' with 'within'", at: value.place)
    }
    let (timedOpens, timedCloses) = timed(
      [opens], [close], key: key, replaces: reopen == "replace")
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
            opens: timedOpens, closes: timedCloses, key: key, reopening: reopening, due: due,
            per: unit ?? .key, isUndecidedIfCutOff: scope?.isStrict == true,
            mayStayOpen: mayStayOpen)),
        "{what} was not followed by '\(shown(close))' in time"
      )
    ]
    if reopen == "nest", opens.test == nil, opens.condition == nil {
      translation.append(surplus(opens, close, key: key))
    }
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

  /// A close where as many closes as opens came before it. The first fact is asked before the close
  /// counts; the last one holds in a launch of which nothing is missing.
  private mutating func surplus(
    _ open: EventPattern, _ close: EventPattern, key: [KeyField]
  ) -> (reason: String?, pattern: Pattern, message: String) {
    let surplus = reading.freshFact("surplus \(number)")
    let held = reading.freshFact("nested \(number)")
    let whole = reading.freshFact("whole \(number)")
    func closing(_ condition: Condition) -> EventPattern {
      var pattern = close
      pattern.condition = reading.merged(pattern.condition, condition)
      return pattern
    }
    facts += [
      Fact(
        surplus, set: [closing(.all([.not(.fact(held)), .fact(whole)]))],
        clear: [open, closing(.fact(held))], key: key),
      Fact(held, set: [open], clear: [close], key: key, nests: true),
      Fact(whole, set: [], initially: true),
    ]
    let never = Never(closing(.fact(surplus)), per: unit ?? .event, key: key)
    return ("unbalanced", .never(never), "{what} closes what was not open")
  }

  /// `after: A`, `expect: B`, `within: T`.
  mutating func answered(_ value: YAMLValue, _ clause: inout MapReader) -> Translation {
    let due = due(&clause)
    let closes = reading.patterns(value)
    guard let after = clause.required("after") else { return [] }
    let opens = reading.patterns(after).map { subject($0) }
    guard !opens.isEmpty, !closes.isEmpty else { return [] }
    let names = closes.map { "'\(shown($0))'" }.joined(separator: " or ")
    let (timedOpens, timedCloses) = timed(opens, closes, key: key)
    return [
      (
        nil,
        .expect(
          Expect(
            opens: timedOpens, closes: timedCloses, key: key, due: due, per: unit ?? .key,
            isUndecidedIfCutOff: scope?.isStrict == true, mayStayOpen: mayStayOpen)),
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
    let acquire = subjectWithoutScope(pair.0)
    let held = reading.freshFact("held \(number)")
    facts.append(Fact(held, set: [acquire], clear: [pair.1], key: key))
    func moments(_ condition: Condition) -> [EventPattern] {
      at.map { event in
        var event = scoped(event)
        event.condition = reading.merged(event.condition, condition)
        return event
      }
    }
    let names = at.map { shown($0) }.joined(separator: "', '")
    if scope?.isStrict == true {
      return moments(.anyFact(held)).compactMap { closedByEnd($0) }
        .map { (nil, $0, "'\(shown(pair.0))' was still held at {what}") }
    }
    let expect = Expect(
      opens: [acquire], closes: [pair.1], key: key, due: [.at(at.map { scoped($0) })],
      per: unit ?? .key)
    // Never so; but where nobody knows what is held, nobody knows this either.
    let isUnknown = Condition.all([.anyFact(held), .not(.anyFact(held))])
    return [(nil, .expect(expect), "{what} was still held at '\(names)'")]
      + moments(isUnknown).map { (nil, .never(Never($0, per: .event)), "{what} while held") }
  }

  /// `at_least: {event, count}` in a scope that begins and ends.
  mutating func atLeast(_ value: YAMLValue) -> Translation {
    guard var map = MapReader(value, "'at_least'", reading) else { return [] }
    let event = map.required("event").flatMap { reading.pattern($0) }
    let count = map.value("count").flatMap { reading.countAmount($0, "'count'", least: 1) }
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
    // A second beginning inside the scope changes nothing: the first fact is asked before the
    // other one hears of it.
    let first = reading.freshFact("first \(number)")
    func start(_ condition: Condition) -> EventPattern {
      var pattern = scope.starts[0]
      pattern.condition = reading.merged(pattern.condition, condition)
      return pattern
    }
    let scopeKey = scope.isKeyed ? key : []
    facts.insert(
      Fact(
        first, set: [start(.not(.fact(scope.name)))], clear: [start(.fact(scope.name))],
        key: scopeKey), at: 0)
    var opens = start(.fact(first))
    opens.condition = reading.merged(opens.condition, condition)
    return [
      (
        nil,
        .expect(
          Expect(
            opens: [opens], closes: [closes], key: scopeKey,
            closesNeeded: count ?? .fixed(1),
            due: [scope.due] + (scope.isStrict ? [] : Self.dueAtEnd), per: unit ?? .event,
            isUndecidedIfCutOff: scope.isStrict)),
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
    facts.append(required(name, needed, isKeyed: isKeyed))
    return before.map { event in
      var event = subject(event)
      event.condition = reading.merged(event.condition, .not(.fact(name)))
      let names = needed.map { "'\(shown($0))'" }.joined(separator: " or ")
      return (nil, forbidden(event), "{what} came before \(names)")
    }
  }

  /// What was asked for and came inside the scope, until that ends.
  private func required(_ name: String, _ needed: [EventPattern], isKeyed: Bool) -> Fact {
    var fact = Fact(name, set: needed, key: isKeyed ? key : [])
    guard let scope, !scope.starts.isEmpty else { return fact }
    // What doesn't say for which key it comes is for all that are open.
    let isForAll = scope.isKeyed && !isKeyed
    fact.set = needed.map { event in
      var event = event
      event.condition = reading.merged(
        event.condition, isForAll ? .anyFact(scope.name) : .fact(scope.name))
      return event
    }
    let ends = scope.ends.map { end in
      var end = end
      if isForAll { end.condition = reading.merged(end.condition, .not(.anyFact(scope.name))) }
      return end
    }
    if scope.isKeyed && isKeyed { fact.clear = ends } else { fact.clearAll = ends }
    return fact
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
