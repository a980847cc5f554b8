// Rules with one mistake each: every number, event and state of a pattern changed once. Examples
// that don't notice a change don't show what the pattern says.

import TraceLifecycle
import TraceModel
import TraceRules

/// A rule with one atom of its patterns changed.
struct Mutant {
  var name: String
  var rule: Rule

  /// Every mutant of a rule.
  static func all(of rule: Rule) -> [Mutant] {
    var mutants: [Mutant] = []
    while true {
      var mutator = Mutator(target: mutants.count)
      let changed = mutator.rule(rule)
      guard let name = mutator.name else { return mutants }
      mutants.append(Mutant(name: "\(rule.id): \(name)", rule: changed))
    }
  }
}

/// Walks through a rule and changes the atom with a number.
private struct Mutator {
  let target: Int
  var count = 0
  /// What was changed; nil if the rule has fewer atoms.
  var name: String?

  init(target: Int) { self.target = target }

  private mutating func isTarget() -> Bool {
    defer { count += 1 }
    return count == target
  }

  mutating func rule(_ rule: Rule) -> Rule {
    var rule = rule
    for index in rule.parameters.indices where isTarget() {
      name = "parameter \(rule.parameters[index].name) + 1"
      rule.parameters[index].value += 1
    }
    rule.facts = rule.facts.map { fact($0) }
    rule.clauses = rule.clauses.map { clause in
      var clause = clause
      clause.pattern = pattern(clause.pattern)
      if let within = clause.escalation?.withinNanoseconds {
        clause.escalation?.withinNanoseconds = number(within, "escalation")
      }
      return clause
    }
    return rule
  }

  // MARK: Atoms

  private mutating func number(_ value: Int64, _ what: String) -> Int64 {
    guard isTarget() else { return value }
    name = "\(what) \(value) + 1"
    return value + 1
  }

  private mutating func amount(_ amount: Amount, _ what: String) -> Amount {
    if case .fixed(let value) = amount { .fixed(number(value, what)) } else { amount }
  }

  private mutating func time(_ time: Time, _ what: String) -> Time {
    var time = time
    time.amount = amount(time.amount, what)
    time.states = time.states.map { states($0, what) }
    return time
  }

  private mutating func states(
    _ states: Set<LifecycleState>, _ what: String
  ) -> Set<LifecycleState> {
    var result = states
    for state in states.sorted(by: { $0.rawValue < $1.rawValue }) where isTarget() {
      name = "\(what): state \(state.symbol) is another"
      result.remove(state)
      result.insert(state == .notRunning ? .active : .notRunning)
    }
    return result
  }

  private mutating func kinds(_ selector: KindSelector, _ what: String) -> KindSelector {
    guard case .kinds(let kinds) = selector else { return selector }
    return .kinds(
      kinds.map { kind in
        guard isTarget() else { return kind }
        name = "\(what): \(Vocabulary.description(of: kind)?.name ?? "?") is another kind"
        return EventKind(rawValue: 250)
      })
  }

  // MARK: Nodes

  private mutating func pattern(_ event: EventPattern, _ what: String) -> EventPattern {
    var event = event
    event.kinds = kinds(event.kinds, what)
    event.test = event.test.map { test($0, what) }
    event.condition = event.condition.map { condition($0, what) }
    return event
  }

  private mutating func patterns(_ events: [EventPattern], _ what: String) -> [EventPattern] {
    events.map { pattern($0, what) }
  }

  private mutating func test(_ test: FieldTest, _ what: String) -> FieldTest {
    switch test {
    case .compare(let name, let comparison, let amount):
      .compare(name, comparison, self.amount(amount, what))
    case .not(let inner): .not(self.test(inner, what))
    case .all(let parts): .all(parts.map { self.test($0, what) })
    case .any(let parts): .any(parts.map { self.test($0, what) })
    default: test
    }
  }

  private mutating func condition(_ condition: Condition, _ what: String) -> Condition {
    switch condition {
    case .phase(let set): .phase(states(set, what))
    case .wasPhase(let set): .wasPhase(states(set, what))
    case .header(let test): .header(header(test, what))
    case .not(let inner): .not(self.condition(inner, what))
    case .all(let parts): .all(parts.map { self.condition($0, what) })
    case .any(let parts): .any(parts.map { self.condition($0, what) })
    default: condition
    }
  }

  private mutating func header(_ test: HeaderTest, _ what: String) -> HeaderTest {
    switch test {
    case .system(let major, let minor): .system(Int(number(Int64(major), what)), minor)
    case .sdk(let major, let minor): .sdk(Int(number(Int64(major), what)), minor)
    case .not(let inner): .not(header(inner, what))
    case .all(let parts): .all(parts.map { header($0, what) })
    case .any(let parts): .any(parts.map { header($0, what) })
    default: test
    }
  }

