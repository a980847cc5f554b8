// Runs the examples of rules, for those who write rules: a few seconds instead of a test run.

import ArgumentParser
import TraceCatalogue
import TraceModel
import TraceRules

struct Examples: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the examples of some rules or of all, and says which fail.")

  @Argument(help: "Ids, slugs or families; none means all.")
  var names: [String] = []

  @Flag(help: "Print what each example finds.")
  var verbose = false

  @Flag(help: "Print for each rule how often its examples violate, hold, or can't be decided.")
  var counts = false

  func run() throws {
    let rules = names.isEmpty ? Catalogue.all : names.flatMap { Catalogue.rules(matching: $0) }
    var failures = 0
    var examples = 0
    var all = Counts()
    for rule in rules {
      var own = Counts()
      for (number, example) in rule.examples.enumerated() {
        examples += 1
        let run = ExampleRun(example)
        let judgement = run.judge(rule)
        let verdict = judgement.verdicts[rule.id] ?? VerdictCounts()
        own.add(verdict)
        if verbose {
          print("\(rule.id) example \(number + 1): \(judgement.findings.map(\.message))")
        }
        guard let difference = run.difference(rule) else { continue }
        failures += 1
        print("\(rule.id) example \(number + 1) “\(example.remark)”: \(difference)")
      }
      if counts { print("\(rule.id) \(own.text)") }
      all.add(own)
    }
    if names.isEmpty { failures += SharedPlans.countDifferences(rules) }
    print("\(rules.count) rules, \(examples) examples: \(all.text); \(failures) failures")
    if failures > 0 { throw ExitCode(1) }
  }
}

/// What was made of the rules for one trace must serve the next one as if it were made anew.
private enum SharedPlans {
  /// Judges the traces of all examples by all rules, two at a time, in both orders, and tells where
  /// a checker that shares its plans with those before and beside it says anything else than one
  /// that doesn't.
  static func countDifferences(_ rules: [Rule]) -> Int {
    var options = CheckOptions()
    options.rules = rules
    options.minimisesWitnesses = false
    let runs = rules.flatMap { rule in
      rule.examples.map { (name: "\(rule.id) “\($0.remark)”", run: ExampleRun($0)) }
    }
    let alone = runs.map { entry in
      var checker = Checker(header: entry.run.header, options: options)
      for var batch in entry.run.batches { checker.consume(&batch) }
      return checker.finish(isDamaged: false)
    }
    var differences = 0
    let orders: [[Int]] = [Array(runs.indices), runs.indices.reversed()]
    for order in orders {
      let plans = RulePlans(options)
      for start in stride(from: 0, to: order.count, by: 2) {
        let pair = Array(order[start..<min(start + 2, order.count)])
        let judged = judge(pair.map { runs[$0].run }, plans)
        for (number, place) in pair.enumerated() where judged[number] != alone[place] {
          differences += 1
          print("\(runs[place].name): is judged otherwise with plans that traces share")
        }
      }
    }
    return differences
  }

  /// Judges traces at once, batch by batch in turns.
  private static func judge(_ runs: [ExampleRun], _ plans: RulePlans) -> [Judgement] {
    var checkers = runs.map { Checker(header: $0.header, plans: plans) }
    for turn in 0..<(runs.map(\.batches.count).max() ?? 0) {
      for (number, run) in runs.enumerated() where turn < run.batches.count {
        var batch = run.batches[turn]
        checkers[number].consume(&batch)
      }
    }
    return checkers.indices.map { checkers[$0].finish(isDamaged: false) }
  }
}

/// How often examples are violated, ok, unknown and not evaluated.
private struct Counts {
  var violated = 0
  var ok = 0
  var unknown = 0
  var notEvaluated = 0

  mutating func add(_ verdict: VerdictCounts) {
    if verdict.isOK { ok += 1 }
    violated += verdict.violated
    unknown += verdict.unknown
    notEvaluated += verdict.notEvaluated ? 1 : 0
  }

  mutating func add(_ other: Counts) {
    violated += other.violated
    ok += other.ok
    unknown += other.unknown
    notEvaluated += other.notEvaluated
  }

  var text: String {
    "\(violated) violated, \(ok) ok, \(unknown) unknown, \(notEvaluated) not evaluated"
  }
}
