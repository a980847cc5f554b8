// The short forms of never, at_most, limit, lasts and order.

import TraceLifecycle
import TraceModel
import TraceRules

extension ShortForm {
  /// `never: E`.
  mutating func never(_ value: YAMLValue) -> Translation {
    let message = "{what} on {thread}"
    if value.entries != nil {
      guard var map = MapReader(value, "'never'", reading) else { return [] }
      let never = reading.never(&map, key: key, per: unit)
      map.finish()
      guard var never else { return [] }
      never.event = subject(never.event)
      if never.max == .fixed(0), let pattern = closedByEnd(never.event) {
        return [(nil, pattern, message)]
      }
      refuseStrict("'max'", at: value.entries?.first { $0.key == "max" }?.place)
      return [(nil, .never(never), message)]
    }
    // Kinds at the same end of their spans are one pattern; others are clauses of their own.
    let elements = reading.elements(value)
    let hasReturns = elements.contains { $0.text?.hasPrefix("<") == true || $0.entries != nil }
    let patterns =
      hasReturns ? reading.patterns(value) : reading.pattern(value).map { [$0] } ?? []
    return patterns.map { (nil, forbidden(subject($0)), message) }
  }

  /// `at_most: {event, count}`.
  mutating func atMost(_ value: YAMLValue) -> Translation {
    refuseStrict("'at_most'")
    guard var map = MapReader(value, "'at_most'", reading) else { return [] }
    let event = map.required("event").flatMap { reading.pattern($0) }
    let count = map.required("count").flatMap { reading.countAmount($0, "'count'") }
    map.finish()
    guard let event, let count else { return [] }
    // Each scope counts anew, and each in which there are too many is reported.
    let ends = scope?.starts.isEmpty == false ? scope?.ends ?? [] : []
    let unit = unit ?? (ends.isEmpty ? (key.isEmpty ? .launch : .key) : .event)
    let isPerKey = unit == .key || unit == .event
    let never = Never(
      subject(event), per: unit, key: key, max: count,
      resets: isPerKey ? scope.map { ends.isEmpty ? [] : $0.ends(keyedBy: key) } ?? [] : ends)
    return [(nil, .never(never), "{what} came more than {limit} times")]
  }

  /// `limit: {event, max, per: T}`, in short or in full.
  mutating func limit(_ value: YAMLValue) -> Translation {
    refuseBrackets("'limit'")
    guard var map = MapReader(value, "'limit'", reading) else { return [] }
    let event = map.required("event").flatMap { reading.pattern($0) }
    let max = map.required("max").flatMap {
      reading.countAmount($0, "'max'", most: Int64(MemoryBound.ringMax) - 1)
    }
    let ownKey = event.flatMap { reading.key(&map, of: [$0]) }
    var window = map.value("window")
    var ownUnit: ReportUnit?
    if let per = map.value("per") {
      if window == nil, per.text.map({ text in !Names.units.contains { $0.0 == text } }) ?? true {
        window = per
      } else {
        ownUnit = reading.unit(per, else: .launch)
      }
    } else if window == nil {
      map.reportMissing("window")
    }
    let sustained = map.value("for").flatMap { reading.durationAmount($0, "'for'") }
    let length = window.flatMap { reading.durationAmount($0, "'window'") }
    map.finish()
    guard let event, let max, let length else { return [] }
    let key = ownKey ?? self.key
    let many = if case .fixed(let max) = max { "more than \(max) times" } else { "too often" }
    return [
      (
        nil,
        .limit(
          Limit(
            subject(event), key: key, max: max, window: length, sustained: sustained,
            per: ownUnit ?? unit ?? (key.isEmpty ? .launch : .key))),
        "{what} came \(many) in {limit}"
      )
    ]
  }

