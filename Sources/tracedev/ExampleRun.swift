// Runs one example of a rule and compares what is found with what the example says.

import TraceCatalogue
import TraceModel
import TraceNotation
import TraceRules

/// The trace of an example, read once and judged as often as wanted.
struct ExampleRun {
  let example: RuleExample
  let header: TraceHeader
  let batches: [EventBatch]
  /// What is wrong with the text itself; nil if it can be read.
  let mistake: String?

  init(_ example: RuleExample) {
    self.example = example
    var header = TraceHeader()
    var batches: [EventBatch] = []
    var mistake: String?
    var decoder = TimelineDecoder(requiresFirstLine: false)
    let bytes = Array(example.document.utf8)
    decoder.feed(bytes.span)
    decoder.finish()
    var batch = EventBatch()
    reading: while true {
      switch decoder.next(into: &batch) {
      case .header(let read): header = read
      case .batch: batches.append(batch)
      case .problem(let problem):
        if problem.consequence != .truncated { mistake = "\(problem)" }
      case .remark, .stream: break
      case .needsInput, .end: break reading
      }
    }
    self.header = header
    self.batches = batches
    self.mistake = mistake
  }

  func judge(_ rule: Rule) -> Judgement {
    var options = CheckOptions()
    options.rules = [rule]
    options.minimisesWitnesses = false
    var checker = Checker(header: header, options: options)
    for var batch in batches { checker.consume(&batch) }
    return checker.finish(isDamaged: false)
  }

  /// How a rule's judgement differs from what the example says; nil if it doesn't.
  func difference(_ rule: Rule) -> String? {
    if let mistake { return "can't be read: \(mistake)" }
    let judgement = judge(rule)
    let findings = judgement.findings.filter { $0.rule == rule.id }
    let verdict = judgement.verdicts[rule.id]
    let unknown = verdict?.unknown ?? 0
    let found = findings.map { "\($0.reason ?? "-") at \($0.timeNanoseconds): \($0.message)" }
    switch example.expectation {
    case .holds:
      if !findings.isEmpty { return "should hold, but \(found)" }
      if unknown > 0 { return "should hold, but is unknown: \(verdict?.unknownReasons ?? [:])" }
    case .violates(let reasons):
      if findings.map(\.reason) != reasons { return "should violate \(reasons), but \(found)" }
      if let wanted = example.severities, findings.map(\.severity) != wanted {
        return "should be \(wanted), but is \(findings.map(\.severity))"
      }
      if unknown > 0 { return "is also unknown: \(verdict?.unknownReasons ?? [:])" }
      if let message = findings.first(where: { $0.message.contains("{") })?.message {
        return "unfilled field: \(message)"
      }
      return misplaced(findings)
    case .unknown:
      if !findings.isEmpty { return "should be unknown, but \(found)" }
      if unknown == 0 { return "should be unknown, but holds" }
    }
    return nil
  }

  private func misplaced(_ findings: [Finding]) -> String? {
    let lines = example.document.split(separator: "\n", omittingEmptySubsequences: false)
    let marked = lines.indices.filter { lines[$0].hasSuffix("# here") }.map { UInt32($0 + 1) }
    guard marked.count == findings.count else {
      return "has \(marked.count) marks for \(findings.count) findings"
    }
    for (mark, finding) in zip(marked, findings)
    where finding.launch > 0 && !finding.witness.contains(where: { $0.line == mark }) {
      return "the mark in line \(mark) is not where it is found:"
        + " \(finding.witness.map { "\($0.line) \($0.event)" })"
    }
    return nil
  }
}
