// No text makes the reader trap, hang or grow.

import Testing
import TraceCatalogue
import TraceRuleFile
import TraceRules

@Suite struct HostileTextTests {
  private func codes(_ text: String) -> [RuleFileProblem.Code] {
    RuleFile.parse(text, name: "f").problems.map(\.code)
  }

  @Test func aliasesCanNotGrow() {
    var bomb = "tracecheck: 1\na0: &a0 [x, x]\n"
    for level in 1...60 { bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    bomb += "? *a60\n: *a60\n"
    let problems = RuleFile.parse(bomb, name: "f").problems
    #expect(!problems.isEmpty)
    let short =
      "tracecheck: 1\nrules:\n  - id: a\n    slug: &a a\n    never: gl.call\n    message: *a\n"
    #expect(codes(short) == [.noAliases, .noAliases])
  }

  @Test func aTextMayBeginWithAnyCharacterInQuotes() throws {
    let text = """
      tracecheck: 1
      rules:
        - id: it
          never: gl.call
          message: "*any* & &more ?no >yes"
          summary: >-
            >delegate & *glob
            & more
          where: label matches "*?x"
      """
    let (rules, problems) = RuleFile.parse(
      text.replacing("gl.call", with: "work.span"), name: "f")
    #expect(problems.map(\.text) == [])
    let rule = try #require(rules.first)
    #expect(rule.clauses[0].message.text == "*any* & &more ?no >yes")
    #expect(rule.summary == ">delegate & *glob & more")
  }

  @Test func whatIsPrintedGivesTheRunnerOfAJobNoOrders() throws {
    let text = """
      tracecheck: 1
      rules:
        - id: it
          never: gl.call
          message: "##[error]a"
          rationale: "first\\n::error::b"
          summary: "::error::c"
          advice: "\(String(repeating: "word ", count: 18))::error::d ##vso[e] f"
      """
    let (rules, problems) = RuleFile.parse(text, name: "f")
    #expect(problems.map(\.text) == [])
    let printed = RuleFile.print(rules)
    for line in printed.split(separator: "\n") {
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      #expect(!line.contains("##[") && !line.contains("##vso["), "\(line)")
    }
    let again = try #require(RuleFile.parse(printed, name: "f").rules.first)
    let rule = try #require(rules.first)
    #expect(again.clauses[0].message.text == "##[error]a")
    #expect(again.rationale == "first\n::error::b" && again.summary == "::error::c")
    #expect(again.advice == rule.advice)
  }

  @Test func tagsAreRefused() {
    #expect(codes("tracecheck: 1\nrules: !!python/object [a]\n").first == .noTags)
  }

  @Test func sizeIsBounded() {
    let line = "# a comment that fills the file\n"
    let start = "tracecheck: 1\nrules:\n  - { id: a, never: gl.call }\n"
    let filler = String(
      repeating: "#", count: RuleFileLimits.bytesMax - start.utf8.count - line.utf8.count)
    let full = start + line + filler
    #expect(full.utf8.count == RuleFileLimits.bytesMax)
    #expect(codes(full).isEmpty)
    #expect(codes(full + "#") == [.tooLarge])
  }

  @Test func depthIsBounded() {
    func nested(_ depth: Int) -> String {
      "tracecheck: 1\nrules: []\nx: " + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "\n"
    }
    // The value of `x` lies one deep.
    #expect(!codes(nested(RuleFileLimits.depthMax - 1)).contains(.tooDeep))
    #expect(codes(nested(RuleFileLimits.depthMax)).contains(.tooDeep))
    #expect(codes(nested(900)).contains(.tooDeep))
    #expect(!codes(nested(100_000)).isEmpty)
    #expect(!codes(String(repeating: "[", count: 500_000)).isEmpty)
    #expect(!codes(String(repeating: "{", count: 500_000)).isEmpty)
    #expect(!codes(String(repeating: "- ", count: 500_000)).isEmpty)
    #expect(!codes(String(repeating: "? ", count: 500_000)).isEmpty)
    #expect(!codes(String(repeating: "[a: ", count: 250_000)).isEmpty)
  }

  @Test func expressionsAreBounded() {
    func rule(_ depth: Int, _ open: String, _ close: String) -> String {
      "tracecheck: 1\nrules:\n  - id: a\n    never: gl.call\n    where: \""
        + String(repeating: open, count: depth) + "count > 1"
        + String(repeating: close, count: depth)
        + "\"\n"
    }
    let max = RuleFileLimits.expressionDepthMax
    #expect(codes(rule(max - 1, "(", ")")).isEmpty)
    #expect(codes(rule(max, "(", ")")) == [.badWhere])
    #expect(codes(rule(100_000, "not ", "")) == [.badWhere])
    #expect(codes(rule(100_000, "f(", ")")) == [.badWhere])
  }

  @Test func rulesAreBounded() {
    func file(_ count: Int) -> String {
      "tracecheck: 1\nrules:\n"
        + (0..<count).map { "  - { id: r\($0), never: gl.call }\n" }.joined()
    }
    #expect(codes(file(RuleFileLimits.rulesMax)).isEmpty)
    #expect(codes(file(RuleFileLimits.rulesMax + 1)) == [.tooMany])
  }

  @Test func clausesAreBounded() {
    func file(_ counts: [Int]) -> String {
      "tracecheck: 1\nrules:\n"
        + counts.enumerated().map { number, count in
          "  - id: r\(number)\n    clauses:\n"
            + String(repeating: "      - { never: gl.call }\n", count: count)
        }.joined()
    }
    let max = RuleFileLimits.clausesMax
    #expect(codes(file([max])).isEmpty)
    #expect(codes(file([max + 1])) == [.tooMany])
    let all = RuleFileLimits.fileClausesMax
    #expect(codes(file([Int](repeating: max, count: all / max))).isEmpty)
    #expect(codes(file([Int](repeating: max, count: all / max) + [1])) == [.tooMany])
    #expect(codes(file([20_000])) == [.tooMany])
  }

  @Test func machinesAreBounded() {
    func rule(_ count: Int) -> String {
      "tracecheck: 1\nrules:\n  - id: a\n    order:\n      start: s0\n"
        + (0..<count).map { "      s\($0): { gl.call: s\(($0 + 1) % count) }\n" }.joined()
    }
    #expect(codes(rule(RuleFileLimits.orderStatesMax)).isEmpty)
    #expect(codes(rule(RuleFileLimits.orderStatesMax + 1)) == [.tooMany])
    #expect(codes(rule(20_000)) == [.tooMany])
  }

  @Test func listsOfEventsAreBounded() {
    func rule(_ count: Int) -> String {
      let list = [String](repeating: "gl.call", count: count).joined(separator: ", ")
      return "tracecheck: 1\nrules:\n  - { id: a, never: [\(list)] }\n"
    }
    #expect(codes(rule(RuleFileLimits.eventsMax)).isEmpty)
    #expect(codes(rule(RuleFileLimits.eventsMax + 1)) == [.tooMany])
  }

  @Test func problemsAreBounded() {
    func file(_ count: Int) -> String {
      "tracecheck: 1\nrules: []\n" + (0..<count).map { "key\($0): 1\n" }.joined()
    }
    let max = RuleFileLimits.problemsMax
    #expect(codes(file(max - 1)).count == max - 1)
    let many = codes(file(20_000))
    #expect(many.count == max)
    #expect(many.contains(.tooMany))
  }

  @Test(arguments: [
    "", "\n", "tracecheck: 1", "- a", "a: b: c", "\u{FEFF}tracecheck: 1\nrules: []\n", "\u{0}",
    "\t",
    "%YAML 9.9\n---\n", "--- a\n--- b\n", "...", "'", "\"\\", "[", "{", "|", ">", ">a", "&", "*",
    "*a",
    "&a", "?", "? ? ?", "!", "!<", ": ", "rules: {}", "tracecheck: 1\nrules: &a\n", "{a: 1, a: 2}",
    "{[a]: 1, [a]: 2}", "{\"\": 1, \"\": 2}", "{\"a\": 1, 'a': 2, a: 3}", "\"\\ud800\"",
    "tracecheck: 1\nrules:\n- {}\n- []\n- ~\n- 1\n", "tracecheck: 1\r\nrules: []\r\n",
    "\u{85}\u{2028}a: 1",
    "a: \u{F0000}\u{F0001}\u{F0002}\u{F0003}\u{F0004}", "a: 1\na: 1\n? a\n: 1\n", ": 1\n: 2\n",
  ]) func oddTextsAreNoTraps(_ text: String) {
    let (_, problems) = RuleFile.parse(text, name: "f")
    for problem in problems { #expect(!problem.text.isEmpty && problem.line >= 1) }
  }

  @Test func changedBytesAreNoTraps() {
    var generator = Generator(state: 0x5EED)
    let seeds =
      ["LC002", "LC003", "LC004"].compactMap { id in Catalogue.all.first { $0.id == id } }
      .map { Array(RuleFile.print($0, withExamples: false).utf8) }
      + SeededMistake.all.map { Array($0.text.utf8) }
    let odd = Array("\n\t -:?#&*!|>'\"%@`[]{},$<=.0aZ~\\\u{0}".utf8) + [0xC3, 0xFF, 0xE2, 0x85]
    var count = 0
    for _ in 0..<4_000 {
      var bytes = seeds[generator.below(seeds.count)]
      for _ in 0...generator.below(4) {
        let place = generator.below(bytes.count)
        switch generator.below(4) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(odd[generator.below(odd.count)], at: place)
        case 2: bytes[place] = odd[generator.below(odd.count)]
        default:
          let end = min(bytes.count, place + generator.below(60))
          bytes.removeSubrange(place..<end)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let (rules, problems) = RuleFile.parse(String(decoding: bytes, as: UTF8.self), name: "f")
      count += rules.count + problems.count
      for problem in problems.prefix(2) { count += problem.text.utf8.count }
    }
    #expect(count > 0)
  }
}

/// Numbers that look random and are the same in every run.
private struct Generator {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
