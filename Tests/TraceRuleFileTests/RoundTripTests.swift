// Every built-in rule can be printed as YAML, and reads back as the same rule.

import Testing
import TraceCatalogue
import TraceRuleFile
import TraceRules

@Suite struct RoundTripTests {
  private static var readable: [Rule] {
    Catalogue.all.filter { rule in
      !rule.clauses.contains { clause in
        if case .handWritten = clause.pattern { true } else { false }
      }
    }
  }

  @Test(arguments: readable.map(\.id)) func aBuiltInRuleReadsBack(_ id: String) throws {
    let rule = try #require(Catalogue.all.first { $0.id == id })
    let text = RuleFile.print(rule)
    let (rules, problems) = RuleFile.parse(text, name: "\(id).yaml")
    #expect(problems.map(\.text) == [])
    #expect(rules.count == 1)
    let read = try #require(rules.first)
    #expect(CanonicalDump.text(read) == CanonicalDump.text(rule))
    #expect(RuleFile.print(read) == text)
  }

  /// Any text survives, whatever YAML would make of it.
  @Test(arguments: [
    "", " ", " leading", "trailing ", "a: b", "a #b", "# a", "'", "\"", "it's", "\\", "\n", "a\nb",
    "\na", "a\n", "a\n\n  b", "  a\nb", "-", "- a", "true", "No", "null", "~", "5s", "5", "0x1",
    "*a",
    "&a", ">a", ">", "|", "|-", "{a", "[a", "]", "a, b", "@a", "`a", "%a", "!a", "?", "? a", ":",
    "a:",
    "é", "日本", "\u{85}", "\u{1}", "a\u{0}b", "\u{7F}", "\u{2028}", "\u{F0000}", "\u{E000}", "😀",
    "a\u{FEFF}b", "a\tb", "\t", "\r\n", "a\rb", "---", "...", "--- a", "<<", "=", "\u{202E}abc",
    String(repeating: "word ", count: 60), String(repeating: "word  two ", count: 30) + "end",
    String(repeating: "x", count: 2_000), String(repeating: "a b ", count: 40) + ">c",
    String(repeating: "a\n", count: 40) + "- b: c # d",
  ]) func anyTextReadsBack(_ text: String) throws {
    var rule = try #require(Catalogue.all.first { $0.id == "LC003" })
    rule.summary = text
    rule.rationale = text
    rule.sources = [RuleSource("title " + text, text)]
    rule.tags = ["tag", "t" + text]
    rule.clauses[0].reason = "r" + text
    let body = text.filter { $0 != "{" }
    rule.clauses[0].message = MessageTemplate(body)
    rule.facts = [Fact("f" + text, set: [])]
    if case .lasts(var lasts) = rule.clauses[0].pattern {
      lasts.subject = .condition(.all([.fact("f" + text), .not(.anyFact("f" + text))]))
      lasts.killCauses = ["k" + text]
      rule.clauses[0].pattern = .lasts(lasts)
    }
    rule.examples = [
      .violates("v" + text, reasons: [nil, "null", "r" + text], "t" + text), .holds(text, "t"),
    ]
    let (rules, problems) = RuleFile.parse(RuleFile.print(rule), name: "f")
    #expect(problems.filter { $0.level == .error }.map(\.text) == [])
    let read = try #require(rules.first)
    #expect(CanonicalDump.text(read) == CanonicalDump.text(rule))
  }

  @Test func allRulesInOneFileReadBack() {
    let text = RuleFile.print(Self.readable, withExamples: false)
    let (rules, problems) = RuleFile.parse(text, name: "all.yaml")
    #expect(problems.map(\.text) == [])
    #expect(rules.map(\.id) == Self.readable.map(\.id))
  }

  @Test func aRuleByHandIsPrintedAndNotRead() {
    for rule in Catalogue.all where !Self.readable.contains(where: { $0.id == rule.id }) {
      let (rules, problems) = RuleFile.parse(RuleFile.print(rule), name: "rule.yaml")
      #expect(rules.isEmpty)
      let errors = problems.filter { $0.level == .error }
      #expect(!errors.isEmpty && errors.allSatisfy { $0.code == .unsupported })
    }
  }

  @Test func printingTwiceGivesTheSameText() {
    for rule in Catalogue.all { #expect(RuleFile.print(rule) == RuleFile.print(rule)) }
  }
}
