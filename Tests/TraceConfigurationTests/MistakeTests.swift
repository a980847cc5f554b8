// Every mistake is told at its place, with what was probably meant.

import Testing
import TraceCatalogue
import TraceConfiguration
import TraceRules

struct Mistake: Sendable, CustomTestStringConvertible {
  var text: String
  var line: Int
  var column: Int
  var code: ConfigurationProblem.Code
  var suggestion: String?

  init(
    _ text: String, _ line: Int, _ column: Int, _ code: ConfigurationProblem.Code,
    _ suggestion: String? = nil
  ) {
    self.text = text
    self.line = line
    self.column = column
    self.code = code
    self.suggestion = suggestion
  }

  var testDescription: String { text }
}

struct MistakeTests {
  static let rootMistakes = [
    Mistake("fail-on: error", 2, 1, .unknownKey, "fail_on"),
    Mistake("severitys: {}", 2, 1, .unknownKey, "severities"),
    Mistake("ignore: [LC001]", 2, 1, .unknownKey, "skip"),
    Mistake("colour: red", 2, 1, .unknownKey),
    Mistake("capture_pattern: []", 2, 1, .unknownKey, "capture_patterns"),
    Mistake("tracecheck: 1", 2, 1, .duplicateKey),
    Mistake("fail_on: warn", 2, 10, .badWord, "warning"),
    Mistake("fail_on: [error]", 2, 10, .badType),
    Mistake("fail_on:", 2, 9, .badType),
    Mistake("profile: ios88", 2, 10, .unknownProfile, "ios8"),
    Mistake("only: LC999x", 2, 7, .unknownRule),
    Mistake("only: []", 2, 7, .badType),
    Mistake("skip: [LC001, grafics]", 2, 15, .unknownRule, "graphics"),
    Mistake("skip: {LC001: off}", 2, 7, .badType),
    Mistake("rule_files: [a.yaml, a.yaml]", 2, 22, .duplicateKey),
    Mistake("rule_files: [{a: b}]", 2, 14, .badType),
    Mistake("profile: &a ios8", 2, 10, .noAliases, "\"&a ios8\""),
    Mistake("fail_on: !level error", 2, 10, .noTags),
    Mistake("rules: [LC001", 3, 1, .notYAML),
  ]

  static let ruleMistakes = [
    Mistake("severities:\n  LC03: error", 3, 3, .unknownRule, "LC003"),
    Mistake("severities:\n  lc003: warn", 3, 10, .badSeverity, "warning"),
    Mistake("severities:\n  LC003: off", 3, 10, .badSeverity),
    Mistake("severities:\n  graphics: note", 3, 3, .unknownRule),
    Mistake("severities:\n  LC004: note\n  graphics/gl-in-background: note", 4, 3, .duplicateKey),
    Mistake("severities: LC003", 2, 13, .badType),
    Mistake("thresholds:\n  LC003: 8", 3, 10, .numberWithoutUnit, "8s"),
    Mistake("thresholds:\n  LC003: 8.5", 3, 10, .numberWithoutUnit, "8.5s"),
    Mistake("thresholds:\n  LC003: 8 sec", 3, 10, .badDuration, "8s"),
    Mistake("thresholds:\n  LC003: -8s", 3, 10, .badDuration),
    Mistake("thresholds:\n  LC003: 300000000000h", 3, 10, .badDuration),
    Mistake("thresholds:\n  LC004: 1.5", 3, 10, .badNumber),
    Mistake("thresholds:\n  LC004: 99999999999999999999", 3, 10, .badNumber),
    Mistake("thresholds:\n  LC002.grcae: 2s", 3, 9, .unknownParameter, "grace"),
    Mistake("thresholds:\n  LC02.grace: 2s", 3, 3, .unknownRule, "LC002"),
    Mistake("thresholds:\n  graphics: 2", 3, 3, .unknownRule),
    Mistake("thresholds:\n  LC002: 1s\n  LC002.grace: 2s", 4, 3, .duplicateKey),
    Mistake("rules:\n  LC003: true", 3, 10, .badWord, "on"),
    Mistake("rules:\n  LC003: of", 3, 10, .badWord, "off"),
    Mistake("rules:\n  LC003: error", 3, 10, .badWord),
    Mistake("rules:\n  graphic: off", 3, 3, .unknownRule, "graphics"),
    Mistake("rules:\n  - id: mine", 3, 3, .badType),
  ]

