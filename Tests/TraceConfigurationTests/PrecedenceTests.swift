// What wins, and where it was said.

import Testing
import TraceCatalogue
import TraceConfiguration
import TraceLifecycle
import TraceRules

struct PrecedenceTests {
  private static let text = """
    tracecheck: 1
    fail_on: note
    profile: ios7
    severities: {LC003: note, LC001: warning}
    thresholds: {LC003: 8s, LC002.grace: 250ms, LC004: 3}
    rules:
      graphics: off
    apps:
      com.example.*:
        severities: {LC003: warning}
        rules: {LC004: on, LC001: off}
        profile: ios8
      com.example.notes:
        thresholds: {watchdog/did-enter-background-over-5s: 9s}
        rules: {LC001: on}
    """

  private func effective(
    _ text: String = text, commandLine: RuleSettings = RuleSettings(), failOn: FailOn? = nil
  ) throws -> EffectiveConfiguration {
    let (configuration, problems) = ConfigurationFile.parse(text, name: "c.yml")
    try #require(problems.map(\.text) == [])
    return EffectiveConfiguration(
      rules: Catalogue.all, configuration: configuration, commandLine: commandLine,
      failOn: failOn, today: try #require(CalendarDate("2026-03-01")))
  }

  private func rule(_ id: String) throws -> Rule {
    try #require(Catalogue.all.first { $0.id == id })
  }

  @Test func withoutAFileEverythingIsDefault() throws {
    let effective = EffectiveConfiguration(
      rules: Catalogue.all, configuration: Configuration(),
      today: CalendarDate(secondsSince1970: 0))
    let settings = effective.settings(app: "com.example.notes")
    #expect(effective.failOn == Setting(.error, .standard))
    #expect(settings.profile == Setting(nil, .standard))
    for rule in Catalogue.all {
      #expect(settings.isOn(rule) == Setting(true, .standard))
      #expect(settings.severity(rule) == Setting(rule.severity, .standard))
      for parameter in rule.parameters {
        #expect(settings.value(of: parameter, in: rule) == Setting(parameter.value, .standard))
      }
    }
    #expect(settings.options.rules.map(\.id) == Catalogue.all.map(\.id))
    #expect(settings.options.thresholds.isEmpty && settings.options.severities.isEmpty)
  }

  @Test func theFileWinsOverTheDefault() throws {
    let effective = try effective()
    let settings = effective.settings(app: "org.other")
    #expect(effective.failOn == Setting(.note, .file("c.yml", line: 2)))
    #expect(settings.profile == Setting(.ios7, .file("c.yml", line: 3)))
    let lc003 = try rule("LC003")
    #expect(settings.severity(lc003) == Setting(.note, .file("c.yml", line: 4)))
    #expect(
      settings.value(of: lc003.parameters[0], in: lc003)
        == Setting(8_000_000_000, .file("c.yml", line: 5)))
    #expect(settings.isOn(try rule("LC004")) == Setting(false, .file("c.yml", line: 7)))
    let options = settings.options
    #expect(!options.rules.contains { $0.id == "LC004" })
    #expect(options.profile == .ios7)
    let lc002 = try rule("LC002")
    #expect(options.value(of: lc002.parameters[0], in: lc002) == 250_000_000)
  }

  @Test func sectionsForAppsWinOverTheFileTheLastMost() throws {
    let effective = try effective()
    let some = effective.settings(app: "com.example.maps")
    let notes = effective.settings(app: "com.example.notes")
    let lc003 = try rule("LC003")
    let origin = SettingOrigin.app("c.yml", line: 10, pattern: "com.example.*")
    #expect(some.severity(lc003) == Setting(.warning, origin))
    #expect(some.isOn(try rule("LC004")).value)
    #expect(!some.isOn(try rule("LC001")).value)
    #expect(some.options.profile == .ios8)
    #expect(notes.isOn(try rule("LC001")).value)
    #expect(notes.value(of: lc003.parameters[0], in: lc003).value == 9_000_000_000)
    #expect(some.value(of: lc003.parameters[0], in: lc003).value == 8_000_000_000)
    #expect(effective.settings(app: nil).severity(lc003).value == .note)
  }

