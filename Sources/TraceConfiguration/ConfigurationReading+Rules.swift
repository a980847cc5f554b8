// Reads what a configuration file says about rules: which are on, how severe, with which limits.

import TraceCatalogue
import TraceModel
import TraceRuleFile
import TraceRules

extension ConfigurationReading {
  private static let severityMeanings = [
    "warn": "warning", "warnings": "warning", "err": "error", "fatal": "error", "info": "note",
    "hint": "note", "notice": "note", "information": "note",
  ]
  private static let switchMeanings = [
    "true": "on", "yes": "on", "enabled": "on", "1": "on", "error": "on", "warning": "on",
    "false": "off", "no": "off", "disabled": "off", "0": "off", "of": "off", "none": "off",
    "never": "off",
  ]

  /// `severities: {RULE: warning}`
  func severities(_ node: YAMLNode) -> [String: Setting<Severity>] {
    guard let entries = entries(node, "'severities'", of: "rules to severities") else {
      return [:]
    }
    var severities: [String: Setting<Severity>] = [:]
    for entry in entries {
      guard let rule = oneRule(entry), let word = text(entry.value, "a severity") else { continue }
      guard let severity = Severity(rawValue: word) else {
        let isSwitch = ["off", "never", "none", "ignore"].contains(word)
        if isSwitch {
          error(
            .badSeverity, at: entry.value, "there is no severity '\(word)'",
            expected: "error, warning or note; '\(rule.id): off' belongs below 'rules'")
        } else {
          unknown(
            .badSeverity, "severity", word, at: entry.value,
            among: Severity.allCases.map(\.rawValue), meanings: Self.severityMeanings)
        }
        continue
      }
      keep(Setting(severity, origin(entry.node)), rule.id, entry, in: &severities)
    }
    return severities
  }

  /// `thresholds: {RULE: 8s, RULE.grace: 2s}`
  func thresholds(_ node: YAMLNode) -> [String: Setting<Int64>] {
    guard let entries = entries(node, "'thresholds'", of: "rules to limits") else { return [:] }
    var thresholds: [String: Setting<Int64>] = [:]
    for entry in entries {
      guard let (rule, parameter) = parameter(entry),
        let text = text(entry.value, "the limit of \(entry.key)")
      else { continue }
      do throws(LimitText.Failure) {
        let value = try LimitText.value(text, of: parameter)
        keep(
          Setting(value, origin(entry.node)), "\(rule.id).\(parameter.name)", entry,
          in: &thresholds)
      } catch {
        let code: ConfigurationProblem.Code =
          switch error.kind {
          case .notANumber: .badNumber
          case .notADuration: .badDuration
          case .noUnit: .numberWithoutUnit
          }
        self.error(
          code, at: entry.value,
          "the limit '\(parameter.name)' of \(rule.id) is '\(YAMLDocument.shown(text))'",
          expected: error.expected, suggestion: error.suggestion)
      }
    }
    return thresholds
  }

  /// `rules: {RULE: off, gl: on}`; what is said of a rule is stronger than of its family.
  func onOrOff(_ node: YAMLNode) -> [String: Setting<Bool>] {
    guard let entries = entries(node, "'rules'", of: "rules to on or off") else { return [:] }
    var families: [String: Setting<Bool>] = [:]
    var rules: [String: Setting<Bool>] = [:]
    for entry in entries {
      let named = rulesNamed(entry.key, at: entry.node)
      guard !named.isEmpty, let word = text(entry.value, "the setting of \(entry.key)") else {
        continue
      }
      guard word == "on" || word == "off" else {
        let isSeverity = Severity(rawValue: word) != nil
        if isSeverity {
          error(
            .badWord, at: entry.value, "there is no setting '\(word)'",
            expected: "on or off; '\(entry.key): \(word)' belongs below 'severities'")
        } else {
          unknown(
            .badWord, "setting", word, at: entry.value, among: ["on", "off"],
            meanings: Self.switchMeanings)
        }
        continue
      }
      let setting = Setting(word == "on", origin(entry.node))
      if table.isFamily(entry.key) {
        for rule in named { families[rule.id] = setting }
      } else {
        for rule in named { keep(setting, rule.id, entry, in: &rules) }
      }
    }
    return families.merging(rules) { $1 }
  }