  static let suppressionMistakes = [
    Mistake("suppressions: {rule: LC001}", 2, 15, .badType),
    Mistake("suppressions:\n  - LC001", 3, 5, .badType),
    Mistake("suppressions:\n  - {rule: LC001, subject: a}", 3, 5, .missingKey),
    Mistake("suppressions:\n  - {rule: LC001, reason: a}", 3, 5, .missingKey),
    Mistake("suppressions:\n  - {subject: a, reason: a}", 3, 5, .missingKey),
    Mistake("suppressions:\n  - {rule: LC01, subject: a, reason: a}", 3, 12, .unknownRule, "LC001"),
    Mistake("suppressions:\n  - {rule: LC001, subject: a, reason: ' '}", 3, 39, .badType),
    Mistake("suppressions:\n  - {rule: LC001, subject: '', reason: a}", 3, 28, .badType),
    Mistake("suppressions:\n  - {rule: LC001, fingerprint: 12, reason: a}", 3, 32, .badFingerprint),
    Mistake(
      "suppressions:\n  - {rule: LC001, subject: a, because: a}", 3, 31, .unknownKey, "reason"),
    Mistake(
      "suppressions:\n  - rule: LC001\n    subject: a\n    reason: a\n    expires: 2026-2-3",
      6, 14, .badDate, "2026-02-03"),
    Mistake(
      "suppressions:\n  - rule: LC001\n    subject: a\n    reason: a\n    expires: 2026-02-29",
      6, 14, .badDate),
  ]

  static let appMistakes = [
    Mistake("apps: [a]", 2, 7, .badType),
    Mistake("apps:\n  a: {fail_on: error}", 3, 7, .unknownKey),
    Mistake("apps:\n  a: {severity: {}}", 3, 7, .unknownKey, "severities"),
    Mistake("apps:\n  '': {}", 3, 3, .badPattern),
    Mistake("apps:\n  *.a: {}", 3, 3, .noAliases, "\"*.a\""),
    Mistake("apps:\n  a: {profile: ios1}", 3, 16, .unknownProfile, "ios4"),
    Mistake("apps:\n  a:\n    thresholds: {LC003: 8}", 4, 25, .numberWithoutUnit, "8s"),
  ]

  static let patternMistakes = [
    Mistake("capture_patterns: a", 2, 19, .badType),
    Mistake("capture_patterns: [a]", 2, 20, .badType),
    Mistake(entry("message: a"), 3, 5, .missingKey),
    Mistake(entry("glob: a, event: gl.call"), 3, 6, .unknownKey, "message"),
    Mistake(entry("message: a, event: gl.cal"), 3, 25, .unknownEvent, "gl.call"),
    Mistake(entry("message: a, event: trace.end"), 3, 25, .badValue),
    Mistake(entry("message: 'a <b> <b>', event: gl.call"), 3, 22, .badPattern),
    Mistake(entry("message: 'ü <b', event: gl.call"), 3, 18, .badPattern),
    Mistake(entry("message: '*', event: gl.call"), 3, 16, .badPattern),
    Mistake(entry("message: a, event: gl.call, phase: enter"), 3, 41, .badWord),
    Mistake(entry("message: a, event: work.span, phase: begin"), 3, 43, .badWord, "enter"),
    Mistake(
      entry("message: a, event: gl.call, args: {knd: draw}"), 3, 41, .unknownArgument, "kind"),
    Mistake(entry("message: a, event: game.pause, args: {a: b}"), 3, 44, .unknownArgument),
    Mistake(entry("message: a, event: gl.call, args: {kind: drew}"), 3, 47, .badValue, "draw"),
    Mistake(entry("message: a, event: gl.call, args: {count: many}"), 3, 48, .badValue),
    Mistake(
      entry("message: a <cnt>, event: gl.call, args: {count: <cont>}"), 3, 54, .unknownField,
      "<cnt>"),
    Mistake(entry("message: a, event: gl.call, args: {count: <n>}"), 3, 48, .unknownField),
    Mistake(
      entry("message: a, event: work.timer_start, args: {interval_s: 5 parsecs}"), 3, 62, .badValue),
    Mistake(entry("message: a, event: gl.call, thread: main"), 3, 42, .badValue),
    Mistake(entry("message: a, event: gl.call, process: 'a<b>'"), 3, 43, .badPattern),
    Mistake(entry("message: a, event: gl.call, covers: yes"), 3, 42, .badWord, "true"),
    Mistake(entry("message: a, event: gl.call, arg: {}"), 3, 34, .unknownKey, "args"),
    Mistake(
      "apps:\n  a:\n    capture_patterns:\n      - {message: a, event: gl}", 5, 29, .unknownEvent),
  ]

