// Every seeded mistake is named at its line and column, and most with what was meant.

import Testing
import TraceRuleFile
import TraceRules

@Suite struct MistakeTests {
  @Test func thereAreEnoughMistakes() {
    #expect(SeededMistake.all.count >= 40)
    #expect(SeededMistake.all.count { $0.suggestion != nil } >= 36)
  }

  @Test(arguments: SeededMistake.all) func aMistakeIsNamed(_ mistake: SeededMistake) {
    let (rules, problems) = RuleFile.parse(mistake.text, name: "rules.yaml")
    let shown = problems.map(\.text).joined(separator: "\n")
    #expect(problems.count == 1, "\(shown)")
    guard let problem = problems.first else { return }
    let place = mistake.place
    #expect(problem.code == mistake.code, "\(shown)")
    #expect((problem.line, problem.column) == place, "\(place): \(shown)")
    #expect(problem.suggestion == mistake.suggestion, "\(shown)")
    #expect(problem.text.contains("rules.yaml:\(problem.line):\(problem.column): "))
    #expect(rules.isEmpty == (problem.level == .error && mistake.code != .duplicateID))
  }

  @Test func aReportReadsWell() {
    let text = """
      tracecheck: 1
      rules:
        - id: enter-background-5s
          after: delegate.will_resign_active
          expect: delegate.did_enter_backgruond
          within: 5s
      """
    let problems = RuleFile.parse(text, name: "rules.yaml").problems
    #expect(
      problems.map(\.text) == [
        """
        rules.yaml:5:13: error[unknown-event]: rule 'enter-background-5s': no event kind \
        'delegate.did_enter_backgruond'
            expect: delegate.did_enter_backgruond
                    ^ did you mean 'delegate.did_enter_background'?
        """
      ])
  }

  @Test func allMistakesOfAFileAreNamed() {
    let text = """
      tracecheck: 1
      rules:
        - id: first
          never: gl.cal
          severity: eror
        - id: second
          nevr: gl.call
          within: 5
        - id: third
          message: "unclosed
          never: gl.call
        - id: fourth
          lasts: { span: work.span, max: 5 }
        - id: first
          never: gl.call
          never: gl.call
        - id: good
          never: gl.call
      """
    let (rules, problems) = RuleFile.parse(text, name: "f")
    #expect(rules.map(\.id) == ["good"])
    #expect(
      problems.map { "\($0.line):\($0.column) \($0.code.rawValue)" } == [
        "4:12 unknown-event", "5:15 bad-severity", "7:5 unknown-key", "10:14 not-yaml",
        "13:36 number-without-unit", "14:9 duplicate-id", "16:5 duplicate-key",
      ], "\(problems.map(\.text).joined(separator: "\n"))")
  }

  @Test func aRuleThatIsNoYAMLHidesNoOther() {
    let text = """
      tracecheck: 1
      rules:
        - id: first
          never: gl.cal
        - id: second
          never: { event: gl.call
        - id: third
          never: gl.call
          never: gl.call
        - id: good
          never: gl.call
      """
    let (rules, problems) = RuleFile.parse(text, name: "f")
    #expect(rules.map(\.id) == ["good"])
    #expect(
      problems.map { "\($0.line) \($0.code.rawValue)" } == [
        "4 unknown-event", "7 not-yaml", "9 duplicate-key",
      ], "\(problems.map(\.text).joined(separator: "\n"))")
  }

  @Test func reservedIdsAreRefused() {
    let text = "tracecheck: 1\nrules:\n  - { id: LC003, never: gl.call }\n"
    #expect(RuleFile.parse(text, name: "f").problems.isEmpty)
    let (rules, problems) = RuleFile.parse(text, name: "f", reservedIDs: ["LC003"])
    #expect(rules.isEmpty)
    #expect(problems.map(\.code) == [.duplicateID])
  }

  @Test func noTwoRulesHaveOneName() {
    func codes(_ rules: String, reserved: Set<String> = []) -> [RuleFileProblem.Code] {
      RuleFile.parse("tracecheck: 1\nrules:\n" + rules, name: "f", reservedIDs: reserved)
        .problems.map(\.code)
    }
    let mine = "  - { id: mine, never: gl.call }\n"
    #expect(codes(mine + "  - { id: Mine, never: gl.call }\n") == [.duplicateID])
    #expect(codes(mine + "  - { id: b, slug: user/mine, never: gl.call }\n") == [.duplicateID])
    #expect(
      codes("  - { id: b, slug: a/b, never: gl.call }\n", reserved: ["a/b"]) == [.duplicateID])
    #expect(
      codes("  - { id: Graphics, never: gl.call }\n", reserved: ["graphics"]) == [.duplicateID])
    #expect(
      codes(
        "  - id: c\n    clauses:\n      - { reason: r, never: gl.call }\n"
          + "      - { reason: r, never: data.save }\n") == [.duplicateID])
  }

  @Test func whatIsWrongIsSaidOnce() {
    let text =
      "tracecheck: 1\nrules:\n  - { id: a, never: [\"<gl.call\", <data.save], where: kid }\n"
    let problems = RuleFile.parse(text, name: "f").problems
    #expect(Set(problems.map(\.text)).count == problems.count)
  }

  @Test func shortNamesAreNotGuessedAt() {
    let text = """
      tracecheck: 1
      rules:
        - id: it
          facts: [{ name: a, set: gl.call }]
          never: { event: data.save, while: a and b }
      """
    let problems = RuleFile.parse(text, name: "f").problems
    #expect(problems.map(\.suggestion) == [nil])
    #expect(problems.first?.expected == "one of the facts a")
  }

  @Test func aMarkOfTheByteOrderIsNoText() {
    let rules = "rules:\n  - { id: a, never: gl.call }\n"
    #expect(RuleFile.parse("\u{FEFF}tracecheck: 1\n" + rules, name: "f").problems.isEmpty)
    let problems = RuleFile.parse("\u{FEFF}tracecheck: 2\n" + rules, name: "f").problems
    #expect(problems.map { "\($0.line):\($0.column)" } == ["1:13"])
  }

  @Test func anAppsOwnKindsAreTakenAsTheyAre() {
    let own = "tracecheck: 1\nrules:\n  - { id: a, never: http.config }\n"
    #expect(RuleFile.parse(own, name: "f").problems.isEmpty)
    // Near to a kind of the vocabulary: a slip, unless it is declared.
    let near = "rules:\n  - { id: a, never: bgtsk.begin }\n"
    #expect(
      RuleFile.parse("tracecheck: 1\n" + near, name: "f").problems.map(\.code) == [.unknownEvent])
    #expect(
      RuleFile.parse("tracecheck: 1\nkinds: [bgtsk.begin]\n" + near, name: "f").problems.isEmpty)
    let mixed = "tracecheck: 1\nrules:\n  - { id: a, never: [http.config, gl.call] }\n"
    #expect(RuleFile.parse(mixed, name: "f").problems.map(\.code) == [.unsupported])
  }
}
