// Whether an event matches a pattern: kinds, edges, arguments, keys and numbers.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Whether an event matches; nil if that isn't known.
  func matches(_ pattern: EventPattern, _ point: Standpoint) -> Bool? {
    let event = events[point.place]
    if event.isVoid { return false }
    let isOfKind: Bool?
    switch pattern.kinds {
    case .kinds(let kinds):
      isOfKind =
        pattern.isLiteral
        ? kinds.contains(event.kind)
        : Kleene.any(kinds) { trace.isCallback($0, at: point.place) }
    case .named(let names): isOfKind = !event.kind.isKnown && names.contains(event.name)
    case .appWork: isOfKind = event.isAppWork
    }
    guard isOfKind != false else { return false }
    let edges: [Phase]
    switch pattern.edge {
    case .begin: edges = [.instant, .enter]
    case .end: edges = [.instant, .return]
    case .any: edges = [.instant, .enter, .return]
    }
    guard edges.contains(event.phase) else { return false }
    if let test = pattern.test, !passes(test, point.place) { return false }
    return Kleene.all([isOfKind, pattern.condition.map { holds($0, point) } ?? true]) { $0 }
  }

  func matchesAny(_ patterns: [EventPattern], _ point: Standpoint) -> Bool? {
    Kleene.any(patterns) { matches($0, point) }
  }

  /// Whether an event matches, where the key at hand is its own by these fields.
  func matches(_ pattern: EventPattern, keyedBy fields: [KeyField], _ point: Standpoint) -> Bool? {
    let own = pattern.key ?? fields
    return matches(pattern, point.judging(key(own, at: point.place), own))
  }

  func matchesAny(
    _ patterns: [EventPattern], keyedBy fields: [KeyField], _ point: Standpoint
  ) -> Bool? {
    Kleene.any(patterns) { matches($0, keyedBy: fields, point) }
  }

  /// Notes that what was counted up to a place may be too little: events were lost before it, or
  /// never recorded.
  func noteLosses(before place: Int) {
    if events[...place].contains(where: { $0.losesTrack }) { isUnknown = true }
  }

  /// The key that an event has for a pattern that it matches.
  func key(_ pattern: EventPattern, _ fields: [KeyField], at place: Int) -> [NaiveKey] {
    key(pattern.key ?? fields, at: place)
  }

  func key(_ fields: [KeyField], at place: Int) -> [NaiveKey] {
    fields.map { field in
      switch field {
      case .argument(let name): NaiveKey(argument(name, at: place))
      case .thread: .thread(events[place].thread)
      }
    }
  }

  /// Whether an event says nothing of what tells keys apart.
  func isWithoutKey(_ fields: [KeyField], at place: Int) -> Bool {
    !fields.isEmpty && key(fields, at: place).allSatisfy { $0 == .absent }
  }

  /// An argument of an event, at a return also of its enter.
  func argument(_ name: ArgumentName, at place: Int) -> ArgumentValue? {
    guard let text = name.knownText else { return nil }
    if let own = events[place].arguments[text] { return own }
    return trace.enters[place].flatMap { events[$0].arguments[text] }
  }

  // MARK: Tests

  func passes(_ test: FieldTest, _ place: Int) -> Bool {
    func text(_ name: ArgumentName) -> String? {
      if case .string(let text)? = argument(name, at: place) { text } else { nil }
    }
    switch test {
    case .isText(let name, let texts): return text(name).map(texts.contains) ?? false
    case .isTrue(let name): return argument(name, at: place) == .boolean(true)
    case .isFalse(let name): return argument(name, at: place) == .boolean(false)
    case .isPresent(let name): return argument(name, at: place) != nil
    case .compare(let name, let comparison, let amount):
      guard let own = argument(name, at: place), let left = own.double,
        let right = double(amount, at: place)
      else { return false }
      // Whole numbers are compared digit by digit, as doubles run out of them.
      if let left = own.decimal, let right = decimal(amount, at: place) {
        return comparison.holds(left, right)
      }
      return comparison.holds(left, right)
    case .matches(let name, let pattern):
      return text(name).map { Self.glob(Array(pattern), Array($0)) } ?? false
    case .isInHeader(let name, let field):
      guard let own = text(name), let list = trace.header.strings(field) else { return false }
      return list.contains(own)
    case .isNotInHeader(let name, let field):
      guard let own = text(name), let list = trace.header.strings(field) else { return false }
      return !list.contains(own)
    case .not(let inner): return !passes(inner, place)
    case .all(let tests): return tests.allSatisfy { passes($0, place) }
    case .any(let tests): return tests.contains { passes($0, place) }
    }
  }

  private static func glob(_ pattern: [Character], _ text: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    if first == "*" {
      return (0...text.count).contains { glob(rest, Array(text.dropFirst($0))) }
    }
    guard let letter = text.first, first == "?" || first == letter else { return false }
    return glob(rest, Array(text.dropFirst()))
  }

  // MARK: Numbers

  /// A number that a pattern compares with; nil if the event doesn't say.
  func number(_ amount: Amount, at place: Int) -> Int64? {
    switch amount {
    case .fixed(let number): return number
    case .large: return .max
    case .parameter(let name): return rule.parameters.first { $0.name == name }?.value
    case .argument(let name, let unit):
      guard let value = argument(name, at: place)?.double else { return nil }
      let product = value * Double(unit)
      guard product.isFinite else { return nil }
      return product >= 9.2e18 ? .max : product <= -9.2e18 ? .min : Int64(product)
    }
  }

  private func double(_ amount: Amount, at place: Int) -> Double? {
    if case .argument(let name, let unit) = amount {
      return argument(name, at: place)?.double.map { $0 * Double(unit) }
    }
    if case .large(let number) = amount { return Double(number) }
    return number(amount, at: place).map { Double($0) }
  }

  private func decimal(_ amount: Amount, at place: Int) -> NaiveDecimal? {
    switch amount {
    case .argument: nil
    case .large(let number): NaiveDecimal("\(number)")
    case .fixed, .parameter: number(amount, at: place).map { NaiveDecimal("\($0)") }
    }
  }

  // MARK: Clocks

  private func reading(_ clock: Clock, _ model: LifecycleModel, at time: Int64) -> Int64 {
    switch clock {
    case .run: model.runTimeNanoseconds(at: time)
    case .watchdog: model.watchdogTimeNanoseconds(at: time)
    case .continuous: time
    }
  }

  /// The time on a clock from an event to a later one; to just before the life cycle takes it, or
  /// to just after.
  func elapsed(_ time: Time, from: Int, to: Int, isTaken: Bool) -> Int64 {
    var sum: Int64 = 0
    for place in from..<max(from, to) {
      let next = events[place + 1]
      if let states = time.states, !states.contains(events[place].stateAfter) { continue }
      let model = place + 1 < to || isTaken ? next.model : next.modelBefore
      let end = reading(time.clock, model, at: next.time)
      sum = sum.plus(end.minus(reading(time.clock, events[place].model, at: events[place].time)))
    }
    return sum
  }

  /// When so much time has passed since an event, if it has before this event is taken.
  func deadline(_ time: Time, from: Int, passedAt place: Int, opening: Int) -> Int64? {
    guard let limit = number(time.amount, at: opening) else { return nil }
    let elapsed = elapsed(time, from: from, to: place, isTaken: false)
    return elapsed > limit ? events[place].time.minus(elapsed.minus(limit)) : nil
  }
}