  private static func entry(_ text: String) -> String { "capture_patterns:\n  - {\(text)}" }

  @Test(
    arguments: rootMistakes + ruleMistakes + suppressionMistakes + appMistakes + patternMistakes)
  func aMistakeIsToldAtItsPlace(_ mistake: Mistake) throws {
    let (_, problems) = ConfigurationFile.parse(
      "tracecheck: 1\n\(mistake.text)\n", name: ".tracecheck.yml")
    let texts = problems.map(\.text).joined(separator: "\n")
    try #require(problems.count == 1, "\(texts)")
    let problem = problems[0]
    #expect(problem.line == mistake.line && problem.column == mistake.column, "\(texts)")
    #expect(problem.code == mistake.code, "\(texts)")
    #expect(problem.suggestion == mistake.suggestion, "\(texts)")
    #expect(problem.level == .error)
  }

  @Test func allMistakesAreToldAtOnce() {
    let (configuration, problems) = ConfigurationFile.parse(
      "fail-on: error\nprofile: ios88\nseverities: {LC003: note, LC03: note}\n", name: "c.yml")
    #expect(
      problems.map(\.headline) == [
        "c.yml:1:1: error[unknown-key]: there is no key 'fail-on'",
        "c.yml:1:1: error[missing-key]: the file doesn't say its version;"
          + " expected the line 'tracecheck: 1'",
        "c.yml:2:10: error[unknown-profile]: there is no profile 'ios88'; expected one of os3,"
          + " sdk3, nomt, optout, ios4, ios5, ios7, ios8, ios13, scene",
        "c.yml:3:27: error[unknown-rule]: there is no rule 'LC03'",
      ])
    #expect(configuration.general.severities["LC003"]?.value == .note)
  }

  @Test func aProblemShowsTheLineAndWhatWasMeant() {
    let (_, problems) = ConfigurationFile.parse(
      "tracecheck: 1\nthresholds:\n  LC003: 8\n", name: "c.yml")
    #expect(
      problems.map(\.text) == [
        """
        c.yml:3:10: error[number-without-unit]: the limit 'limit' of LC003 is '8'; expected a \
        duration with its unit, such as 8s or 8ms
            LC003: 8
                   ^ did you mean '8s'?
        """
      ])
  }

  @Test(arguments: ["", "\n", "# nothing\n", "tracecheck: 2\n", "[]", "a\n"])
  func theVersionMustBeThere(text: String) {
    #expect(!ConfigurationFile.parse(text, name: "c.yml").problems.isEmpty)
  }

  @Test func anEmptyConfigurationIsAConfiguration() {
    let (configuration, problems) = ConfigurationFile.parse("tracecheck: 1\n", name: "c.yml")
    #expect(problems == [])
    #expect(configuration.file == "c.yml" && configuration.failOn == nil)
  }
}