  /// `lasts: {state or [open, close], max, min}`, in short or in full.
  mutating func lasts(_ value: YAMLValue) -> Translation {
    refuseBrackets("'lasts'")
    guard var map = MapReader(value, "'lasts'", reading) else { return [] }
    let message = "{what} took {duration}; the limit is {limit}"
    if map.has("span") || map.has("launch") || map.has("condition") {
      let lasts = reading.lasts(&map, on: clock)
      map.finish()
      guard var lasts else { return [] }
      if case .span(let spans) = lasts.subject { lasts.subject = .span(spans.map { subject($0) }) }
      return [(nil, .lasts(lasts), message)]
    }
    let state = map.value("state")
    let events = map.value("events")
    let max = map.value("max").flatMap { time($0, "'max'") }
    let min = map.value("min")
    let shortest = min.flatMap { time($0, "'min'") }
    map.finish()
    if let min, let max, let shortest, let longest = reading.fixed(max.amount),
      let least = reading.fixed(shortest.amount), least > longest
    {
      reading.error(
        .badDuration, at: min.place, "'min' is longer than 'max', so that nothing is right",
        expected: "no more than \(DurationWords.text(longest))")
    }
    if !map.has("max"), !map.has("min") {
      reading.error(
        .missingKey, at: map.place, "'lasts' has no limit", expected: "'max', 'min' or both")
      return []
    }
    if let events {
      guard let pair = pair(events, "'events'") else { return [] }
      return lasting(pair, max, shortest)
    }
    guard let state else {
      reading.error(
        .missingKey, at: map.place, "'lasts' has no subject",
        expected: "state, events, span, launch or condition")
      return []
    }
    if case .list = state.content {
      return pair(state, "'state'").map { lasting($0, max, shortest) } ?? []
    }
    if let min {
      reading.error(
        .unsupported, at: min.place, "the least length of a state can't be asked for",
        expected: "'events: [open, close]' with 'min'")
    }
    let read: Condition? = reading.condition(state, "'state'")
    guard let subject = reading.merged(read, inScope), read != nil, let max else { return [] }
    return [
      (
        nil, .lasts(Lasts(.condition(subject), max: max, per: unit ?? .event)),
        "it lasted longer than {limit}"
      )
    ]
  }

  /// From one event to another: not longer than `max`, not shorter than `min`.
  private mutating func lasting(
    _ pair: (EventPattern, EventPattern), _ max: Time?, _ min: Time?
  ) -> Translation {
    let open = subject(pair.0)
    var translation: Translation = []
    if let max {
      translation.append(
        (
          min == nil ? nil : "long",
          .expect(
            Expect(
              opens: [open], closes: [pair.1], key: key, due: [.within(max)], per: unit ?? .key)),
          "{what} lasted longer than {limit}"
        ))
    }
    if let min {
      let name = reading.freshFact("short \(number)")
      facts.append(Fact(name, set: [open], key: key, lasts: min))
      var close = pair.1
      close.condition = reading.merged(close.condition, .fact(name))
      translation.append(
        (
          max == nil ? nil : "short", .never(Never(close, per: unit ?? .event, key: key)),
          "{what} came too soon"
        ))
    }
    return translation
  }

  /// `order: {key, start, STATE: {event: STATE2}}`, in short or in full.
  mutating func order(_ value: YAMLValue) -> Translation {
    refuseBrackets("'order'")
    refuseWhere("'order'")
    guard var map = MapReader(value, "'order'", reading) else { return [] }
    let start = map.required("start")
    let startName = start.flatMap { reading.text($0, "'start'") }
    let keyValue = map.value("key")
    let ownUnit = map.value("per").map { reading.unit($0, else: .event) }
    var edges: [Order.Edge] = []
    let errorsBefore = reading.errorCount
    if let full = map.value("edges") {
      edges = reading.edges(full)
      map.finish()
    } else {
      edges = rows(&map, start: start)
    }
    let events = edges.map(\.event)
    let near = reading.argumentNames(of: events.flatMap(\.knownKinds))
    let ownKey = keyValue.map { reading.keyFields($0, among: near) } ?? key
    if edges.isEmpty, reading.errorCount == errorsBefore {
      reading.error(
        .missingKey, at: value.place, "'order' names no events",
        expected: "for each state a map of events and next states")
    }
    guard let startName, !edges.isEmpty, isSmall(edges, at: value.place) else { return [] }
    if inScope != nil {
      edges = edges.map { Order.Edge($0.from, scoped($0.event), $0.to) }
    }
    if reading.errorCount == errorsBefore {
      reportUnreachable(edges, start: startName, at: start?.place ?? map.place, in: value)
    }
    return [
      (
        nil,
        .order(Order(key: ownKey, start: startName, edges: edges, per: ownUnit ?? unit ?? .event)),
        "{what} came out of order"
      )
    ]
  }

