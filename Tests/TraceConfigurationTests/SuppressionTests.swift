// Which findings don't count, and until when.

import Testing
import TraceCatalogue
import TraceConfiguration
import TraceRules

struct SuppressionTests {
  private func settings(
    _ text: String, app: String? = nil, today: String = "2026-03-01"
  ) throws -> (AppliedSettings, Configuration) {
    let (configuration, problems) = ConfigurationFile.parse(
      "tracecheck: 1\n" + text, name: "c.yml")
    try #require(problems.map(\.text) == [])
    let effective = EffectiveConfiguration(
      rules: Catalogue.all, configuration: configuration, today: try day(today))
    return (effective.settings(app: app), configuration)
  }

  private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func finding(_ rule: String = "LC001", subject: String = "task sync (7)") -> Finding {
    Finding(
      rule: rule, slug: "x/y", severity: .error, reason: nil, message: "", timeNanoseconds: 0,
      thread: 1, launch: 1, launchStartNanoseconds: 0, count: 1, lastTimeNanoseconds: 0,
      subject: subject, fingerprint: "v1:0123456789abcdef", confidence: .certain, witness: [])
  }

  @Test(arguments: [
    ("rule: LC001, subject: '*sync*'", true), ("rule: LC001, subject: 'sync*'", false),
    ("rule: LC002, subject: '*'", false), ("rule: background-task, subject: '*'", true),
    ("rule: lc001, fingerprint: 'v1:0123456789abcdef'", true),
    ("rule: LC001, fingerprint: 'v1:0123456789abcdee'", false),
    ("rule: LC001, fingerprint: 'v1:0123456789abcdef', subject: other", false),
    ("rule: LC001, trace: notes.ndjson", true), ("rule: LC001, trace: '*.ndjson'", true),
    ("rule: LC001, trace: captures/*.ndjson", true), ("rule: LC001, trace: other/*", false),
    ("rule: LC001, trace: /home/ci/captures/notes.ndjson", true),
    ("rule: LC001, trace: 00ff*", true), ("rule: LC001, trace: ndjson", false),
  ])
  func aSuppressionIsForWhatItNames(what: String, isMeant: Bool) throws {
    let (settings, _) = try settings("suppressions: [{\(what), reason: known}]\n")
    let found = settings.suppression(
      of: finding(), path: "/home/ci/captures/notes.ndjson", traceID: "00ff00ff")
    #expect((found != nil) == isMeant)
    if isMeant { #expect(found?.reason == "known") }
  }

  @Test(arguments: [
    ("2026-02-28", false), ("2026-03-01", false), ("2026-03-02", true), ("2027-01-01", true),
  ])
  func aSuppressionAppliesThroughItsLastDay(today: String, isExpired: Bool) throws {
    let text = """
      suppressions:
        - rule: LC001
          subject: "*"
          reason: known
          expires: 2026-03-01
      """
    let (settings, configuration) = try settings(text, today: today)
    let found = settings.suppression(of: finding(), path: "a", traceID: "")
    #expect((found == nil) == isExpired)
    let warnings = configuration.expiryWarnings(today: try day(today))
    #expect(
      warnings.map(\.headline)
        == (isExpired
          ? [
            "c.yml:3:5: warning[expired-suppression]: this suppression of LC001 expired on"
              + " 2026-03-01 and no longer applies; expected a later day, or no suppression"
          ] : []))
  }

  @Test func aSectionForAppsSuppressesThereOnly() throws {
    let text = """
      apps:
        com.example.*:
          suppressions: [{rule: LC001, subject: "*", reason: known}]
      """
    let (own, _) = try settings(text, app: "com.example.notes")
    let (other, _) = try settings(text, app: "org.other")
    #expect(own.suppression(of: finding(), path: "a", traceID: "") != nil)
    #expect(other.suppression(of: finding(), path: "a", traceID: "") == nil)
    #expect(
      own.suppressions.map(\.origin) == [.app("c.yml", line: 4, pattern: "com.example.*")])
  }

  @Test(arguments: [
    (0, "1970-01-01"), (951_782_400, "2000-02-29"), (951_868_800, "2000-03-01"),
    (1_772_323_199, "2026-02-28"), (1_772_323_200, "2026-03-01"), (4_107_542_400, "2100-03-01"),
    (253_402_300_799, "9999-12-31"), (Int64.max, "9999-12-31"), (-1, "1970-01-01"),
  ])
  func secondsAreDays(seconds: Int64, text: String) {
    #expect("\(CalendarDate(secondsSince1970: seconds))" == text)
    #expect(CalendarDate(text) == CalendarDate(secondsSince1970: seconds))
  }

  @Test(arguments: [
    "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-01", "0000-01-01",
    "2026-01-01 ", "2026/01/01", "", "２026-01-0",
  ])
  func notEveryTextIsADay(text: String) { #expect(CalendarDate(text) == nil) }
}
