// Turns `--only`, `--skip`, `--threshold`, `--severity`, `--profile` and `--watchdog` into
// settings.

import ArgumentParser
import TraceCatalogue
import TraceConfiguration
import TraceExport
import TraceLifecycle
import TraceModel
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
      """
      Another limit for a rule, for example \(CatalogueSamples.threshold) or \
      \(CatalogueSamples.namedThreshold). Repeatable.
      """,
      valueName: "rule=value"))
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

  @Option(
    help: ArgumentHelp(
      "Which allowance of the watchdogs is an error: documented (5 s), or real (20 s for a launch,"
        + " 10 s for the background entry; 5 s is a warning).", valueName: "allowance"))
  var watchdog: String?

  @OptionGroup var files: RuleFileOptions

  /// Whether the command line says anything of how captures are judged.
  var areGiven: Bool {
    namesRules || profile != nil || watchdog != nil || !files.files.isEmpty
      || ![nil, "none"].contains(files.configuration.config)
  }

  /// Whether the command line names a rule, so that ``settings(_:)`` must know them all.
  var namesRules: Bool {
    !(only.isEmpty && skip.isEmpty && thresholds.isEmpty && severities.isEmpty)
  }

  /// What the command line says of rules.
  func settings(_ table: RuleTable) throws(UsageError) -> RuleSettings {
    var settings = RuleSettings()
    if !only.isEmpty {
      let ids = try Self.ids(of: only, option: "--only", table)
      for rule in table.rules {
        settings.isOn[rule.id] = Setting(ids.contains(rule.id), .commandLine)
      }
    }
    if !skip.isEmpty {
      for id in try Self.ids(of: skip, option: "--skip", table) {
        settings.isOn[id] = Setting(false, .commandLine)
      }
    }
    for text in thresholds {
      let (name, value) = try Self.setting(
        text, option: "--threshold", example: CatalogueSamples.threshold)
      let (rule, parameter) = try Self.parameter(named: name, table)
      settings.thresholds["\(rule.id).\(parameter.name)"] = Setting(
        try Self.limit(value, of: parameter, in: rule), .commandLine)
    }
    for text in severities {
      let (name, level) = try Self.setting(
        text, option: "--severity", example: CatalogueSamples.severity)
      let rule = try Self.rule(named: name, table)
      guard let severity = Severity(rawValue: level) else {
        throw UsageError(
          unknown: "severity", level, among: Severity.allCases.map(\.rawValue))
      }
      settings.severities[rule.id] = Setting(severity, .commandLine)
    }
    if let profile {
      guard let known = Profile(rawValue: profile) else {
        throw UsageError(unknown: "profile", profile, among: Profile.allCases.map(\.rawValue))
      }
      settings.profile = Setting(known, .commandLine)
    }
    if let watchdog {
      guard let known = WatchdogAllowance(rawValue: watchdog) else {
        throw UsageError(
          unknown: "allowance", watchdog, among: WatchdogAllowance.allCases.map(\.rawValue))
      }
      settings.watchdog = Setting(known, .commandLine)
    }
    return settings
  }

  private static func ids(
    of lists: [String], option: String, _ table: RuleTable
  ) throws(UsageError) -> Set<String> {
    var ids: Set<String> = []
    for list in lists {
      let names = Self.names(listed: list)
      if names.isEmpty {
        throw UsageError(
          "\(option) names no rule; it takes ids, slugs or families, as in \(CatalogueSamples.list)"
        )
      }
      for name in names { ids.formUnion(try rules(named: name, table).map(\.id)) }
    }
    return ids
  }

  /// The names in a list with commas.
  static func names(listed list: String) -> [String] {
    list.split(separator: ",").map(trimmed).filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> String {
    let blanks: Set<Character> = [" ", "\t"]
    let rest = text.drop { blanks.contains($0) }
    return String(rest.reversed().drop { blanks.contains($0) }.reversed())
  }

  /// The rules that an id, a slug or a family stands for.
  static func rules(
    named name: String, _ table: RuleTable = RuleTable(Catalogue.all)
  ) throws(UsageError) -> [Rule] {
    let rules = table.rules(named: name)
    if rules.isEmpty {
      throw UsageError(unknown: "rule", name, among: table.names, listedBy: "'tracecheck rules'")
    }
    return rules
  }

  /// The one rule that an id or a slug stands for.
  static func rule(
    named name: String, _ table: RuleTable = RuleTable(Catalogue.all)
  ) throws(UsageError) -> Rule {
    let rules = try rules(named: name, table)
    guard let rule = rules.first, rules.count == 1 else {
      throw UsageError(
        "'\(PrintableText.printable(name, scalarsMax: 80))' stands for \(rules.count) rules, and"
          + " one is needed: \(rules.map(\.id).joined(separator: ", "))")
    }
    return rule
  }

  private static func parameter(
    named name: String, _ table: RuleTable
  ) throws(UsageError) -> (Rule, RuleParameter) {
    switch table.threshold(named: name) {
    case .parameter(let rule, let parameter): return (rule, parameter)
    case .noRule(let rule), .manyRules(let rule):
      let rule = try self.rule(named: rule, table)
      guard let parameter = rule.parameters.first else { throw noLimit(rule) }
      return (rule, parameter)
    case .noParameters(let rule): throw noLimit(rule)
    case .noParameter(let rule, let name, _):
      throw UsageError(
        unknown: "limit of \(rule.id)", name, among: rule.parameters.map(\.name))
    }
  }

  private static func noLimit(_ rule: Rule) -> UsageError {
    UsageError("\(rule.id) has no limit that --threshold could set")
  }

  private static func setting(
    _ text: String, option: String, example: String
  ) throws(UsageError) -> (String, String) {
    guard let equals = text.firstIndex(of: "=") else {
      throw UsageError(
        "\(option) takes RULE=VALUE, for example \(example), and not"
          + " '\(PrintableText.printable(text, scalarsMax: 80))'")
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  private static func limit(
    _ text: String, of parameter: RuleParameter, in rule: Rule
  ) throws(UsageError) -> Int64 {
    do throws(LimitText.Failure) {
      return try LimitText.value(text, of: parameter)
    } catch {
      let shown = PrintableText.printable(text, scalarsMax: 80)
      throw UsageError("the limit of \(rule.id) is \(error.expected), and not '\(shown)'")
    }
  }
}