  /// Whether the machine is as small as a machine that somebody wrote.
  private func isSmall(_ edges: [Order.Edge], at place: Place) -> Bool {
    let stateCount = Set(edges.flatMap { [$0.from, $0.to] }).count
    if stateCount > RuleFileLimits.orderStatesMax {
      reading.error(
        .tooMany, at: place, "'order' has \(stateCount) states",
        expected: "at most \(RuleFileLimits.orderStatesMax)")
    } else if edges.count > RuleFileLimits.orderEdgesMax {
      reading.error(
        .tooMany, at: place, "'order' has \(edges.count) edges",
        expected: "at most \(RuleFileLimits.orderEdgesMax)")
    } else {
      return true
    }
    return false
  }

  /// The rows of the short form. Every state has one; a last state has an empty one.
  private func rows(_ map: inout MapReader, start: YAMLValue?) -> [Order.Edge] {
    let rows = map.rest
    let names = rows.map(\.key)
    let states = Set(names)
    var edges: [Order.Edge] = []
    map.allow(names)
    if rows.count > RuleFileLimits.orderStatesMax {
      reading.error(
        .tooMany, at: map.place, "'order' has \(rows.count) states",
        expected: "at most \(RuleFileLimits.orderStatesMax)")
      return []
    }
    if rows.isEmpty {
      reading.error(
        .missingKey, at: map.place, "'order' has no states",
        expected: "for each state a map of events and next states")
    }
    if let start, let name = start.text, !rows.isEmpty, !states.contains(name) {
      reading.unknown(.unknownState, "state", name, at: start.place, among: names)
    }
    for row in rows {
      if row.value.isEmpty { continue }
      guard let entries = row.value.entries else {
        reading.error(
          .badType, at: row.value.place,
          "the state '\(PrintableScalars.shown(row.key))' is"
            + " \(row.value.description)", expected: "a map of events and next states")
        continue
      }
      for entry in entries {
        let event = YAMLValue(place: entry.place, content: .scalar(entry.key, .plain))
        let pattern = reading.pattern(event)
        guard let to = reading.text(entry.value, "a next state") else { continue }
        if !states.contains(to) {
          reading.unknown(.unknownState, "state", to, at: entry.value.place, among: names)
        }
        if let pattern { edges.append(Order.Edge(row.key, pattern, to)) }
      }
    }
    return edges
  }

  /// Warns of states to which no edges lead.
  private func reportUnreachable(
    _ edges: [Order.Edge], start: String, at place: Place, in value: YAMLValue
  ) {
    let next = Dictionary(grouping: edges, by: \.from)
    var reached: Set<String> = [start]
    var waiting = [start]
    while let state = waiting.popLast() {
      for edge in next[state] ?? [] where reached.insert(edge.to).inserted {
        waiting.append(edge.to)
      }
    }
    var reported: Set<String> = []
    for edge in edges where !reached.contains(edge.from) && reported.insert(edge.from).inserted {
      let row = value.entries?.first { $0.key == edge.from }
      reading.warning(
        .unreachableState, at: row?.place ?? place,
        "no events lead from '\(PrintableScalars.shown(start))' to the state"
          + " '\(PrintableScalars.shown(edge.from))'")
    }
  }
}
