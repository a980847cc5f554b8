// Looks for rules that are well written and yet can't do what was meant.

import TraceLifecycle
import TraceModel
import TraceRules

/// Warnings about a rule as a whole.
struct RuleChecks {
  let reading: Reading
  let value: YAMLValue

  func check(_ rule: Rule) {
    checkFacts(rule)
    checkStates(rule)
    checkDues(rule)
    checkKeys(rule)
  }

  /// Keys that no event has: every event shares one key then.
  private func checkKeys(_ rule: Rule) {
    for clause in rule.clauses {
      let (key, events) = clause.pattern.keyed
      for case .argument(let name) in key {
        let hasOwnKinds = events.contains { $0.knownKinds.isEmpty || $0.key != nil }
        if hasOwnKinds || events.contains(where: { $0.mayCarry(name) }) { continue }
        let kinds = events.flatMap(\.knownKinds)
        let names = reading.argumentNames(of: kinds)
        reading.warning(
          .unknownArgument, at: place(ofKey: name.knownText ?? "", in: value) ?? value.place,
          "\(reading.shownKinds(kinds)) has no argument '\(name.knownText ?? "")' to be the key",
          expected: names.isEmpty ? "no key" : "one of \(names.joined(separator: ", "))")
      }
    }
  }

  /// Where a key of the rule names an argument.
  private func place(ofKey name: String, in value: YAMLValue) -> Place? {
    switch value.content {
    case .scalar: return nil
    case .list(let values):
      for value in values {
        if let place = place(ofKey: name, in: value) { return place }
      }
    case .map(let entries):
      for entry in entries {
        if entry.key == "key" {
          let element = reading.elements(entry.value).first { $0.text == name }
          if let element { return element.place }
        }
        if let place = place(ofKey: name, in: entry.value) { return place }
      }
    }
    return nil
  }

  /// Facts that nothing asks for.
  private func checkFacts(_ rule: Rule) {
    var asked: Set<String> = []
    let events = rule.clauses.flatMap { $0.pattern.events } + rule.facts.flatMap(\.events)
    let conditions =
      rule.clauses.flatMap { $0.pattern.conditions } + events.compactMap(\.condition)
    for part in conditions.flatMap(\.parts) {
      switch part {
      case .fact(let name), .factOf(let name, _), .anyFact(let name): asked.insert(name)
      default: break
      }
    }
    asked.formUnion(rule.clauses.compactMap { $0.escalation?.whileFact })
    let declared = value.entries?.first { $0.key == "facts" }?.value
    for element in declared.map({ reading.elements($0) }) ?? [] {
      guard let name = element.entries?.first(where: { $0.key == "name" })?.value,
        let text = name.text, !asked.contains(text)
      else { continue }
      reading.warning(
        .vacuous, at: name.place, "no condition asks for the fact '\(PrintableScalars.shown(text))'"
      )
    }
  }

  /// Conditions that no moment fulfils.
  private func checkStates(_ rule: Rule) {
    let conditions = rule.clauses.flatMap { $0.pattern.conditions }
    for case .phase(let states) in conditions.flatMap(\.parts) where isEmpty(states) {
      reading.warning(
        .vacuous, at: value.place,
        states.isEmpty ? "a condition names no state" : "the state 'unknown' fulfils no condition",
        expected: "a state that an app is in")
      return
    }
  }

  private func isEmpty(_ states: Set<LifecycleState>) -> Bool {
    states.subtracting([.unknown]).isEmpty
  }

  /// Instances that nothing opens, or that are never due.
  private func checkDues(_ rule: Rule) {
    for clause in rule.clauses {
      guard case .never(let never) = clause.pattern, case .kinds(let kinds) = never.event.kinds,
        !kinds.isEmpty
      else { continue }
      let isInstant = kinds.allSatisfy { Vocabulary.description(of: $0)?.emitter == .recorder }
      if isInstant, never.event.condition == nil, never.event.test == nil {
        reading.warning(
          .vacuous, at: value.place,
          "'never' forbids what only the recorder does: no app can break the rule")
      }
    }
  }
}
