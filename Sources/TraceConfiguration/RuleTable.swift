// Finds rules and their parameters by the names that people write.

import TraceCatalogue
import TraceRuleFile
public import TraceRules

/// The rules that a configuration can speak of: the built-in ones and users'.
public struct RuleTable: Sendable {
  public let rules: [Rule]
  private var indices: [String: [Int]] = [:]
  private var families: Set<String> = []

  public init(_ rules: [Rule]) {
    self.rules = rules
    for (index, rule) in rules.enumerated() {
      // A user's rule may be called like the family of another: its id wins.
      for name in Set([rule.id, rule.id.uppercased(), rule.slug]) {
        indices[name, default: []].append(index)
      }
    }
    for (index, rule) in rules.enumerated() {
      let family = rule.family
      if families.contains(family) || indices[family] == nil {
        families.insert(family)
        indices[family, default: []].append(index)
      }
    }
  }

  /// The rules that an id, a slug or a family stands for; ids in any case.
  public func rules(named name: String) -> [Rule] {
    (indices[name] ?? indices[name.uppercased()] ?? []).map { rules[$0] }
  }

  /// The one rule that an id or a slug stands for; nil for families and strangers.
  public func rule(named name: String) -> Rule? {
    if isFamily(name) { return nil }
    let found = rules(named: name)
    return found.count == 1 ? found[0] : nil
  }

  public func isFamily(_ name: String) -> Bool { families.contains(name) }

  /// Ids, slugs and families, in the order of the rules.
  public var names: [String] { rules.flatMap { [$0.id, $0.slug] } + families.sorted() }

  /// The name that somebody probably meant.
  package func nearest(to name: String) -> String? {
    NameSuggestion.nearest(to: name, among: names)
  }

  /// What a threshold's name stands for.
  package enum ThresholdName {
    case parameter(Rule, RuleParameter)
    case noRule(String)
    case manyRules(String)
    case noParameters(Rule)
    /// The parameter's name begins at an offset in Unicode scalars.
    case noParameter(Rule, name: String, offset: Int)
  }

  /// The parameter that `RULE`, its first one, or `RULE.grace` stands for.
  package func threshold(named name: String) -> ThresholdName {
    if let rule = rule(named: name) {
      guard let parameter = rule.parameters.first else { return .noParameters(rule) }
      return .parameter(rule, parameter)
    }
    if isFamily(name) { return .manyRules(name) }
    guard let dot = name.lastIndex(of: ".") else { return .noRule(name) }
    let ruleName = String(name[..<dot])
    if isFamily(ruleName) { return .manyRules(ruleName) }
    guard let rule = rule(named: ruleName) else { return .noRule(ruleName) }
    let wanted = String(name[name.index(after: dot)...])
    if rule.parameters.isEmpty { return .noParameters(rule) }
    guard let parameter = rule.parameters.first(where: { $0.name == wanted }) else {
      return .noParameter(rule, name: wanted, offset: ruleName.unicodeScalars.count + 1)
    }
    return .parameter(rule, parameter)
  }
}
