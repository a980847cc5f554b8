// `rules`: the catalogue with users' rules, as a list, as JSON, or in the form of users' rules.

import ArgumentParser
import TraceCatalogue
import TraceConfiguration
import TraceExport
import TraceRuleFile
import TraceRules

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Lists the rules; checks and tests rules of your own.",
    discussion: """
      Examples:
        tracecheck rules graphics,watchdog
        tracecheck rules \(CatalogueSamples.id) --format yaml
        tracecheck rules check mine.yaml
        tracecheck rules test mine.yaml
      """,
    subcommands: [RulesListCommand.self, RulesCheckCommand.self, RulesTestCommand.self],
    defaultSubcommand: RulesListCommand.self)
}

struct RulesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the rules.",
    discussion: """
      One rule alone is explained, as by 'explain'. The format yaml is that of users' rules: \
      change the id, and the file can be given to --rules.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, yaml
  }

  @Argument(
    help: ArgumentHelp(
      "Only these rules: ids, slugs or families, separated by commas or spaces.",
      valueName: "rule"))
  var names: [String] = []

  @Option(help: "The form of the list.")
  var format: Format = .text

  @OptionGroup var files: RuleFileOptions

  func run() throws {
    let table = RuleTable(try files.load().rules)
    let chosen = try ChosenRules(names, table, commands: ["check", "test", "list"])
    switch format {
    case .text:
      if let rule = chosen.single { return try printOutput(RulePage(rule).text) }
      try printOutput(Self.list(chosen.rules))
    case .json:
      var json = JSONBuilder()
      json.beginArray()
      for rule in chosen.rules { json.rule(rule) }
      json.endArray()
      try printOutput(json.bytes + [UInt8(ascii: "\n")])
    case .yaml:
      try printOutput(RuleFile.print(try Self.printable(chosen)))
    }
  }

  private static func list(_ rules: [Rule]) -> String {
    func width(_ text: (Rule) -> String) -> Int {
      rules.map { text($0).unicodeScalars.count }.max() ?? 0
    }
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    }
    let slugs = rules.map { PrintableText.printable($0.slug) }
    let idWidth = width(\.id)
    let slugWidth = slugs.map(\.unicodeScalars.count).max() ?? 0
    var text = ""
    for (rule, slug) in zip(rules, slugs) {
      let summary = RulePage.oneLine(rule.summary)
      text += "\(padded(rule.id, idWidth))  \(padded(rule.severity.rawValue, 7))  "
      text += summary.isEmpty ? "\(slug)\n" : "\(padded(slug, slugWidth))  \(summary)\n"
    }
    return text
  }

  /// The rules that users can write. One that they can't is an error if it was asked for by name.
  private static func printable(_ chosen: ChosenRules) throws(UsageError) -> [Rule] {
    let rules = chosen.rules.filter { $0.reasonForHand == nil }
    let others = chosen.rules.filter { $0.reasonForHand != nil }
    if let rule = others.first(where: { chosen.named.contains($0.id) || rules.isEmpty }) {
      throw UsageError(
        "\(rule.id) can't be printed as YAML: it is written by hand, because"
          + " \(rule.reasonForHand ?? ""); 'tracecheck explain \(rule.id)' says all about it")
    }
    if !others.isEmpty {
      let ids = others.map(\.id).joined(separator: ", ")
      printProblems(Array("tracecheck: left out, as they are written by hand: \(ids)\n".utf8))
    }
    return rules
  }
}

extension Rule {
  /// Why a clause of the rule is no pattern of the notation; nil if all of them are.
  var reasonForHand: String? {
    for clause in clauses {
      if case .handWritten(_, let because) = clause.pattern { return because }
    }
    return nil
  }
}

/// The rules that the arguments of a command name.
struct ChosenRules {
  /// In the order of the table; all if no name was given.
  var rules: [Rule]
  /// The ids of the rules that were named by id or slug.
  var named: Set<String> = []

  /// The rule, if exactly one was named by its id or slug.
  var single: Rule? { rules.count == 1 && named.count == 1 ? rules[0] : nil }

  /// - Parameter commands: Names of commands, which may be what a stranger's name was meant for.
  init(_ lists: [String], _ table: RuleTable, commands: [String] = []) throws(UsageError) {
    var ids: Set<String> = []
    for list in lists {
      let names = RuleOptions.names(listed: list)
      if names.isEmpty {
        throw UsageError(
          "a list names no rule; it takes ids, slugs or families, as in \(CatalogueSamples.list)")
      }
      for name in names {
        let found = table.rules(named: name)
        if found.isEmpty {
          throw UsageError(
            unknown: "rule", name, among: table.names + commands,
            listedBy: "'tracecheck rules'")
        }
        ids.formUnion(found.map(\.id))
        if !table.isFamily(name) { named.formUnion(found.map(\.id)) }
      }
    }
    rules = lists.isEmpty ? table.rules : table.rules.filter { ids.contains($0.id) }
  }
}

/// Writes all of a text to standard output.
func printOutput(_ text: String) throws { try printOutput(Array(text.utf8)) }