  /// What `only`, `skip` and `rules` say together, the last being strongest.
  func switches(
    only: YAMLNode?, skip: YAMLNode?, rules: [String: Setting<Bool>]
  ) -> [String: Setting<Bool>] {
    var isOn: [String: Setting<Bool>] = [:]
    if let only {
      for rule in table.rules { isOn[rule.id] = Setting(false, origin(only)) }
      let elements = elements(only)
      if elements.isEmpty {
        error(.badType, at: only, "'only' names no rule", expected: "a list of rules")
      }
      for (id, setting) in ruleList(elements, "'only'", isOn: true) { isOn[id] = setting }
    }
    if let skip {
      for (id, setting) in ruleList(elements(skip), "'skip'", isOn: false) { isOn[id] = setting }
    }
    return isOn.merging(rules) { $1 }
  }

  private func ruleList(
    _ elements: [YAMLNode], _ what: String, isOn: Bool
  ) -> [String: Setting<Bool>] {
    var result: [String: Setting<Bool>] = [:]
    for element in elements {
      guard let name = text(element, "an element of \(what)") else { continue }
      for rule in rulesNamed(name, at: element) {
        result[rule.id] = Setting(isOn, origin(element))
      }
    }
    return result
  }

  /// The rules of an id, a slug or a family; none, with a problem, for strangers.
  func rulesNamed(_ name: String, at node: YAMLNode) -> [Rule] {
    let rules = table.rules(named: name)
    if rules.isEmpty, hasRoom {
      let nearest = table.nearest(to: name)
      error(
        .unknownRule, at: node, "there is no rule '\(YAMLDocument.shown(name))'",
        expected: nearest == nil ? "an id, a slug or a family of 'tracecheck rules'" : "",
        suggestion: nearest)
    }
    return rules
  }

  private func oneRule(_ entry: YAMLNode.Entry) -> Rule? {
    if let rule = table.rule(named: entry.key) { return rule }
    let rules = rulesNamed(entry.key, at: entry.node)
    if !rules.isEmpty { reportMany(entry.key, rules, at: entry.node) }
    return nil
  }

  private func reportMany(_ name: String, _ rules: [Rule], at node: YAMLNode) {
    error(
      .unknownRule, at: node,
      "'\(YAMLDocument.shown(name))' is a family, and one rule is needed",
      expected: "one of " + rules.prefix(8).map(\.id).joined(separator: ", ")
        + (rules.count > 8 ? ", …" : ""))
  }

  private func parameter(_ entry: YAMLNode.Entry) -> (Rule, RuleParameter)? {
    switch table.threshold(named: entry.key) {
    case .parameter(let rule, let parameter): return (rule, parameter)
    case .noRule(let name): _ = rulesNamed(name, at: entry.node)
    case .manyRules(let name):
      reportMany(name, table.rules(named: name), at: entry.node)
    case .noParameters(let rule):
      error(.unknownParameter, at: entry.node, "\(rule.id) has no limit that could be set")
    case .noParameter(let rule, let name, let offset):
      unknown(
        .unknownParameter, "limit of \(rule.id) called", name, at: entry.node, offset: offset,
        among: rule.parameters.map(\.name))
    }
    return nil
  }

  /// Keeps a setting, or reports that the same was set under another name.
  private func keep<Value>(
    _ setting: Setting<Value>, _ key: String, _ entry: YAMLNode.Entry,
    in settings: inout [String: Setting<Value>]
  ) {
    if let other = settings[key], case .file(_, let line) = other.origin {
      error(.duplicateKey, at: entry.node, "\(key) is already set in line \(line)")
    } else {
      settings[key] = setting
    }
  }
}
