// Rules that follow the life cycle hear of events that say nothing of their own: as soon as
// something has changed, with whichever event that was, or as time alone changes a fact.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

struct FollowerTests {
  /// A rule of one clause.
  private static func rule(_ pattern: Pattern) -> Rule {
    Rule(
      id: "own", slug: "own/rule", severity: .warning, summary: "", rationale: "", consequence: "",
      advice: "", sources: [], needs: [], profiles: Profile.allCases, parameters: [],
      clauses: [Clause(.warning, pattern, message: "{what}")], examples: [])
  }

  @Test func aTouchTellsOfALifeThatBeganWithWork() {
    JudgedLife(
      "mid-life began with an event that no follower listens to", about: ["LC206"],
      JudgedLife.system("8.0", "background_modes=[]"),
      """
      +0s     net.io
      +1s     ui.touch
      +40s    trace.marker text=x
      """,
      [], unknown: ["LC206"]
    ).check()
  }

  /// A fact is over without an event; the touch after that begins what is measured.
  @Test func aTouchTellsOfAFactThatIsOver() {
    var rule = Self.rule(
      .lasts(
        Lasts(
          .condition(.all([.phase([.active]), .not(.fact("recent"))])),
          max: .nanoseconds(10_000_000_000))))
    rule.facts = [
      Fact("recent", set: [.on(.netIo)], lasts: .nanoseconds(5_000_000_000))
    ]
    let fixture = TraceFixture(
      """
      timeline 1
      header os_version=8.0 sdk_linked=8.0 coverage=[*]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  delegate.did_become_active for 1ms
      +1s     net.io
      +6s     ui.touch
      +20s    trace.marker text=x
      """)
    let judgement = fixture.judge(CheckOptions(rules: [rule]))
    #expect(judgement.findings.count == 1)
  }

  /// Spans of kinds that no rule names are as many as an app likes.
  @Test func ownKindsThatNobodyNamesTakeNoRoom() {
    let rule = Self.rule(
      .lasts(
        Lasts(
          .span([EventPattern(.named(["my.load", "my.sync"]))]), max: .nanoseconds(1_000_000_000))))
    var lines = [
      "timeline 1", "header os_version=8.0 sdk_linked=8.0 coverage=[*]",
      "+0s     proc.start into=foreground reason=user_icon",
      "+10ms   delegate.did_finish_launching for 100ms",
      "+150ms  delegate.did_become_active for 1ms", "+1s @7 my.load for 1ms",
    ]
    for number in 0..<5_000 { lines.append("+2ms @7 x.k\(number) for 1ms") }
    lines.append("+1s @7 my.sync for 3s")
    lines.append("+5s  trace.marker text=x")
    let judgement = TraceFixture(lines.joined(separator: "\n") + "\n")
      .judge(CheckOptions(rules: [rule]))
    #expect(judgement.findings.count == 1)
  }
}
