// Judges an example of a rule, and compares what is found with what the example says.

import TraceCatalogue
import TraceExport
import TraceLifecycle
import TraceModel
import TraceNotation
import TraceRules

/// One example, judged by its own rule.
///
/// Expected is what the example says: findings with the reasons that it lists, else one for each
/// line marked with `# here` and at least one; no finding; or a verdict that can't be decided.
struct ExampleRun {
  struct Failure: Hashable {
    var expected: String
    var found: [String]

    var lines: [String] { ["expected \(expected)"] + found.map { "found \($0)" } }
  }

  /// Nil if the example is judged as it says.
  let failure: Failure?

  init(of example: RuleExample, _ rule: Rule) {
    let document = example.document
    // Lines before the example's own: the notation's version, and the header that all share.
    let added =
      document.split(separator: "\n", omittingEmptySubsequences: false).count
      - (example.timeline + "\n").split(separator: "\n", omittingEmptySubsequences: false).count
    let asksSeverities = example.severities != nil
    let (judgement, problems) = Self.judge(document, rule, linesBefore: added)
    let expectation = Expectation(example)
    if problems.isEmpty, let judgement, expectation.isMet(judgement, rule, linesBefore: added) {
      failure = nil
    } else {
      failure = Failure(
        expected: expectation.text,
        found: problems
          + (judgement.map { Self.found($0, rule, linesBefore: added, asksSeverities) } ?? []))
    }
  }

  private static func judge(
    _ document: String, _ rule: Rule, linesBefore: Int
  ) -> (Judgement?, problems: [String]) {
    var decoder = TimelineDecoder()
    let bytes = Array(document.utf8)
    decoder.feed(bytes.span)
    decoder.finish()
    var options = CheckOptions()
    options.rules = [rule]
    options.minimisesWitnesses = false
    var checker: Checker?
    var batch = EventBatch()
    var problems: [String] = []
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header):
        if checker != nil { problems.append("a second trace, and an example is one") }
        checker = Checker(header: header, options: options)
      case .batch:
        var source = batch
        checker?.consume(&source)
      case .problem(let problem):
        if problem.consequence != .truncated {
          problems.append(text(of: problem, linesBefore: linesBefore))
        }
      case .remark, .stream: break
      case .needsInput, .end:
        if var ended = checker { return (ended.finish(isDamaged: false), problems) }
        return (nil, problems + ["no trace"])
      }
    }
  }

  private static func text(of problem: InputProblem, linesBefore: Int) -> String {
    let message = PrintableText.printable(problem.message)
    guard case .line(let line, let column) = problem.location else {
      return "a mistake in the trace: \(message)"
    }
    return "a mistake in line \(line - linesBefore) of the trace, column \(column): \(message)"
  }

  /// What the judgement says, one line each.
  private static func found(
    _ judgement: Judgement, _ rule: Rule, linesBefore: Int, _ showsSeverities: Bool
  ) -> [String] {
    var lines = judgement.findings.map { finding in
      let place = finding.witness.last.flatMap {
        $0.line > linesBefore ? "line \(Int($0.line) - linesBefore)" : nil
      }
      let reason = finding.reason.map { "\(PrintableText.printable($0)): " } ?? ""
      let severity = showsSeverities ? ", \(finding.severity.rawValue)" : ""
      return "a violation (\(place ?? "in the header")\(severity)): "
        + reason + PrintableText.printable(finding.message)
    }
    let counts = judgement.verdicts[rule.id] ?? VerdictCounts()
    if counts.unknown > 0 {
      let reasons = counts.unknownReasons.keys.sorted().map { UnknownReasonText.words(for: $0) }
      lines.append("that it can't be decided (\(reasons.joined(separator: ", ")))")
    }
    if counts.notEvaluated {
      lines.append("that the header's coverage lacks what the rule needs")
    }
    if !rule.profiles.map(\.rawValue).contains(judgement.profile) {
      lines.append(
        "that the rule isn't for the profile \(judgement.profile), which the header selects")
    }
    return lines.isEmpty ? ["no violation"] : lines
  }
}

/// What an example says of its trace.
private struct Expectation {
  private let example: RuleExample
  /// The lines of the example that end with `# here`, from 1.
  private let marks: [Int]

  init(_ example: RuleExample) {
    self.example = example
    marks = example.timeline.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .compactMap { index, line in
        line.reversed().drop { $0 == " " || $0 == "\r" }.starts(with: "# here".reversed())
          ? index + 1 : nil
      }
  }

  /// Nil unless the example lists reasons.
  private var reasons: [String?]? {
    if case .violates(let reasons) = example.expectation, reasons != [nil] { return reasons }
    return nil
  }

  var text: String {
    switch example.expectation {
    case .holds: return "no violation"
    case .unknown: return "that it can't be decided"
    case .violates(let reasons):
      let count = self.reasons == nil ? max(1, marks.count) : reasons.count
      let named = self.reasons.map { list in
        " (\(list.map { PrintableText.printable($0 ?? "no reason") }.joined(separator: ", ")))"
      }
      let lines = marks.map { "\($0)" }.joined(separator: ", ")
      let places = marks.isEmpty ? "" : " in line\(marks.count == 1 ? "" : "s") \(lines)"
      let severities = example.severities.map { list in
        " of severity \(list.map(\.rawValue).joined(separator: ", "))"
      }
      return Counted.text(count, "violation") + (named ?? "") + places + (severities ?? "")
    }
  }

  func isMet(_ judgement: Judgement, _ rule: Rule, linesBefore: Int) -> Bool {
    let findings = judgement.findings
    let unknown = judgement.verdicts[rule.id]?.unknown ?? 0
    let isEvaluated =
      judgement.verdicts[rule.id]?.notEvaluated != true
      && rule.profiles.map(\.rawValue).contains(judgement.profile)
    switch example.expectation {
    // That a rule isn't for an app is one way to hold.
    case .holds: return findings.isEmpty && unknown == 0
    case .unknown: return findings.isEmpty && (unknown > 0 || !isEvaluated)
    case .violates:
      if unknown > 0 { return false }
      if let reasons {
        if findings.map(\.reason) != reasons { return false }
      } else if findings.count != max(1, marks.count) {
        return false
      }
      if let severities = example.severities, findings.map(\.severity) != severities {
        return false
      }
      if marks.isEmpty { return true }
      return marks.count == findings.count
        && zip(marks, findings).allSatisfy { mark, finding in
          finding.launch == 0
            || finding.witness.contains { Int($0.line) - linesBefore == mark }
        }
    }
  }
}
