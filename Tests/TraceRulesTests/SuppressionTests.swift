// A specific rule reports instead of a general one: what is told of faults that two rules see.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

/// A life that both a specific and a general rule are about.
struct Suppression: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The rules that report instead of the general one, and are skipped for comparison.
  let specific: Set<String>
  let life: JudgedLife
  /// What is found without the specific rules.
  let without: [String]

  init(
    _ specific: Set<String>, over general: String, about: Set<String> = [], _ header: String,
    _ life: String, _ findings: [String], without: [String]
  ) {
    testDescription = "\(specific.sorted().joined(separator: " and ")) over \(general)"
    self.specific = specific
    self.life = JudgedLife(testDescription, about: about, header, life, findings)
    self.without = without
  }

  func checkWithout(sourceLocation: SourceLocation = #_sourceLocation) {
    let findings = life.judge(.without(specific)).findings.filter { life.isMeant($0.rule) }
    #expect(findings.map(\.summary) == without, sourceLocation: sourceLocation)
  }
}

struct SuppressionTests {
  @Test(arguments: pairs + transitions + partly)
  func onlyTheSpecificRuleReports(_ pair: Suppression) { pair.life.check() }

  @Test(arguments: pairs + transitions + partly)
  func withoutItTheGeneralRuleDoes(_ pair: Suppression) {
    pair.checkWithout()
  }

  /// Conditions of these exclude each other, so that the general rule never judges what the
  /// specific one does.
  @Test(arguments: apart)
  func theGeneralRuleLeavesItOut(_ pair: Suppression) {
    pair.life.check()
    pair.checkWithout()
  }

