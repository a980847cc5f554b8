// `explain`: rules with all that is known of them.

import ArgumentParser
import TraceCatalogue
import TraceConfiguration
import TraceExport
import TraceRules

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains rules: what must hold, what happens otherwise, why, how to fix it.",
    discussion: """
      Examples:
        tracecheck explain \(CatalogueSamples.id)
        tracecheck explain background-task --format markdown
        tracecheck explain --all --format markdown > rules.md
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown
  }

  enum ExampleChoice: String, ExpressibleByArgument, CaseIterable {
    case few, all
  }

  @Argument(
    help: ArgumentHelp("Ids, slugs or families, separated by commas or spaces.", valueName: "rule"))
  var names: [String] = []

  @Flag(help: "Explain every rule.")
  var all = false

  @Option(help: "The form of the explanation; markdown makes one document.")
  var format: Format = .text

  @Option(help: "Show a few examples of each rule or all; json has all.")
  var examples: ExampleChoice = .few

  @OptionGroup var files: RuleFileOptions

  func run() throws {
    if names.isEmpty, !all {
      throw UsageError("explain needs a rule: an id, a slug or a family, or --all for every rule")
    }
    if all, !names.isEmpty { throw UsageError("--all explains every rule; name none beside it") }
    let chosen = try ChosenRules(names, RuleTable(try files.load().rules))
    let choice: RulePage.Examples = examples == .all ? .all : .few
    switch format {
    case .text:
      let pages = chosen.rules.map { RulePage($0, examples: choice).text }
      try printOutput(pages.joined(separator: "\n" + String(repeating: "-", count: 80) + "\n\n"))
    case .markdown:
      if let rule = chosen.single {
        return try printOutput(RulePage(rule, examples: choice).markdown())
      }
      try printOutput(RulePage.catalogue(chosen.rules, examples: choice))
    case .json:
      var json = JSONBuilder()
      if let rule = chosen.single {
        json.rule(rule)
      } else {
        json.beginArray()
        for rule in chosen.rules { json.rule(rule) }
        json.endArray()
      }
      try printOutput(json.bytes + [UInt8(ascii: "\n")])
    }
  }
}
