// Compares the monitors with a naive reading of the pattern language on random traces.

import ArgumentParser
import TraceCatalogue
import TraceNaive
import TraceRules

struct Properties: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judges random pairs of rule and trace by the monitors and by a naive interpreter.",
    discussion: "A failing pair is replayed with --seed, --rule and --replay.")

  @Option(help: "Pairs to compare.")
  var pairs = 100_000

  @Option(help: "The seed of the random traces.")
  var seed: UInt64 = 1

  @Option(help: "Lives that are cut into blocks, robbed of events, and whose evidence is replayed.")
  var lives = 20_000

  @Option(help: "Only this rule; or hand-written, for those with a monitor of their own.")
  var rule: String?

  @Flag(help: "Print what became of the pairs of each rule.")
  var counts = false

  @Option(help: "Print the pair with this number, with both judgements.")
  var replay: Int?

  func run() throws {
    let rules = chosenRules
    if let replay {
      for rule in rules {
        let one = NaiveCase(rule, seed: seed, number: replay)
        print(one.description)
        for line in LifeProperties(one).evidence { print(line) }
        for failure in failures(of: one).failures { print(failure) }
      }
      return
    }
    let result = sweep(rules: rules, pairs: pairs, seed: seed)
    for failure in result.failures { print(failure) }
    if counts { printCounts(result.tallies) }
    let compared = result.tallies.values.reduce(0) { $0 + $1.pairs }
    let violated = result.tallies.values.reduce(0) { $0 + $1.violated }
    print(
      "\(compared) pairs of \(rules.count) rules and random traces with seed \(seed):"
        + " \(violated) violated, \(result.failures.count) differences")
    let hasFailed = try checkLives(rules)
    if !result.failures.isEmpty || compared < pairs || hasFailed { throw ExitCode(1) }
  }

  private var chosenRules: [Rule] {
    guard let rule else { return Catalogue.all }
    guard rule == "hand-written" else { return Catalogue.rules(matching: rule) }
    return Catalogue.all.filter { rule in
      rule.clauses.contains { if case .handWritten = $0.pattern { true } else { false } }
    }
  }

  private func printCounts(_ tallies: [String: NaiveTally]) {
    for (rule, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      print(
        "\(rule): \(tally.violated) violated, \(tally.ok) ok, \(tally.unknown) unknown,"
          + " \(tally.notEvaluated) not evaluated")
    }
  }

  /// Blocks, gaps and evidence, on a part of the same pairs.
  private func checkLives(_ rules: [Rule]) throws -> Bool {
    var failures: [String] = []
    var findings = 0
    var passedCount = 0
    for number in 0..<lives where failures.count < 50 {
      let one = NaiveCase(rules[number % rules.count], seed: seed, number: number)
      var passed = PassedBlocks(one)
      if let failure = passed.showThatTheyWerePassed() {
        failures.append("\(one.rule.id) seed \(seed) case \(number): \(failure)")
      }
      passedCount += passed.passedCount
      let result = self.failures(of: one)
      findings += result.findings
      failures += result.failures
    }
    for failure in failures { print(failure) }
    print(
      "\(lives) random lives in blocks of 1, 2 and 5, and with a gap; evidence of \(findings)"
        + " findings replayed without each event; \(passedCount) blocks passed unopened:"
        + " \(failures.count) failures")
    return !failures.isEmpty || (lives > 0 && passedCount == 0)
  }

  private func failures(of one: NaiveCase) -> (findings: Int, failures: [String]) {
    let properties = LifeProperties(one)
    let (number, evidence) = (one.number, properties.lacksEvidence())
    let failures = [
      properties.dependsOnBlocks(),
      properties.isRefutedByFilling(from: number % 13, count: 1 + number % 7), evidence.failure,
    ]
    return (
      evidence.findings,
      failures.compactMap { failure in
        failure.map { "\(one.rule.id) seed \(one.seed) case \(number): \($0)" }
      }
    )
  }
}
