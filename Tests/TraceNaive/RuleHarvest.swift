// What a rule speaks of, collected so that random traces speak of it too.

import TraceLifecycle
import TraceModel
import TraceRules

/// The words, kinds and numbers of a rule.
struct RuleHarvest {
  var patterns: [EventPattern] = []
  /// Times and limits, in nanoseconds where they are times.
  var thresholds: Set<Int64> = []
  var words: [ArgumentName: [ArgumentValue]] = [:]
  /// Arguments that the rule would rather not see.
  var avoided: Set<ArgumentName> = []
  var keys: Set<ArgumentName> = []
  var headerTests: [HeaderTest] = []
  var causes: [String] = []
  var codes: [UInt32] = []
  var wantsReasons = false

  private let rule: Rule

  init(_ rule: Rule) {
    self.rule = rule
    for parameter in rule.parameters { thresholds.insert(parameter.value) }
    for fact in rule.facts {
      add(fact.set + fact.clear + fact.clearAll)
      add(fact.key)
      add(fact.after)
      add(fact.lasts)
    }
    for clause in rule.clauses {
      if let test = clause.applies { headerTests.append(test) }
      if let escalation = clause.escalation {
        causes += escalation.causes
        codes += escalation.codes
        if let within = escalation.withinNanoseconds { thresholds.insert(within) }
        if escalation.causes.isEmpty && escalation.codes.isEmpty { causes.append("jetsam") }
      }
      add(clause.pattern)
    }
  }

  private mutating func add(_ pattern: Pattern) {
    switch pattern {
    case .never(let never):
      add([never.event])
      add(never.key)
      if never.lateNanoseconds > 0 { thresholds.insert(never.lateNanoseconds) }
    case .expect(let expect):
      add(expect.opens + expect.closes + expect.closesAll)
      add(expect.key)
      for due in expect.due { add(due) }
    case .lasts(let lasts):
      switch lasts.subject {
      case .span(let patterns): add(patterns)
      case .launch: break
      case .condition(let condition): add(condition)
      }
      add(lasts.max)
      if let upTo = lasts.upTo { add(Time(upTo)) }
      causes += lasts.killCauses
      codes += lasts.killCodes
    case .sums(let sums):
      add(sums.spans + sums.resets)
      add(sums.max)
    case .openAtMost(let most):
      add(most.opens + most.closes + most.closesAll + most.at)
      add(most.key)
      if let weight = most.weight, let max = limit(most.max) {
        add(weight, [.integer(max), .integer(max / 2), .integer(max / 2 + 1), .integer(1)])
      }
    case .limit(let limit):
      add([limit.event])
      add(limit.key)
      add(Time(limit.window))
    case .order(let order):
      add(order.edges.map(\.event))
      add(order.key)
    case .header(let test): headerTests.append(test)
    case .handWritten(let written, because: _): add(written)
    }
  }

  private mutating func add(_ due: Due) {
    switch due {
    case .within(let time): add(time)
    case .at(let patterns), .atSameKey(let patterns): add(patterns)
    case .after(let patterns, let time, orSuspension: _, let unless):
      add(patterns + unless)
      add(time)
    case .processEnd(let patterns, orNewStart: _, while: let condition):
      add(patterns)
      if let condition { add(condition) }
    case .graceEnd: wantsReasons = true
    case .suspension, .recordingEnd: break
    }
  }

  private mutating func add(_ patterns: [EventPattern]) {
    for pattern in patterns where !self.patterns.contains(pattern) {
      self.patterns.append(pattern)
      if let test = pattern.test { add(test) }
      if let condition = pattern.condition { add(condition) }
      if let key = pattern.key { add(key) }
    }
  }

  private mutating func add(_ key: [KeyField]) {
    for case .argument(let name) in key { keys.insert(name) }
  }

  private mutating func add(_ time: Time?) {
    switch time?.amount {
    case .fixed(let number)?: thresholds.insert(number)
    case .argument(let name, unitNanoseconds: _)?: add(name, [.integer(1), .integer(2)])
    default: break
    }
  }

  private func limit(_ amount: Amount) -> Int64? {
    switch amount {
    case .fixed(let number): number
    case .parameter(let name): rule.parameters.first { $0.name == name }?.value
    case .argument, .large: nil
    }
  }

  private mutating func add(_ name: ArgumentName, _ values: [ArgumentValue]) {
    words[name, default: []] += values.filter { !(words[name] ?? []).contains($0) }
  }

  private mutating func add(_ test: FieldTest) {
    switch test {
    case .isText(let name, let texts): add(name, texts.map { .string($0) })
    case .isTrue(let name), .isFalse(let name): add(name, [.boolean(true), .boolean(false)])
    case .isPresent: break
    case .compare(let name, _, let amount):
      let number = limit(amount) ?? 1
      add(name, [.integer(number - 1), .integer(number), .integer(number + 1)])
      add(name, [.number(Double(number) + 0.5)])
    case .matches(let name, let pattern):
      let text = pattern.replacing("*", with: "x").replacing("?", with: "y")
      add(name, [.string(text), .string(text + "z"), .string("")])
    case .isInHeader(let name, let field), .isNotInHeader(let name, let field):
      add(name, [.string("audio"), .string("fetch"), .string("a")])
      headerTests += [.has(field, "audio"), .has(field, "a")]
    case .not(let inner):
      avoid(inner)
      add(inner)
    case .all(let tests), .any(let tests): for test in tests { add(test) }
    }
  }

  private mutating func avoid(_ test: FieldTest) {
    switch test {
    case .isText(let name, _), .isTrue(let name), .isFalse(let name), .isPresent(let name):
      avoided.insert(name)
    default: break
    }
  }

  private mutating func add(_ condition: Condition) {
    switch condition {
    case .mayRun, .hasReason: wantsReasons = true
    case .header(let test): headerTests.append(test)
    case .factOf(_, let fields): add(fields)
    case .isTold(let name): add([.argument(name)])
    case .not(let inner): add(inner)
    case .all(let parts), .any(let parts): for part in parts { add(part) }
    default: break
    }
  }
}
