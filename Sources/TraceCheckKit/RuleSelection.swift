// Turns `--only`, `--skip`, `--threshold`, `--severity` and `--profile` into options of the check.

import ArgumentParser
import TraceExport
import TraceLifecycle
import TraceNotation
import TraceRules

/// Which rules are checked, and how strictly.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Check only these rules: ids, slugs or families, separated by commas.", valueName: "list"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out these rules: ids, slugs or families, separated by commas.", valueName: "list"))
  var skip: [String] = []

  @Option(
    name: .customLong("threshold"),
    help: ArgumentHelp(
      "Another limit for a rule, for example LC003=8s. Repeatable.", valueName: "rule=value"))
  var thresholds: [String] = []

  @Option(
    name: .customLong("severity"),
    help: ArgumentHelp(
      "Another severity for a rule: error, warning or note. Repeatable.", valueName: "rule=level"))
  var severities: [String] = []

  @Option(
    help: ArgumentHelp(
      "Check against this profile instead of the one that the header selects.", valueName: "name"))
  var profile: String?

  func checkOptions() throws(UsageError) -> CheckOptions {
    var options = CheckOptions()
    if !only.isEmpty {
      let ids = try Self.ids(of: only, option: "--only")
      options.rules.removeAll { !ids.contains($0.id) }
    }
    if !skip.isEmpty {
      let ids = try Self.ids(of: skip, option: "--skip")
      options.rules.removeAll { ids.contains($0.id) }
    }
    if options.rules.isEmpty {
      throw UsageError(
        "--only and --skip leave no rule to check; 'tracecheck rules' lists all rules")
    }
    for text in thresholds {
      let (rule, value) = try Self.setting(text, option: "--threshold", example: "LC003=8s")
      guard let parameter = rule.parameters.first else {
        throw UsageError("\(rule.id) has no limit that --threshold could set")
      }
      options.thresholds[rule.id] = try Self.limit(value, of: parameter, in: rule)
    }
    for text in severities {
      let (rule, level) = try Self.setting(text, option: "--severity", example: "LC003=warning")
      guard let severity = Severity(rawValue: level) else {
        throw UsageError(
          unknown: "severity", level, among: Severity.allCases.map(\.rawValue))
      }
      options.severities[rule.id] = severity
    }
    if let profile {
      guard let known = Profile(rawValue: profile) else {
        throw UsageError(unknown: "profile", profile, among: Profile.allCases.map(\.rawValue))
      }
      options.profile = known
    }
    return options
  }

  private static func ids(
    of lists: [String], option: String
  ) throws(UsageError) -> Set<String> {
    var ids: Set<String> = []
    for list in lists {
      let names = list.split(separator: ",").map(trimmed).filter { !$0.isEmpty }
      if names.isEmpty {
        throw UsageError("\(option) names no rule; it takes ids, slugs or families, as in LC001,gl")
      }
      for name in names { ids.formUnion(try rules(named: name).map(\.id)) }
    }
    return ids
  }

  private static func trimmed(_ text: Substring) -> String {
    let blanks: Set<Character> = [" ", "\t"]
    let rest = text.drop { blanks.contains($0) }
    return String(rest.reversed().drop { blanks.contains($0) }.reversed())
  }

  /// The rules that an id, a slug or a family stands for.
  static func rules(named name: String) throws(UsageError) -> [Rule] {
    let rules = Catalogue.rules(matching: name)
    if rules.isEmpty {
      let names = Catalogue.all.flatMap { [$0.id, $0.slug] } + families
      throw UsageError(unknown: "rule", name, among: names, listedBy: "'tracecheck rules'")
    }
    return rules
  }

  private static var families: [String] { Array(Set(Catalogue.all.map(\.family))).sorted() }

  /// The one rule that an id or a slug stands for.
  static func rule(named name: String) throws(UsageError) -> Rule {
    let rules = try rules(named: name)
    guard let rule = rules.first, rules.count == 1 else {
      throw UsageError(
        "'\(PrintableText.printable(name, scalarsMax: 80))' stands for \(rules.count) rules, and"
          + " one is needed: \(rules.map(\.id).joined(separator: ", "))")
    }
    return rule
  }

  private static func setting(
    _ text: String, option: String, example: String
  ) throws(UsageError) -> (Rule, String) {
    guard let equals = text.firstIndex(of: "=") else {
      throw UsageError(
        "\(option) takes RULE=VALUE, for example \(example), and not"
          + " '\(PrintableText.printable(text, scalarsMax: 80))'")
    }
    return (try rule(named: String(text[..<equals])), String(text[text.index(after: equals)...]))
  }

  private static func limit(
    _ text: String, of parameter: RuleParameter, in rule: Rule
  ) throws(UsageError) -> Int64 {
    let shown = PrintableText.printable(text, scalarsMax: 80)
    let value: Int64?
    let expected: String
    switch parameter.unit {
    case .count:
      value = Int64(text)
      expected = "a whole number such as \(parameter.value)"
    case .nanoseconds:
      do throws(DurationText.Failure) {
        value = try DurationText.nanoseconds(text)
      } catch {
        value = nil
      }
      expected = "a duration such as 1.5s or 250ms"
    }
    guard let value, value >= 0 else {
      throw UsageError("the limit of \(rule.id) is \(expected), and not '\(shown)'")
    }
    return value
  }
}
