// The page about a rule, in parts that every form of it shares: `explain` and `rules RULE`.

import TraceCatalogue
import TraceConfiguration
import TraceExport
import TraceLifecycle
import TraceModel
import TraceRules

/// What is to be said of a rule, in its order.
///
/// All texts are printable and have no line feeds, but for code.
struct RulePage {
  enum Block: Hashable {
    case paragraph(String)
    case items([String])
    /// A piece of text that is shown as it is.
    case code([String], language: String)
  }

  struct Section: Hashable {
    var title: String
    var blocks: [Block]
  }

  /// Which examples are shown.
  enum Examples {
    /// Some for each way to break the rule, and some that hold.
    case few
    case all
  }

  let rule: Rule
  let id: String
  let slug: String
  let severity: String
  let summary: String
  private(set) var sections: [Section] = []

  init(_ rule: Rule, examples: Examples = .few) {
    self.rule = rule
    id = Self.oneLine(rule.id)
    slug = Self.oneLine(rule.slug)
    severity = rule.severity.rawValue
    summary = Self.oneLine(rule.summary)
    addProse()
    addLimits()
    addEnds()
    addReasons()
    addScope()
    addExamples(examples)
    if !rule.sources.isEmpty {
      let sources = rule.sources.map { source in
        Self.oneLine(source.section.isEmpty ? source.title : "\(source.title), \(source.section)")
      }
      add("Sources", [.items(sources)])
    }
  }

  private mutating func add(_ title: String, _ blocks: [Block]) {
    sections.append(Section(title: title, blocks: blocks))
  }

  private mutating func addProse() {
    for (title, text) in [("What the system does", rule.consequence), ("Why", rule.rationale)] {
      let text = Self.oneLine(text)
      if !text.isEmpty { add(title, [.paragraph(text)]) }
    }
    var blocks: [Block] = []
    let advice = Self.oneLine(rule.advice)
    if !advice.isEmpty { blocks.append(.paragraph(advice)) }
    if let snippet = Snippets.of(rule.id) {
      for (name, language, code) in [
        ("In Swift:", "swift", snippet.swift), ("In Objective-C:", "objc", snippet.objectiveC),
      ] where !code.isEmpty {
        blocks += [.paragraph(name), .code(Self.lines(code), language: language)]
      }
    }
    if !blocks.isEmpty { add("How to fix it", blocks) }
  }

  private mutating func addLimits() {
    guard let first = rule.parameters.first else { return }
    let items = rule.parameters.map { parameter in
      "\(Self.oneLine(parameter.name)): \(LimitText.text(parameter.value, parameter.unit)),"
        + " \(parameter.basis.rawValue)"
    }
    let name = "\(rule.id).\(first.name)"
    let value = Self.settable(first)
    add(
      "Limits",
      [
        .items(items),
        .paragraph("To change one, on the command line or in .tracecheck.yml:"),
        .code(
          ["--threshold \(name)=\(value)", "thresholds: { \(name): \(value) }"], language: "text"),
      ])
  }

  /// The ends of the process that a finding of the rule explains.
  private mutating func addEnds() {
    let ends = rule.explains.compactMap(Terminations.named)
    if ends.isEmpty { return }
    let items = ends.map { end in
      let code = end.codes.first.map { ", \(Terminations.hexadecimal($0))" } ?? ""
      return "\(end.id)\(code): the app \(end.meaning)"
    }
    add("Ends that it explains", [.items(items)])
  }

  /// A parameter's value as `--threshold` takes it.
  private static func settable(_ parameter: RuleParameter) -> String {
    switch parameter.unit {
    case .count, .framesPerSecond: "\(parameter.value)"
    default: LimitText.text(parameter.value, parameter.unit).filter { $0 != " " }
    }
  }

  private mutating func addReasons() {
    let named = rule.clauses.filter { $0.reason != nil }
    if named.isEmpty { return }
    var seen: Set<String> = []
    let items = named.map { "\(Self.oneLine($0.reason ?? "")) (\($0.severity.rawValue))" }
    add("Reasons", [.items(items.filter { seen.insert($0).inserted })])
  }