  @Test func theCommandLineWinsOverAll() throws {
    var commandLine = RuleSettings()
    commandLine.severities["LC003"] = Setting(.error, .commandLine)
    commandLine.thresholds["LC003.limit"] = Setting(1, .commandLine)
    commandLine.isOn["LC001"] = Setting(false, .commandLine)
    commandLine.profile = Setting(.scene, .commandLine)
    let effective = try effective(commandLine: commandLine, failOn: .never)
    let settings = effective.settings(app: "com.example.notes")
    let lc003 = try rule("LC003")
    #expect(effective.failOn == Setting(.never, .commandLine))
    #expect(settings.severity(lc003) == Setting(.error, .commandLine))
    #expect(settings.value(of: lc003.parameters[0], in: lc003) == Setting(1, .commandLine))
    #expect(settings.isOn(try rule("LC001")) == Setting(false, .commandLine))
    #expect(settings.options.profile == .scene)
    #expect(settings.options.severities["LC003"] == .error)
    #expect(settings.options.value(of: lc003.parameters[0], in: lc003) == 1)
  }

  @Test(arguments: [
    ("only: LC001", ["LC001"]),
    ("only: [LC001, graphics]\nskip: LC004", ["LC001"]),
    ("skip: [lc001, suspension, graphics/gl-in-background]", ["LC003"]),
    ("only: LC001\nskip: LC001\nrules: {LC001: on}", ["LC001"]),
    ("rules: {LC004: on, graphics: off}", ["LC001", "LC002", "LC003", "LC004"]),
    ("rules: {graphics: on, LC004: off}", ["LC001", "LC002", "LC003"]),
    ("only: graphics\nrules: {LC002: on}", ["LC002", "LC004"]),
  ])
  func listsAndSwitchesSayWhichRulesAreOn(text: String, ids: [String]) throws {
    let rules = Catalogue.all.filter { ["LC001", "LC002", "LC003", "LC004"].contains($0.id) }
    let (configuration, problems) = ConfigurationFile.parse(
      "tracecheck: 1\n\(text)\n", name: "c.yml", rules: rules)
    #expect(problems.map(\.text) == [])
    let effective = EffectiveConfiguration(
      rules: rules, configuration: configuration, today: CalendarDate(secondsSince1970: 0))
    #expect(effective.settings(app: nil).options.rules.map(\.id) == ids)
  }

  @Test func rulesOfUsersCanBeConfigured() throws {
    var own = try rule("LC003")
    own.id = "own.rule"
    own.slug = "own/slow"
    let (configuration, problems) = ConfigurationFile.parse(
      """
      tracecheck: 1
      severities: {own.rule: note}
      thresholds: {own.rule.limit: 3s}
      rule_files: more/own.yaml
      """, name: "c.yml"
    ) { files in
      #expect(files == [Setting("more/own.yaml", .file("c.yml", line: 4))])
      return [own]
    }
    #expect(problems.map(\.text) == [])
    #expect(configuration.general.severities["own.rule"]?.value == .note)
    #expect(configuration.general.thresholds["own.rule.limit"]?.value == 3_000_000_000)
  }

  @Test func limitsHaveUnits() throws {
    func value(_ text: String, _ unit: RuleParameter.Unit) -> Int64? {
      try? LimitText.value(text, of: RuleParameter("x", unit, 1, .documented))
    }
    #expect(value("1.5s", .nanoseconds) == 1_500_000_000)
    #expect(value("3", .count) == 3)
    #expect(value("3s", .count) == nil)
    #expect(value("20 MiB", .bytes) == 20 << 20)
    #expect(value("20", .bytes) == 20)
    #expect(value("9999999999 GiB", .bytes) == nil)
    #expect(value("80%", .percent) == 80)
    #expect(value("80 %", .percent) == 80)
    #expect(value("30s", .seconds) == 30)
    #expect(value("60", .framesPerSecond) == 60)
    #expect(value("", .count) == nil)
    #expect(value("-1", .count) == nil)
  }
}
