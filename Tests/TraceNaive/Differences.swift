// Compares the production checker with the naive interpreter on random pairs of rule and trace.

import TraceCatalogue
import TraceLifecycle
import TraceModel
package import TraceRules

/// A random trace for a rule, and what it takes to make it again.
package struct NaiveCase: Sendable {
  /// The rule, with its limits on numbers of events lowered to what fits into a small life.
  package var rule: Rule
  package var seed: UInt64
  package var number: Int
  package var life: RandomLife

  package init(_ rule: Rule, seed: UInt64, number: Int) {
    // Nobody writes sixty-five notifications into a life of sixty events.
    var rule = rule
    for place in rule.parameters.indices where rule.parameters[place].unit == .count {
      rule.parameters[place].value = min(rule.parameters[place].value, 1 + Int64(number % 2))
    }
    self.rule = rule
    self.seed = seed
    self.number = number
    var mixer = NaiveGenerator(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
    var maker = RandomLifeMaker(rule, seed: mixer.next())
    life = maker.life()
  }

  /// The trace as the naive interpreter takes it.
  package var trace: NaiveTrace? {
    let grace = rule.parameters.first.flatMap { $0.name == "grace" ? $0.value : nil }
    return NaiveTrace(
      header: life.header, profile: life.profile, batches: [life.batch],
      graceNanoseconds: grace ?? LifecycleModel.defaultGraceNanoseconds)
  }

  /// What both say, and the trace line by line; for a person who looks for the fault.
  package var description: String {
    var lines = ["rule \(rule.id), seed \(seed), case \(number), profile \(life.profile)"]
    for (field, value) in life.header.presentFields { lines.append("  \(field.name) \(value)") }
    let states = trace?.events ?? []
    for place in 0..<life.batch.count {
      let event = life.batch.event(at: place)
      let arguments = life.batch.arguments(at: place).map { "\($0.name)=\($0.value)" }
      let mark = event.phase == .enter ? ">" : event.phase == .return ? "<" : " "
      let state = place < states.count ? states[place].stateAfter.symbol : "?"
      lines.append(
        "  \(place) \(event.timeNanoseconds) \(state) @\(event.thread) \(mark)"
          + "\(life.batch.name(of: event.kind)) \(arguments.joined(separator: " "))")
    }
    if let trace {
      let naive = NaiveInterpreter(rule, trace).judgement()
      lines.append("naive: \(brief(naive.violations)) unknown: \(naive.mayBeUnknown)")
    }
    let (violations, unknown) = production(rule, life)
    lines.append("checker: \(brief(violations)) unknown: \(unknown.map { "\($0)" } ?? "all")")
    return lines.joined(separator: "\n")
  }
}

private func brief(_ violations: [NaiveViolation]) -> String {
  violations.map {
    "\($0.reason ?? "-") \($0.severity) at \($0.time) of launch \($0.launch) ×\($0.count)"
  }.joined(separator: "; ")
}

/// What the production checker says of a rule and a trace; the number of verdicts that it can't
/// give is nil where it doesn't evaluate the rule.
private func production(
  _ rule: Rule, _ life: RandomLife, inPieces: Bool = false
) -> (violations: [NaiveViolation], unknown: Int?) {
  var options = CheckOptions()
  options.rules = [rule]
  options.profile = life.profile
  var checker = Checker(header: life.header, options: options)
  for var batch in inPieces ? life.pieces : [life.batch] { checker.consume(&batch) }
  let judgement = checker.finish(isDamaged: false)
  let violations = judgement.findings.filter { $0.rule == rule.id }.map {
    NaiveViolation(
      reason: $0.reason, severity: $0.severity, time: $0.timeNanoseconds, launch: $0.launch,
      count: $0.count)
  }
  let verdict = judgement.verdicts[rule.id] ?? VerdictCounts()
  return (violations, verdict.notEvaluated ? nil : verdict.unknown)
}

/// What became of the pairs of a rule.
package struct NaiveTally: Sendable {
  package var violated = 0
  package var ok = 0
  package var unknown = 0
  package var notEvaluated = 0

  package var pairs: Int { violated + ok + unknown + notEvaluated }
}

extension NaiveCase {
  /// How the production checker and the interpreter differ; nil if they agree. What the checker
  /// says is counted.
  ///
  /// Where the interpreter can't decide something and the checker reports nothing and says that it
  /// can't either, they agree.
  func difference(_ tally: inout NaiveTally) -> String? {
    guard let trace else { return nil }
    let naive = NaiveInterpreter(rule, trace).judgement()
    let (violations, unknown) = production(rule, life)
    switch unknown {
    case _ where !violations.isEmpty: tally.violated += 1
    case nil: tally.notEvaluated += 1
    case 0?: tally.ok += 1
    default: tally.unknown += 1
    }
    let inPieces = production(rule, life, inPieces: true)
    if sorted(inPieces.violations) != sorted(violations) || inPieces.unknown != unknown {
      return "the checker says otherwise of the trace in pieces"
    }
    if sorted(violations) == sorted(naive.violations) { return nil }
    if naive.mayBeUnknown && violations.isEmpty && unknown != 0 { return nil }
    let missing = naive.violations.filter { !violations.contains($0) }
    let extra = violations.filter { !naive.violations.contains($0) }
    guard let first = (missing + extra).min(by: { $0.time < $1.time }) else {
      return "the same reports, but not equally often"
    }
    let who = missing.contains(first) ? "only the interpreter" : "only the checker"
    return "\(who) says \(brief([first]))"
  }
}

private func sorted(_ violations: [NaiveViolation]) -> [NaiveViolation] {
  violations.sorted {
    ($0.time, $0.launch, $0.reason ?? "", $0.count, $0.severity)
      < ($1.time, $1.launch, $1.reason ?? "", $1.count, $1.severity)
  }
}

/// Compares so many random pairs of rule and trace.
///
/// - Returns: What the checker says of the pairs of each rule, and the differences, each with rule,
///   seed and number of the case: `NaiveCase` makes it again.
package func sweep(
  rules: [Rule], pairs: Int, seed: UInt64
) -> (tallies: [String: NaiveTally], failures: [String]) {
  let failuresMax = 200
  var tallies: [String: NaiveTally] = [:]
  var failures: [String] = []
  guard !rules.isEmpty else { return (tallies, failures) }
  for number in 0..<pairs where failures.count < failuresMax {
    let one = NaiveCase(rules[number % rules.count], seed: seed, number: number)
    if let difference = one.difference(&tallies[one.rule.id, default: NaiveTally()]) {
      failures.append("\(one.rule.id) seed \(seed) case \(number): \(difference)")
    }
  }
  return (tallies, failures)
}
