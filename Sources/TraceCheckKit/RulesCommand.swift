// `rules` and `explain`: the catalogue, and one rule with all that is known of it.

import ArgumentParser
import TraceExport
import TraceRules

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Lists the rules.")

  @Option(help: "The form of the list.")
  var format: PrintFormat = .text

  func run() throws {
    let rules = Catalogue.all
    if format == .json {
      var json = JSONBuilder()
      json.beginArray()
      for rule in rules { json.rule(rule) }
      json.endArray()
      return try printOutput(json.bytes + [UInt8(ascii: "\n")])
    }
    let width = rules.map(\.slug.utf8.count).max() ?? 0
    var text = ""
    for rule in rules {
      let severity = rule.severity.rawValue
      text += "\(rule.id)  \(severity)\(spaces(8 - severity.utf8.count))"
      text += "\(rule.slug)\(spaces(width - rule.slug.utf8.count))  \(rule.summary)\n"
    }
    try printOutput(Array(text.utf8))
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains a rule: what must hold, why, what happens otherwise, with examples.")

  @Argument(help: ArgumentHelp("An id or a slug.", valueName: "rule"))
  var name: String

  @Option(help: "The form of the explanation.")
  var format: PrintFormat = .text

  func run() throws {
    let rule = try RuleOptions.rule(named: name)
    if format == .json {
      var json = JSONBuilder()
      json.rule(rule)
      return try printOutput(json.bytes + [UInt8(ascii: "\n")])
    }
    try printOutput(Array(RuleText.explanation(of: rule).utf8))
  }
}
