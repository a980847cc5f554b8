// Makes conditions from expressions: `while: phase == background and not may_run`.

import TraceLifecycle
import TraceModel
import TraceRules

extension Reading {
  /// A condition at a moment.
  func condition(_ value: YAMLValue, _ what: String = "'while'") -> Condition? {
    guard let expression = expression(value, what) else { return nil }
    let errorsBefore = errorCount
    let condition = ConditionReader(reading: self, value: value, what: what).condition(expression)
    if let condition, errorCount == errorsBefore, let why = Contradiction.of(condition) {
      warning(
        .vacuous, at: place(of: value, at: expression.offset), "\(what) never holds: \(why)",
        expected: "a condition that holds at some time")
    }
    return condition
  }
}

/// Gives the words of an expression their meaning as conditions.
struct ConditionReader {
  let reading: Reading
  let value: YAMLValue
  let what: String

  /// Words that are conditions of their own.
  static let words: [(String, Condition)] = [
    ("may_run", .mayRun), ("is_locked", .isLocked), ("is_refresh_off", .isRefreshOff),
    ("was_launched_into_background", .wasLaunchedIntoBackground), ("is_on_main", .isOnMain),
  ]
  /// Words that are compared with something.
  static let compared = ["phase", "was_phase", "reason"]

  func condition(_ expression: Expression) -> Condition? {
    switch expression {
    case .not(let part): return condition(part).map { .not($0) }
    case .all(let parts): return conditions(parts).map { .all($0) }
    case .any(let parts): return conditions(parts).map { .any($0) }
    case .compare(let name, .equal, let term): return isOneOf(name, [term])
    case .compare(let name, .notEqual, let term): return isOneOf(name, [term]).map { .not($0) }
    case .isIn(let name, let terms, let isNegated):
      return isOneOf(name, terms).map { isNegated ? .not($0) : $0 }
    case .nested(_, let test):
      return HeaderTestReader(reading: reading, value: value).test(test).map { .header($0) }
    case .term(let term): return single(term)
    case .compare(let name, let comparison, _):
      report(name, "states can't be compared with \(comparison.rawValue)", expected: "== or in")
      return nil
    case .isInHeader(let name, _, _), .matches(let name, _), .has(let name, _):
      report(name, "a condition can't be asked so", expected: "==, != or in")
      return nil
    }
  }

  private func conditions(_ parts: [Expression]) -> [Condition]? {
    let conditions = parts.map { condition($0) }
    let known = conditions.compactMap { $0 }
    return known.count == conditions.count ? known : nil
  }

  private func isOneOf(_ name: Term, _ terms: [Term]) -> Condition? {
    switch name.content {
    case .word("phase"): return states(terms).map { .phase($0) }
    case .word("was_phase"): return states(terms).map { .wasPhase($0) }
    case .word("reason"):
      let reasons: [RunReason]? = values(terms, "reason to run", Names.reasons, .badWord)
      return reasons.map { .hasReason(Set($0)) }
    default:
      reading.unknown(
        .unknownState, "state", name.shown, at: reading.place(of: value, at: name.offset),
        among: Self.compared)
      return nil
    }
  }

  private func states(_ terms: [Term]) -> Set<LifecycleState>? {
    let states: [LifecycleState]? = values(terms, "phase", Names.states, .unknownState)
    return states.map { Set($0) }
  }

  private func values<Value>(
    _ terms: [Term], _ what: String, _ words: [(String, Value)], _ code: RuleFileProblem.Code
  ) -> [Value]? {
    var values: [Value] = []
    for term in terms {
      let text = term.text ?? term.shown
      if let known = words.first(where: { $0.0 == text }) {
        values.append(known.1)
      } else {
        reading.unknown(
          code, what, text, at: reading.place(of: value, at: term.offset), among: words.map(\.0))
      }
    }
    return values.count == terms.count ? values : nil
  }

  private func single(_ term: Term) -> Condition? {
    switch term.content {
    case .call("fact", let terms) where !terms.isEmpty:
      guard let name = fact(terms[0]) else { return nil }
      if terms.count == 1 { return .fact(name) }
      let fields = terms.dropFirst().map { field in
        reading.keyField(field.text ?? field.shown, at: reading.place(of: value, at: field.offset))
      }
      let known = fields.compactMap { $0 }
      guard known.count == fields.count, isKeyed(name, by: known.count, terms[0]) else {
        return nil
      }
      return .factOf(name, known)
    case .call("told", let terms) where terms.count == 1:
      let field = reading.keyField(
        terms[0].text ?? terms[0].shown, at: reading.place(of: value, at: terms[0].offset))
      guard case .argument(let name)? = field else { return nil }
      return .isTold(name)
    case .call("any_fact", let terms) where terms.count == 1:
      return fact(terms[0]).map { .anyFact($0) }
    case .call(let name, _):
      reading.unknown(
        .badWhere, "condition", name + "(…)", at: reading.place(of: value, at: term.offset),
        among: ["fact(…)", "any_fact(…)", "told(…)", "header(…)"])
      return nil
    case .word(let word):
      if let known = Self.words.first(where: { $0.0 == word }) {
        // The grace after the last reason to run is the rule's parameter of this name.
        if case .mayRun = known.1 { reading.usedParameters.insert("grace") }
        return known.1
      }
      return fact(term).map { .fact($0) }
    case .quoted: return fact(term).map { .fact($0) }
    case .number, .parameter:
      report(term, "'\(term.shown)' is no condition", expected: "a state or a fact")
      return nil
    }
  }

  /// Whether a fact is asked for with as many fields as its key has.
  private func isKeyed(_ name: String, by count: Int, _ term: Term) -> Bool {
    guard let own = reading.factKeyCounts[name], own != count else { return true }
    let shown = PrintableScalars.shown(name)
    report(
      term,
      own == 0
        ? "the fact '\(shown)' has no key" : "the key of the fact '\(shown)' has \(own) fields",
      expected: own == 0
        ? "'fact(\"\(shown)\")' alone, or a 'key' of the fact" : "\(own) fields")
    return false
  }

  private func fact(_ term: Term) -> String? {
    let name = term.text ?? term.shown
    if reading.factNames.contains(name) { return name }
    let facts = reading.factNames
    let nearest =
      reading.nearest(to: name, among: facts)
      ?? reading.nearest(to: name, among: Self.words.map(\.0) + Self.compared)
    let listed = facts.prefix(12).map { PrintableScalars.shown($0) }.joined(separator: ", ")
    reading.error(
      .unknownFact, at: reading.place(of: value, at: term.offset),
      "no fact '\(PrintableScalars.shown(name))'",
      expected: nearest != nil
        ? ""
        : facts.isEmpty
          ? "a fact that 'facts' declares, or one of \(Self.words.map(\.0).joined(separator: ", "))"
          : "one of the facts \(listed)", suggestion: nearest)
    return nil
  }

  private func report(_ term: Term, _ message: String, expected: String) {
    reading.error(
      .badWhere, at: reading.place(of: value, at: term.offset), "\(what): \(message)",
      expected: expected)
  }
}