  private mutating func fact(_ fact: Fact) -> Fact {
    var fact = fact
    let what = "fact “\(fact.name)”"
    fact.set = patterns(fact.set, "\(what) set")
    fact.clear = patterns(fact.clear, "\(what) clear")
    fact.clearAll = patterns(fact.clearAll, "\(what) clearAll")
    fact.after = fact.after.map { time($0, "\(what) after") }
    fact.lasts = fact.lasts.map { time($0, "\(what) lasts") }
    return fact
  }

  private mutating func pattern(_ pattern: Pattern) -> Pattern {
    switch pattern {
    case .never(let never): .never(self.never(never))
    case .expect(let expect): .expect(self.expect(expect))
    case .lasts(let lasts): .lasts(self.lasts(lasts))
    case .sums(let sums): .sums(self.sums(sums))
    case .openAtMost(let most): .openAtMost(openAtMost(most))
    case .limit(let limit): .limit(self.limit(limit))
    case .order(let order): .order(self.order(order))
    case .header(let test): .header(header(test, "header"))
    case .handWritten: pattern
    }
  }

  private mutating func never(_ never: Never) -> Never {
    var never = never
    never.event = pattern(never.event, "never")
    never.max = amount(never.max, "never max")
    never.resets = patterns(never.resets, "never resets")
    if never.lateNanoseconds > 0 {
      never.lateNanoseconds = number(never.lateNanoseconds, "never late")
    }
    return never
  }

  private mutating func expect(_ expect: Expect) -> Expect {
    var expect = expect
    expect.opens = patterns(expect.opens, "opens")
    expect.closes = patterns(expect.closes, "closes")
    expect.closesAll = patterns(expect.closesAll, "closesAll")
    if expect.closesNeeded != .fixed(1) {
      expect.closesNeeded = amount(expect.closesNeeded, "closes needed")
    }
    expect.due = expect.due.map { due in
      switch due {
      case .within(let time): .within(self.time(time, "within"))
      case .at(let events): .at(patterns(events, "due at"))
      case .atSameKey(let events): .atSameKey(patterns(events, "due at same key"))
      case .after(let events, let time, let orSuspension, let unless):
        .after(
          patterns(events, "due after"), self.time(time, "due after"),
          orSuspension: orSuspension, unless: patterns(unless, "unless"))
      case .processEnd(let events, let orNewStart, let condition):
        .processEnd(
          patterns(events, "process end"), orNewStart: orNewStart,
          while: condition.map { self.condition($0, "process end") })
      case .suspension, .graceEnd, .recordingEnd: due
      }
    }
    return expect
  }

  private mutating func lasts(_ lasts: Lasts) -> Lasts {
    var lasts = lasts
    switch lasts.subject {
    case .span(let events): lasts.subject = .span(patterns(events, "lasts"))
    case .launch: break
    case .condition(let condition): lasts.subject = .condition(self.condition(condition, "lasts"))
    }
    lasts.max = time(lasts.max, "lasts max")
    lasts.upTo = lasts.upTo.map { amount($0, "lasts up to") }
    lasts.killCodes = lasts.killCodes.map {
      UInt32(truncatingIfNeeded: number(Int64($0), "kill code"))
    }
    return lasts
  }

  private mutating func sums(_ sums: Sums) -> Sums {
    var sums = sums
    sums.spans = patterns(sums.spans, "sums")
    sums.resets = patterns(sums.resets, "sums resets")
    sums.max = time(sums.max, "sums max")
    return sums
  }

  private mutating func openAtMost(_ most: OpenAtMost) -> OpenAtMost {
    var most = most
    most.opens = patterns(most.opens, "opens")
    most.closes = patterns(most.closes, "closes")
    most.closesAll = patterns(most.closesAll, "closesAll")
    most.at = patterns(most.at, "at")
    most.max = amount(most.max, "max")
    return most
  }

  private mutating func limit(_ limit: Limit) -> Limit {
    var limit = limit
    limit.event = pattern(limit.event, "limit")
    limit.max = amount(limit.max, "limit max")
    limit.window = amount(limit.window, "limit window")
    limit.sustained = limit.sustained.map { amount($0, "limit sustained") }
    return limit
  }

  private mutating func order(_ order: Order) -> Order {
    var order = order
    order.edges = order.edges.map { edge in
      var edge = edge
      edge.event = pattern(edge.event, "edge \(edge.from) to \(edge.to)")
      return edge
    }
    return order
  }
}
