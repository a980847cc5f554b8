// Runs the examples of rules, for those who write rules: a few seconds instead of a test run.

import ArgumentParser
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
  /// Judges the traces of all examples by all rules, two at a time, and tells where a checker that
  /// shares its plans with those before and beside it says anything else than one that doesn't.
  static func countDifferences(_ rules: [Rule]) -> Int {
    var options = CheckOptions()
    options.rules = rules
    options.minimisesWitnesses = false
    let plans = RulePlans(options)
    let runs = rules.flatMap { rule in
      rule.examples.map { (name: "\(rule.id) “\($0.remark)”", run: ExampleRun($0)) }
    }
    var differences = 0
    for start in stride(from: 0, to: runs.count, by: 2) {
      let pair = runs[start..<min(start + 2, runs.count)]
      var checkers = pair.map { Checker(header: $0.run.header, plans: plans) }
      for place in 0..<(pair.map { $0.run.batches.count }.max() ?? 0) {
        for (number, entry) in pair.enumerated() where place < entry.run.batches.count {
          var batch = entry.run.batches[place]
          checkers[number].consume(&batch)
        }
      }
      for (number, entry) in pair.enumerated() {
        var anew = Checker(header: entry.run.header, options: options)
        for var batch in entry.run.batches { anew.consume(&batch) }
        if checkers[number].finish(isDamaged: false) == anew.finish(isDamaged: false) { continue }
        differences += 1
        print("\(entry.name): is judged otherwise with plans that traces share")
      }
    }
    return differences
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
