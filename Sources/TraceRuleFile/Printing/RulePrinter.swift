// Prints a rule in the form in which users write theirs. Always the same order of keys.

import TraceLifecycle
import TraceModel
import TraceRules

/// The printed form of one rule.
struct RulePrinter {
  typealias Entries = [(String, YAMLOutput)]

  private let given: Rule

  init(_ rule: Rule) { given = rule }

  func rule(withExamples: Bool) -> YAMLOutput {
    var map: Entries = [
      ("id", .text(given.id)), ("slug", .text(given.slug)),
      ("severity", .plain(given.severity.rawValue)),
    ]
    for (key, prose) in [
      ("summary", given.summary), ("rationale", given.rationale),
      ("consequence", given.consequence), ("advice", given.advice),
    ] where !prose.isEmpty {
      map.append((key, .text(prose)))
    }
    if !given.sources.isEmpty {
      map.append(
        (
          "sources",
          .list(
            given.sources.map {
              .map([("title", .text($0.title)), ("section", .text($0.section))])
            })
        ))
    }
    if !given.tags.isEmpty { map.append(("tags", .words(given.tags))) }
    if let keysMax = given.keysMax { map.append(("max_keys", .plain("\(keysMax)"))) }
    map.append(("needs", .words(given.needs)))
    map.append(("profiles", .words(given.profiles.map(\.rawValue))))
    if !given.parameters.isEmpty {
      map.append(("parameters", .map(given.parameters.map { ($0.name, parameter($0)) })))
    }
    if given.clausesAreIndependent { map.append(("clauses_are_independent", .plain("true"))) }
    if given.isLoweredUnderDebugger { map.append(("is_lowered_under_debugger", .plain("true"))) }
    if given.isLoweredWhereSystemIsAssumed {
      map.append(("is_lowered_where_system_is_assumed", .plain("true")))
    }
    if let allowance = given.allowance {
      map.append(("allowance", .plain(Names.word(allowance, in: Names.allowances))))
    }
    if !given.explains.isEmpty { map.append(("explains", .words(given.explains))) }
    if !given.yields.isEmpty {
      map.append(
        (
          "yields",
          .list(
            given.yields.map {
              .map(
                [
                  ("to", .text($0.rule)),
                  ("same", .plain(Names.word($0.sameness, in: Names.samenesses))),
                ] + ($0.unlessMilder ? [("unless_milder", .plain("true"))] : []))
            })
        ))
    }
    if !given.facts.isEmpty { map.append(("facts", .list(given.facts.map { fact($0) }))) }
    map.append(("clauses", .list(given.clauses.map { clause($0) })))
    if withExamples, !given.examples.isEmpty {
      map.append(("examples", .list(given.examples.map { example($0) })))
    }
    return .map(map)
  }

  private func parameter(_ parameter: RuleParameter) -> YAMLOutput {
    let isDuration = parameter.unit == .nanoseconds
    let value = isDuration ? DurationWords.text(parameter.value) : "\(parameter.value)"
    if parameter.basis == .toolDefault, parameter.limits == nil,
      isDuration || parameter.unit == .count
    {
      return .plain(value)
    }
    var map: Entries = [
      ("value", .plain(value)),
      ("unit", .plain(Names.word(parameter.unit, in: Names.parameterUnits))),
      ("basis", .plain(Names.word(parameter.basis, in: Names.bases))),
    ]
    if let limits = parameter.limits {
      map.append(("limits", .plain(Names.word(limits, in: Names.durations))))
    }
    return .map(map)
  }

  private func fact(_ fact: Fact) -> YAMLOutput {
    var map: Entries = [("name", .text(fact.name)), ("set", PatternPrinter.events(fact.set))]
    if !fact.clear.isEmpty { map.append(("clear", PatternPrinter.events(fact.clear))) }
    if !fact.clearAll.isEmpty { map.append(("clear_all", PatternPrinter.events(fact.clearAll))) }
    if !fact.key.isEmpty { map.append(("key", PatternPrinter.key(fact.key))) }
    switch fact.initially {
    case true?: map.append(("initially", .plain("true")))
    case nil: map.append(("initially", .plain("unknown")))
    case false?: break
    }
    if let after = fact.after { map.append(("after", PatternPrinter.time(after))) }
    if let lasts = fact.lasts { map.append(("lasts", PatternPrinter.time(lasts))) }
    if fact.nests { map.append(("nests", .plain("true"))) }
    if fact.life != .launch { map.append(("life", .plain("trace"))) }
    return .map(map)
  }

  private func clause(_ clause: Clause) -> YAMLOutput {
    var map: Entries = []
    if let reason = clause.reason { map.append(("reason", .text(reason))) }
    map.append(("severity", .plain(clause.severity.rawValue)))
    if !clause.needs.isEmpty { map.append(("needs", .words(clause.needs))) }
    if let applies = clause.applies { map.append(("applies", .text(ExpressionText.text(applies)))) }
    map += PatternPrinter.pattern(clause.pattern)
    if clause.evidence != .none {
      map.append(("evidence", .plain(Names.word(clause.evidence, in: Names.evidence))))
    }
    if let escalation = clause.escalation {
      map.append(("escalation", self.escalation(escalation)))
    }
    if !clause.ends.isEmpty { map.append(("ends", .words(clause.ends))) }
    if !clause.explainsEnds { map.append(("explains_ends", .plain("false"))) }
    if clause.trustsUnknownEnds { map.append(("trusts_unknown_ends", .plain("true"))) }
    if let spared = clause.sparesInactivity {
      map.append(("spares_inactivity", PatternPrinter.duration(spared)))
    }
    map.append(("message", .text(clause.message.text)))
    return .map(map)
  }

  private func escalation(_ escalation: Clause.Escalation) -> YAMLOutput {
    var map: Entries = [("severity", .plain(escalation.severity.rawValue))]
    if !escalation.causes.isEmpty { map.append(("causes", .words(escalation.causes))) }
    if !escalation.codes.isEmpty {
      map.append(("codes", PatternPrinter.codes(escalation.codes)))
    }
    if let within = escalation.withinNanoseconds {
      map.append(("within", .plain(DurationWords.text(within))))
    }
    if let fact = escalation.whileFact { map.append(("while_fact", .text(fact))) }
    return .map(map)
  }

  private func example(_ example: RuleExample) -> YAMLOutput {
    var map: Entries = []
    switch example.expectation {
    case .holds: map.append(("holds", .text(example.remark)))
    case .unknown: map.append(("unknown", .text(example.remark)))
    case .violates(let reasons):
      map.append(("violates", .text(example.remark)))
      if reasons != [nil] {
        map.append(("reasons", .list(reasons.map { $0.map { .text($0) } ?? .plain("null") })))
      }
      if let severities = example.severities {
        map.append(("severities", .list(severities.map { .plain($0.rawValue) })))
      }
    }
    map.append(("trace", .text(example.timeline)))
    return .map(map)
  }
}
