// Compares the monitors with a naive reading of the pattern language on random traces.

import ArgumentParser
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

  @Option(help: "Only this rule.")
  var rule: String?

  @Option(help: "Print the pair with this number, with both judgements.")
  var replay: Int?

  func run() throws {
    let rules = rule.map { Catalogue.rules(matching: $0) } ?? Catalogue.all
    if let replay {
      for rule in rules { print(NaiveCase(rule, seed: seed, number: replay).description) }
      return
    }
    let result = sweep(rules: rules, pairs: pairs, seed: seed)
    for failure in result.failures { print(failure) }
    print(
      "\(result.pairs) pairs of \(rules.count) rules and random traces with seed \(seed):"
        + " \(result.violated) violated, \(result.failures.count) differences")
    let hasFailed = try checkLives(rules)
    if !result.failures.isEmpty || result.pairs < pairs || hasFailed { throw ExitCode(1) }
  }

  /// Blocks, gaps and evidence, on a part of the same pairs.
  private func checkLives(_ rules: [Rule]) throws -> Bool {
    var failures: [String] = []
    var findings = 0
    let lives = min(pairs, self.lives)
    for number in 0..<lives where failures.count < 50 {
      let one = NaiveCase(rules[number % rules.count], seed: seed, number: number)
      let properties = LifeProperties(one)
      func add(_ failure: String?) {
        if let failure { failures.append("\(one.rule.id) seed \(seed) case \(number): \(failure)") }
      }
      add(properties.dependsOnBlocks())
      add(properties.isRefutedByFilling(from: number % 13, count: 1 + number % 7))
      let evidence = properties.lacksEvidence()
      findings += evidence.findings
      add(evidence.failure)
    }
    for failure in failures { print(failure) }
    print(
      "\(lives) random lives in blocks of 1, 2 and 5, and with a gap; evidence of \(findings)"
        + " findings replayed without each event: \(failures.count) failures")
    return !failures.isEmpty
  }
}