  private mutating func addScope() {
    let isForAll = Set(rule.profiles) == Set(Profile.allCases)
    let profiles = rule.profiles.map(\.rawValue).joined(separator: ", ")
    add("Applies to", [.paragraph(isForAll ? "every profile" : "profiles \(profiles)")])
    var evidence: [String] = []
    let needs = Self.oneLine(rule.needs.joined(separator: ", "))
    evidence.append(
      needs.isEmpty
        ? "any capture: the header, and what every recorder records"
        : "a capture that covers \(needs); without them the rule is not evaluated")
    for clause in rule.clauses {
      let start = clause.reason.map { "for \($0): " } ?? ""
      if !clause.needs.isEmpty {
        evidence.append(Self.oneLine(start + "also \(clause.needs.joined(separator: ", "))"))
      }
      switch clause.evidence {
      case .none: break
      case .suspensionOrHeartbeat:
        evidence.append(Self.oneLine(start + "a suspension or a heartbeat in the trace"))
      case .noSuspension:
        evidence.append(Self.oneLine(start + "no suspension in the trace"))
      case .kill where clause.hasKeyedEvent:
        evidence.append(Self.oneLine(start + "or the system's own warning, in any capture"))
      case .kill:
        evidence.append(
          Self.oneLine(start + "or a report of a kill, which needs to cover no more than proc"))
      }
    }
    var seen: Set<String> = []
    add("Evidence", [.items(evidence.filter { seen.insert($0).inserted })])
    if !rule.yields.isEmpty {
      let items = rule.yields.map {
        "\(Self.oneLine($0.rule)), where both find fault with the same \($0.sameness.rawValue)"
          + ($0.unlessMilder ? ", unless its finding is milder" : "")
      }
      add("Gives way to", [.items(items)])
    }
    if let because = rule.reasonForHand {
      add("Written by hand", [.paragraph("because " + Self.oneLine(because))])
    }
  }

  // MARK: Examples

  private mutating func addExamples(_ choice: Examples) {
    let shown = choice == .all ? rule.examples : Self.few(of: rule.examples)
    for example in shown {
      let remark = Self.oneLine(example.remark)
      let title = "Example, \(Self.title(of: example.expectation))"
      let code = Block.code(Self.lines(example.timeline), language: "text")
      add(title, remark.isEmpty ? [code] : [.paragraph(remark), code])
    }
    let rest = rule.examples.count - shown.count
    if rest > 0 {
      let more = Counted.text(rest, "more example")
      add("More examples", [.paragraph("\(more): tracecheck explain \(id) --examples all")])
    }
  }

  private static let violatingShown = 2
  private static let holdingShown = 2

  /// One for each combination of reasons, at least two that violate, and two that hold.
  private static func few(of examples: [RuleExample]) -> [RuleExample] {
    var reasonsSeen: Set<String?> = []
    var violating = 0
    var holding = 0
    return examples.filter { example in
      switch example.expectation {
      case .violates(let reasons):
        let isNew = reasons.contains { reasonsSeen.insert($0).inserted }
        if !isNew, violating >= violatingShown { return false }
        violating += 1
        return true
      case .holds:
        holding += 1
        return holding <= holdingShown
      case .unknown: return false
      }
    }
  }

  private static func title(of expectation: RuleExample.Expectation) -> String {
    switch expectation {
    case .holds: return "holds"
    case .unknown: return "can't be decided"
    case .violates(let reasons):
      let named = reasons.compactMap { $0 }.map { oneLine($0) }
      return named.isEmpty ? "violates" : "violates (\(named.joined(separator: ", ")))"
    }
  }

  // MARK: Texts of strangers

  private static let scalarsMax = 20_000

  /// A text on one line, harmless to look at.
  static func oneLine(_ text: String) -> String {
    let words = text.split { $0 == " " || $0.isNewline || $0 == "\t" }
    return PrintableText.printable(words.joined(separator: " "), scalarsMax: scalarsMax)
  }

  /// The lines of a code, each harmless to look at.
  private static func lines(_ code: String) -> [String] {
    code.split(omittingEmptySubsequences: false) { $0.isNewline }.map {
      PrintableText.printable(String($0), scalarsMax: scalarsMax)
    }
  }
}
