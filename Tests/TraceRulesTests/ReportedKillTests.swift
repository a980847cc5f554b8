// Kills that say themselves what the app did: how sure their findings are, and that they say
// nothing that other findings say.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

@Suite struct ReportedKillTests {
  private func judged(_ document: String, _ rules: String...) -> Judgement {
    var options = CheckOptions()
    if !rules.isEmpty { options.rules = rules.flatMap { Catalogue.rules(matching: $0) } }
    return TraceFixture(document).judge(options)
  }

  private func report(_ arguments: String, system: String = "15.0") -> String {
    "\(Report.of(system))\n+1s proc.kill cause=watchdog code=2343432205 "
      + "description=\"scene-update watchdog transgression\" \(arguments)"
  }

  @Test(arguments: [
    ("allowance_s=10 app_cpu_s=9", Confidence.certain, "; 10 s were allowed, the app used 9 s"),
    ("elapsed_s=10.5 app_cpu_s=0.1 thermal_state=nominal", .certain, "its main thread waited"),
    (
      "elapsed_s=10.5 app_cpu_s=0.1 thermal_state=serious", .likely,
      "; it took 10.5 s, the app used 0.1 s of processor time, the thermal state was serious, "
        + "the hot device left it little time to run"
    ),
    ("allowance_s=10 app_cpu_s=0.1 thermal_state=critical", .possible, "was critical"),
    ("allowance_s=10 app_cpu_s=0.1 thermal_level=75", .likely, "the thermal level was 75, the hot"),
    ("allowance_s=10 app_cpu_s=0.1 thermal_level=9", .likely, "its main thread waited"),
    ("allowance_s=10 app_cpu_s=0.1 thermal_level=1", .likely, "its main thread waited"),
    ("allowance_s=10 app_cpu_s=0.1 thermal_level=0", .certain, "its main thread waited"),
    (
      "app_cpu_s=0.05 total_cpu_percent=92", .likely,
      "all processes used 92 % of it, other processes left it little time to run"
    ),
    ("app_cpu_s=0.05", .likely, "its main thread waited"),
    ("app_cpu_s=0.76 total_cpu_percent=92", .certain, "in time; the app used 0.76 s"),
    ("allowance_s=10 app_cpu_s=0.1", .likely, "its main thread waited"),
    (
      "allowance_s=10 app_cpu_s=0.1 thermal_state=nominal total_cpu_percent=97", .likely,
      "all processes used 97 % of it, other processes left it little time to run"
    ),
    (
      "allowance_s=10 app_cpu_s=0.1 thermal_state=nominal total_cpu_percent=79", .certain,
      "its main thread waited"
    ),
    ("allowance_s=10 app_cpu_s=6 thermal_state=critical", .certain, "busy computing"),
    ("thermal_state=serious", .certain, "in time"),
    ("allowance_s=-1 app_cpu_s=-1", .certain, "in time"),
  ])
  func theNumbersSayHowSureItIs(_ arguments: String, _ sure: Confidence, _ words: String) {
    let findings = judged(report(arguments)).findings
    #expect(findings.map(\.rule) == ["LM14"])
    #expect(findings.map(\.severity) == [.error])
    #expect(findings.map(\.confidence) == [sure])
    #expect(findings[0].message.contains(words), "\(findings[0].message)")
    #expect(findings[0].witness.map(\.event) == ["proc.kill"])
  }

  @Test func aCodeAloneIsLikelyToBeTheApps() {
    let findings = judged("\(Report.of("17.2"))\n+1s proc.kill code=2343432205").findings
    #expect(findings.map(\.rule) == ["LM14"])
    #expect(findings.map(\.confidence) == [.likely])
    let told = """
      header os_version=16.0 sdk_linked=16.0
      +0s     trace.start reason=attach
      +1s     >delegate.will_terminate
      +6s     proc.kill cause=watchdog code=2343432205
      """
    #expect(judged(told, "LM14", "LC306").findings.map(\.rule) == ["LC306"])
  }

  private static let expired = """
    header os_version=17.0 sdk_linked=17.0
    +0s     trace.start reason=attach
    +1s     bgtask.begin token=7 has_expiration_handler=true
    +30s    bgtask.expire for 1ms token=7
    +6s     proc.kill cause=watchdog code=2343432205
    """