  private static let pairs = [
    Suppression(
      ["LC102"], over: "LC001",
      "",
      """
      \(Step.launch)
      \(JudgedLife.task)
      \(Step.toBackground)
      +15s    bgtask.expire for 1ms token=1
      +6s @3  bgtask.end token=1
      +1s     proc.suspend inferred=false
      """, ["error LC102"], without: ["error LC001 leaked"]),
    Suppression(
      ["LC102"], over: "LC001 of a suspended app",
      "",
      """
      \(Step.launch)
      \(JudgedLife.task)
      \(Step.toBackground)
      +15s    bgtask.expire for 1ms token=1
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      \(Step.toForeground)
      """, ["error LC102"], without: ["error LC001 open-at-suspend"]),
    Suppression(
      ["LC514"], over: "LC507",
      "",
      "\(Step.launch)\n\(Step.toSuspended)\n\(JudgedLife.ended)",
      ["warning LC514"], without: ["warning LC507"]),
    Suppression(
      ["LC520"], over: "LC503",
      "",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +10ms   delegate.did_enter_background for 10ms
      +20ms   <delegate.will_resign_active
      +1s     proc.suspend inferred=false
      """, ["warning LC520"], without: ["warning LC503"]),
    Suppression(
      ["LC002"], over: "LC004",
      "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +5s @3  gl.call context=1 kind=draw
      \(Step.resumed)
      """, ["error LC002 observed"], without: ["error LC004"]),
    Suppression(
      ["LC204"], over: "LM11", JudgedLife.system("14.2"),
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 kind=sqlite container=app_group
      \(Step.toSuspended)
      +1ms    proc.kill cause=file_lock code=3735883980
      """, ["error LC204"], without: ["error LM11"]),
    Suppression(
      ["LC613"], over: "LM18", JudgedLife.system("14.2", "background_modes=[remote-notification]"),
      """
      \(Step.launch)
      +1s     delegate.did_receive_remote_notification for 5ms content_available=1 completion_id=1
      +31s    completion.call completion_id=1 result=failed
      """, ["error LC613"], without: ["error LM18"]),
    Suppression(
      ["LC105"], over: "LM07 and LC206", JudgedLife.system("14.2"),
      """
      \(Step.launch)
      \(JudgedLife.task)
      \(Step.toBackground)
      +40s    bgtask.end token=1
      +1s     proc.suspend inferred=false
      """, ["warning LC105"], without: ["note LM07", "note LC206"]),
    Suppression(
      ["LC105"], over: "LC206 on iOS 8", about: ["LC105", "LC206"],
      "",
      """
      \(Step.launch)
      \(JudgedLife.task)
      \(Step.toBackground)
      +200s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """, ["warning LC105"], without: ["note LC206"]),
    Suppression(
      ["LC301"], over: "LC303",
      "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 6s
      +6.1s   delegate.did_become_active for 1ms
      """, ["error LC301"], without: ["note LC303"]),
    Suppression(
      ["LC110"], over: "LC707", about: ["LC110", "LC707"],
      "",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=download
      \(Step.toSuspended)
      +60s    proc.resume inferred=false
      +1s @3  <work.span
      """, ["warning LC110"], without: ["note LC707"]),
  ]

  // MARK: Rules that a callback of the life cycle can violate, over LC501

  private static func transition(
    _ specific: Set<String>, about: Set<String> = [], _ header: String, _ life: String,
    _ findings: [String]
  ) -> Suppression {
    Suppression(
      specific, over: "LC501", about: about, header, life, findings, without: ["warning LC501"])
  }

  private static let transitions = [
    transition(
      ["LC502", "LC504"],
      "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 10ms
      +20ms   delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      """, ["warning LC502", "warning LC504"]),
    transition(
      ["LC503"], "",
      "\(Step.launch)\n+1s delegate.did_enter_background for 1ms", ["warning LC503"]),
    transition(
      ["LC504"],
      "",
      """
      \(Step.launch)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      """, ["warning LC504"]),
    transition(
      ["LC505"],
      "",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.will_resign_active for 1ms
      +10ms   delegate.did_become_active for 1ms
      """, ["warning LC505"]),
    transition(
      ["LC506"], "", "\(Step.launch)\n+1s @6 delegate.did_become_active for 1ms", ["error LC506"]),
    transition(
      ["LC507"],
      "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +5s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      """, ["warning LC507"]),
    transition(
      ["LC508"],
      "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 10ms application_state=inactive
      +20ms   delegate.did_finish_launching for 10ms application_state=background
      +20ms   delegate.did_become_active for 1ms
      """, ["warning LC508"]),
    transition(
      ["LC510"],
      "",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     sys.banner id=chat
      +10ms   delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms
      """, ["note LC510"]),
    transition(
      ["LC511"], "exits_on_suspend=true",
      "\(Step.launch)\n\(Step.toSuspended)\n+60s proc.kill cause=jetsam", ["warning LC511"]),
    transition(
      ["LC512"],
      "",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     >sys.interruption kind=iap_prompt
      +1s     delegate.did_enter_background for 1ms
      +1s     <sys.interruption
      """, ["note LC512"]),
    transition(
      ["LC513"], about: ["LC501", "LC513"], JudgedLife.system("4.3"),
      """
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +10ms   delegate.did_enter_background for 1ms
      +1s     delegate.did_enter_background for 1ms
      """, ["note LC513", "note LC513"]),
    transition(
      ["LC507", "LC514"], "", "\(Step.launch)\n\(Step.toSuspended)\n\(JudgedLife.ended)",
      ["warning LC514"]),
    transition(
      ["LC516"], "", "\(Step.launch)\n+1s proc.exit code=0 by=app", ["warning LC516"]),
    transition(
      ["LC519"], "os_version=4.0 sdk_linked=3.2",
      "\(Step.launch)\n\(Step.toSuspended)\n+60s proc.kill cause=jetsam", ["warning LC519"]),
    transition(
      ["LC520"],
      "",
      """
      \(Step.launch)
      +1s     delegate.will_resign_active for 1ms
      +1s     >delegate.did_become_active
      +1ms    delegate.did_become_active for 1ms
      +2ms    <delegate.did_become_active
      """, ["warning LC520"]),
  ]

  // MARK: Rules that exclude each other

  private static let apart = [
    Suppression(
      ["LC302"], over: "LC307",
      "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms   net.sync_wait for 300ms request=1
      +310ms  <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms
      """, ["warning LC302"], without: []),
    Suppression(
      ["LC507"], over: "LC002",
      "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +5s     >note.deliver name=NSCurrentLocaleDidChangeNotification
      +1ms    work.span for 1ms id=1 class=other
      +2ms    <note.deliver
      \(Step.resumed)
      """, ["warning LC507"], without: []),
    Suppression(
      ["LC303"], over: "LC308",
      "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 2s
      +2.1s   delegate.did_become_active for 1ms
      """, ["note LC303"], without: []),
    Suppression(
      ["LC301"], over: "LC308", about: ["LC301", "LC308"],
      "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.will_finish_launching for 6s
      +6.1s   delegate.did_finish_launching for 10ms
      +10ms   delegate.did_become_active for 1ms
      """, ["error LC301"], without: []),
    Suppression(
      ["LC003"], over: "LC308",
      "",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   delegate.did_enter_background for 6s
      +7s     proc.suspend inferred=false
      """, ["error LC003"], without: []),
    Suppression(
      ["LC309"], over: "LC308",
      "",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   delegate.did_enter_background for 3s
      +4s     proc.suspend inferred=false
      """, ["note LC309"], without: []),
    Suppression(
      ["LC306"], over: "LC308",
      "",
      "\(Step.launch)\n+1s delegate.will_terminate for 6s\n+7s trace.end reason=clean",
      ["error LC306"], without: []),
    Suppression(
      ["LC103"], over: "LC308",
      "",
      """
      \(Step.launch)
      \(JudgedLife.task)
      \(Step.toBackground)
      +15s    >bgtask.expire token=1
      +2s     bgtask.end token=1
      +1ms    <bgtask.expire
      +1s     proc.suspend inferred=false
      """, ["warning LC103"], without: []),
    Suppression(
      ["LC805"], over: "LC308", about: ["LC308", "LC805"],
      "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   delegate.will_enter_foreground for 1ms
      +10ms   note.deliver for 2s name=NSCurrentLocaleDidChangeNotification queued=true
      +2.01s  delegate.did_become_active for 1ms
      """, ["note LC805"], without: []),
    Suppression(
      ["LC310"], over: "LC308", about: ["LC308", "LC310"], "background_modes=[voip]",
      """
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=900 accepted=true
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   voip.keepalive for 31s
      +32s    proc.suspend inferred=false
      """, ["error LC310"], without: []),
  ]

  @Test func anEarlyTouchStandsBesideALaunchThatIsNotFinished() {
    JudgedLife(
      "LC509 beside LC502", "",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 10ms
      +20ms   ui.touch
      +10ms   delegate.did_become_active for 1ms
      """, ["warning LC502", "warning LC509"]
    ).check()
  }
}
