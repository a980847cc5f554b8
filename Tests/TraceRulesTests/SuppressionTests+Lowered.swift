// What a debugger, the simulator and an unknown system lower, and what can't be decided.

import Testing
import TraceLifecycle

@testable import TraceCatalogue
@testable import TraceRules

extension SuppressionTests {
  private static let watchdogs = [
    JudgedLife(
      "LC003", about: ["LC003"], "",
      "\(Step.launch)\n\(Step.resign)\n+1s delegate.did_enter_background for 6s", ["error LC003"]),
    JudgedLife(
      "LC301", about: ["LC301"], "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 6s
      +6.1s   delegate.did_become_active for 1ms
      """, ["error LC301"]),
    JudgedLife(
      "LC306", about: ["LC306"], "",
      "\(Step.launch)\n+1s delegate.will_terminate for 6s", ["error LC306"]),
    JudgedLife(
      "LC308", about: ["LC308"], "",
      "\(Step.launch)\n+1s work.span for 3s id=1 class=housekeeping", ["warning LC308"]),
    JudgedLife(
      "LC310", about: ["LC310"], "background_modes=[voip]",
      """
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=900 accepted=true
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   voip.keepalive for 31s
      """, ["error LC310"]),
    JudgedLife(
      "LC311", about: ["LC311"], "background_modes=[external-accessory]",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=external_accessory
      +1ms    >wake.window id=1 reason=external_accessory
      +1ms    ea.data for 10ms accessory=1
      +12s @3 work.span for 1ms id=1 class=other
      +1s     <wake.window
      +1s     proc.suspend inferred=false
      """, ["warning LC311"]),
  ]

  @Test(arguments: watchdogs, ["", "debugger_attached=true", "simulator=true"])
  func watchdogsDoNotBiteThere(_ life: JudgedLife, _ field: String) {
    let findings =
      field.isEmpty ? life.findings : life.findings.map { "note \($0.split(separator: " ")[1])" }
    JudgedLife(
      life.testDescription, about: life.about, "\(life.header) \(field)", life.life, findings
    ).check()
  }

  @Test(arguments: [
    ("", ["warning LC002 predicted"]), ("debugger_attached=true", []), ("simulator=true", []),
  ])
  func suspensionDoesNotComeThere(_ field: String, _ findings: [String]) {
    JudgedLife(
      "work after the grace", about: ["LC002"], field,
      """
      \(Step.launch)
      \(Step.toBackground)
      +20s @3 net.io socket=1 bytes=100
      +1s     proc.suspend inferred=false
      """, findings
    ).check()
  }

  @Test(arguments: ["debugger_attached=true", "simulator=true"])
  func otherRulesKeepTheirSeverity(_ field: String) {
    JudgedLife(
      "not a watchdog's", field,
      """
      \(Step.launch)
      +1s     delegate.did_enter_background for 2s
      +3s     gl.call context=1 kind=draw
      """, ["warning LC503", "note LC309", "error LC004"]
    ).check()
  }

  // MARK: An unknown system

  private static let familyFive = Catalogue.all.filter {
    $0.id.hasPrefix("LC5") && $0.profiles.contains(.ios8)
  }

  /// The rule's own violations on iOS 8, with another header.
  private func violations(of rule: Rule, _ header: String) -> [Judgement] {
    rule.examples.compactMap { example in
      guard case .violates = example.expectation,
        ProfileSelection(header: TraceFixture(example.document).header).profile == .ios8
      else { return nil }
      var options = CheckOptions()
      options.rules = [rule]
      let lines = example.timeline.split(separator: "\n", omittingEmptySubsequences: false)
      let fields = lines.filter { $0.hasPrefix("header ") }.map { $0.dropFirst(7) }
      let life = lines.filter { !$0.hasPrefix("header ") }.joined(separator: "\n")
      return JudgedLife(
        rule.id, fields.joined(separator: " ") + " " + header, life, []
      ).judge(options)
    }
  }

  @Test(arguments: familyFive)
  func anUnknownSystemMakesNotes(_ rule: Rule) {
    let known = violations(of: rule, "").flatMap(\.findings)
    let unknown = violations(of: rule, "os_version").flatMap(\.findings)
    #expect(!known.isEmpty)
    #expect(unknown.map(\.message) == known.map(\.message))
    #expect(unknown.allSatisfy { $0.severity == .note })
  }

  @Test func aChosenProfileLowersNothing() {
    let life = JudgedLife(
      "off the main thread", "os_version",
      "\(Step.launch)\n+1s @6 delegate.will_resign_active for 1ms", ["note LC506"])
    life.check()
    var options = CheckOptions()
    options.profile = .ios8
    #expect(life.judge(options).findings.map(\.summary) == ["error LC506"])
    #expect(life.judge().quality.map(\.id).contains("TQ12"))
  }

  @Test func otherFamiliesKeepTheirSeverityOnAnUnknownSystem() {
    JudgedLife(
      "drawing in the background", "os_version",
      "\(Step.launch)\n\(Step.toBackground)\n+1s gl.call context=1 kind=draw", ["error LC004"]
    ).check()
  }

  // MARK: What can't be decided

  @Test func whatIsUnknownIsCountedForEachRule() {
    let judgement = JudgedLife(
      "cut off", "has_settings_bundle=false uses_view_controllers=true",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     bgtask.begin token=2 has_expiration_handler=true
      +1s     file.lock op=acquire lock=1 container=app_group
      +1s     res.use op=acquire resource=calendar
      +1s     net.listen op=open socket=1
      \(Step.toBackground)
      """, []
    ).judge()
    let unknown = judgement.verdicts.filter { $0.value.unknown > 0 && $0.key != "LC853" }
    #expect(judgement.findings == [])
    #expect(
      unknown.mapValues(\.unknown) == [
        "LC001": 2, "LC105": 2, "LC201": 1, "LC203": 1, "LC204": 1, "LC206": 1, "LM11": 1,
      ])
    #expect(judgement.verdicts.values.allSatisfy { $0.violated == 0 })
  }

  @Test func whatIsNotRecordedIsNotEvaluated() {
    let judgement = JudgedLife(
      "two namespaces", "coverage=[delegate,proc]",
      """
      \(Step.launch)
      +1s     delegate.did_enter_background for 6s
      +7s     gl.call context=1 kind=draw
      """, []
    ).judge()
    #expect(judgement.findings.map(\.summary) == ["warning LC503", "error LC003"])
    for rule in Catalogue.all where rule.profiles.contains(.ios8) {
      let isCovered = rule.needs.allSatisfy(["delegate", "proc"].contains)
      let verdict = judgement.verdicts[rule.id]
      if !isCovered { #expect(verdict?.notEvaluated == true, "\(rule.id)") }
      if verdict?.notEvaluated == true { #expect(verdict?.violated == 0, "\(rule.id)") }
    }
    #expect(judgement.verdicts["LC003"]?.violated == 1)
  }
}
