// Counts the mutants of rules that their examples notice.

import ArgumentParser
import TraceCatalogue
import TraceRules

struct Mutate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes every number, event and state of the rules' patterns once, and lists the"
      + " changes that no example notices.")

  @Argument(help: "Ids, slugs or families; none means all.")
  var names: [String] = []

  @Option(help: "The share of mutants, in percent, that must be noticed.")
  var percent = 95.0

  func run() throws {
    let rules = names.isEmpty ? Catalogue.all : names.flatMap { Catalogue.rules(matching: $0) }
    var mutantCount = 0
    var survivors: [String] = []
    for rule in rules {
      let examples = rule.examples.map { ExampleRun($0) }
      for mutant in Mutant.all(of: rule) {
        mutantCount += 1
        let isNoticed = examples.contains { $0.difference(mutant.rule) != nil }
        if !isNoticed { survivors.append(mutant.name) }
      }
    }
    for survivor in survivors { print("survives: \(survivor)") }
    let caught = mutantCount - survivors.count
    let share = mutantCount == 0 ? 100 : Double(caught) * 100 / Double(mutantCount)
    let tenths = Int((share * 10).rounded(.down))
    print(
      "\(rules.count) rules, \(mutantCount) mutants: \(caught) noticed"
        + " (\(tenths / 10).\(tenths % 10) %), \(survivors.count) survive")
    if share < percent { throw ExitCode(1) }
  }
}