  @Test func aCodeAloneSaysNothingNewOfATaskThatExpired() {
    let rules = ["LC102", "LM14"]
    #expect(judged(Self.expired, "LC102", "LM14").findings.map(\.rule) == ["LC102"])
    // Scenes and callbacks are what FrontBoard watches.
    let scene = judged(Self.expired + " namespace=FRONTBOARD", "LC102", "LM14")
    #expect(scene.findings.map(\.rule).sorted() == rules)
    let words = judged(Self.expired + " description=\"scene-update watchdog\"", "LC102", "LM14")
    #expect(words.findings.map(\.rule).sorted() == rules)
  }

  @Test func theCodeOfRunningBoardAloneIsLikelyATasks() {
    let code = "proc.kill cause=bgtask_expired code=2343432205"
    let findings = judged("\(Report.of("17.2"))\n+1s \(code)").findings
    #expect(findings.map(\.rule) == ["LC102"])
    #expect(findings.map(\.confidence) == [.likely])
    #expect(findings.first?.message.hasSuffix("; nothing but its code says so") == true)
    let words = "description=\"Notes has active assertions beyond permitted time:\""
    let named = judged("\(Report.of("17.2"))\n+1s \(code) \(words)").findings
    #expect(named.map(\.confidence) == [.certain])
  }

  @Test(arguments: [
    ("signal=9", Confidence.likely), ("cause=unknown signal=9", .likely),
    ("cause=unknown", .likely),
    ("cause=bgtask_expired", .certain), ("cause=watchdog", .certain),
    ("cause=unknown code=562215634", .certain),
  ])
  func anEndOfUnknownCauseIsLikelyTheSystems(_ arguments: String, _ confidence: Confidence) {
    let life = """
      header os_version=17.0 sdk_linked=17.0
      +0s     trace.start reason=attach
      +1s     bgtask.begin token=7 has_expiration_handler=true
      +30s    bgtask.expire for 1ms token=7
      +1s     proc.kill \(arguments)
      """
    let findings = judged(life, "LC102").findings
    #expect(findings.map(\.confidence) == [confidence])
    let isOpen = findings.first?.message.hasSuffix("; nothing says who ended the app then")
    #expect(isOpen == (confidence == .likely))
    let events = findings.flatMap(\.witness).map(\.event)
    #expect(events.contains("proc.kill"))
  }

  @Test func aCodeAloneProvesNothingOfATaskThatIsOpen() {
    let life = """
      header os_version=17.0 sdk_linked=17.0
      +0s     trace.start reason=attach
      +1s     bgtask.begin token=7
      +300ms  proc.kill cause=bgtask_expired code=2343432205 namespace=RUNNINGBOARD
      """
    let findings = judged(life, "LC001", "LC102").findings
    #expect(findings.map(\.rule) == ["LC102"])
    #expect(findings.map(\.confidence) == [.likely])
  }

  @Test func anEndTooManyExplainsNoKill() {
    let life = """
      header os_version=17.0 sdk_linked=17.0
      +0s     trace.start reason=attach
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7
      +1s     bgtask.end token=7 refused=true
      +6s     proc.kill cause=bgtask_expired code=562215634
      """
    #expect(judged(life, "LC001", "LC102").findings.map(\.rule) == ["LC001", "LC102"])
  }

  @Test func processorTimeThatWasAllowedIsNoTimeOnTheWall() {
    let kill =
      "proc.kill cause=watchdog description=\"scene-create watchdog transgression: exhausted CPU "
      + "time allowance of 2.32 seconds\" allowance_s=2.32 app_cpu_s=2.32"
    let message = judged("\(Report.of("17.2"))\n+1s \(kill)").findings.first?.message
    #expect(
      message
        == "the watchdog killed the app: its launch took too long; it used up the 2.32 s of"
        + " processor time that were allowed, it was busy computing")
  }

  @Test func samplesInTheForegroundMakeALimitOfTheBackgroundLikely() {
    let kill =
      "proc.kill cause=cpu_limit visibility=foreground allowance_s=48 app_cpu_s=48 "
      + "description=\"exceeding limit of 80% cpu over 60 seconds\""
    let findings = judged("\(Report.of("11.4"))\n+1s \(kill)").findings
    #expect(findings.map(\.rule) == ["LC207"])
    #expect(findings.map(\.confidence) == [.likely])
    #expect(
      findings.first?.message
        == "the system killed the app: it exceeded a processor limit of 80 % over 60 s; it used"
        + " 48 s of processor time, and 48 s were allowed; most samples show it in the foreground")
    let hidden = "proc.kill cause=cpu_limit visibility=background"
    #expect(
      judged("\(Report.of("11.4"))\n+1s \(hidden)").findings.map(\.message)
        == ["the system killed the app: it exceeded a processor limit of the background"])
  }

  @Test(arguments: [
    ("failed to resume in time", "it did not resume in time"),
    ("failed to suspend in time", "it did not go to the background in time"),
    ("scene-update: failed to resume", "its scene was not updated in time"),
  ])
  func systemsWithoutScenesHaveWordsOfTheirOwn(_ description: String, _ words: String) {
    let kill = "proc.kill cause=watchdog description=\"\(description)\""
    let findings = judged("\(Report.of("6.1"))\n+1s \(kill)").findings
    #expect(findings.map(\.rule) == ["LM14"])
    #expect(findings.first?.message == "the watchdog killed the app: \(words)")
  }

  @Test func theOtherClausesStayNotEvaluated() {
    let judgement = judged(report(""), "LM14", "LC003", "LC301")
    #expect(judgement.verdicts["LM14"]?.notEvaluated == true)
    #expect(judgement.verdicts["LM14"]?.violated == 1)
    #expect(judgement.verdicts["LC003"]?.notEvaluated == true)
    #expect(judgement.verdicts["LC301"]?.violated == 0)
    let old = judged(report("", system: "9.0"), "LM14")
    #expect(old.verdicts["LM14"]?.notEvaluated == false)
    #expect(old.verdicts["LM14"]?.violated == 1)
    let uncovered = judged(
      report("").replacing("[\"proc\"]", with: "[\"bgtask\"]"), "LM14")
    #expect(uncovered.findings.map(\.rule) == ["LM14"])
  }

  @Test func aFindingThatSaysTheSameGoesFirst() {
    let life = """
      header os_version=9.0 sdk_linked=9.0
      +0s     trace.start reason=attach
      +1s     >delegate.did_enter_background
      +7s     <delegate.did_enter_background
      +1s     proc.kill cause=watchdog description="scene-update watchdog transgression"
      """
    #expect(judged(life, "LM14", "LC003").findings.map(\.rule) == ["LC003"])
    #expect(judged(life, "LM14").findings.map(\.rule) == ["LM14"])
    let short = life.replacing("+7s", with: "+1s")
    #expect(judged(short, "LM14", "LC003").findings.map(\.rule) == ["LM14"])
  }

  @Test func aLaunchThatWasRecordedIsJudgedByItsTimes() {
    let life = """
      header os_version=9.0 sdk_linked=9.0
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.kill cause=watchdog code=2343432205 description="scene-update watchdog"
      """
    #expect(judged(life, "LM14", "LC003", "LC301").findings.isEmpty)
    #expect(judged(life, "LM14").verdicts["LM14"] == nil)
  }

  /// Examples of rules that explain kills with some of their clauses, and not with others.
  private static let explaining = ExampleCase.all.filter { example in
    Catalogue.rules(matching: example.rule).contains { rule in
      rule.clauses.contains { $0.evidence == .kill }
        && rule.clauses.contains { $0.evidence != .kill }
    }
  }

  @Test(arguments: explaining)
  func theOtherClausesAreJudgedAsWithoutThem(_ example: ExampleCase) {
    var options = example.quickOptions
    let judgement = TraceFixture(example.document).judge(options)
    for place in options.rules.indices {
      options.rules[place].clauses.removeAll { $0.evidence == .kill }
    }
    let without = TraceFixture(example.document).judge(options)
    for finding in without.findings { #expect(judgement.findings.contains(finding)) }
    let unknown = [judgement, without].map { $0.verdicts[example.rule]?.unknownReasons ?? [:] }
    #expect(unknown[0] == unknown[1])
  }
}
