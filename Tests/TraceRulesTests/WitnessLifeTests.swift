// Lives in which evidence is easily too little or too much: suspensions that were none, openings
// that something ended, facts that were cleared.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

/// A life with a finding whose evidence is looked at.
struct WitnessLife: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let rule: String
  var header = Step.header
  let life: String

  private static func declaring(_ mode: String) -> String {
    Step.header.split(separator: " ").map {
      $0.hasPrefix("background_modes=") ? "background_modes=[\"\(mode)\"]" : String($0)
    }.joined(separator: " ")
  }

  static let all = [
    WitnessLife(
      testDescription: "predicted work needs the launch, the entry and proof of recorded silence",
      rule: "LC002",
      header: declaring("audio"),
      life: """
        +0s     proc.start into=background reason=fetch
        +10ms   >delegate.did_finish_launching
        +10ms   <delegate.did_finish_launching
        +30s @3 trace.marker
        +1s     proc.suspend inferred=false
        """),
    WitnessLife(
      testDescription: "an inferred suspension in which the app ran is no evidence",
      rule: "LC821",
      life: """
        \(Step.launch)
        \(Step.toBackground)
        +1s     proc.suspend inferred=true
        +5s     ui.update what=view
        +1s     proc.resume inferred=true
        +1s     trace.end reason=clean
        """),
    WitnessLife(
      testDescription: "one by which alone the app is known to be in the background is",
      rule: "LC821",
      life: """
        \(Step.launch)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +1s     proc.suspend inferred=true
        +5s     ui.update what=view
        +1s     trace.marker
        """),
    WitnessLife(
      testDescription: "a call in a suspension that was seen",
      rule: "LC004",
      life: """
        +0s     proc.start into=background reason=voip_socket
        +6s     >delegate.did_finish_launching
        +5s     <delegate.did_finish_launching
        +40ms   proc.suspend inferred=false
        +6s     gl.call
        +5ms    proc.resume inferred=false
        +1s @2  gl.call
        """),
    WitnessLife(
      testDescription: "an opening before, which the evidence doesn't see ended",
      rule: "LC505",
      life: """
        \(Step.launch)
        \(Step.toBackground)
        +300ms  delegate.will_enter_foreground for 300ms
        +40ms   proc.suspend inferred=false
        +1s     sys.app_switch
        +29s    proc.resume inferred=false
        +1ms    delegate.will_enter_foreground for 1ms
        +1ms    proc.suspend inferred=false
        +1ms    proc.resume inferred=false
        +1s     delegate.will_enter_foreground for 1ms
        """),
    WitnessLife(
      testDescription: "a fact that was set and cleared before the violation",
      rule: "LC616",
      header: declaring("fetch"),
      life: """
        \(Step.launch)
        \(Step.toBackground)
        +1s     delegate.perform_fetch for 10ms completion_id=1
        +1s     work.span for 100ms class=download
        +1s     url.task op=finish task=1
        +9s     trace.marker
        """),
    WitnessLife(
      testDescription: "a suspension that was none shows that suspensions are recorded",
      rule: "LC002",
      header: declaring("audio"),
      life: """
        \(Step.launch)
        \(Step.toBackground)
        +1s     proc.suspend inferred=true
        +6s @3  trace.marker
        +1s @3  trace.marker
        """),
    WitnessLife(
      testDescription: "a fact of limited time that was set again after it counted",
      rule: "LC510",
      life: """
        \(Step.launch)
        +1s     sys.banner id=1
        +60s    sys.banner id=2
        +100ms  delegate.will_resign_active for 1ms
        +100ms  sys.banner id=3
        +20s    trace.marker
        """),
    WitnessLife(
      testDescription: "the violation would come sooner without a fact that was cleared",
      rule: "LC606",
      header: declaring("voip"),
      life: """
        \(Step.launch)
        +1s     net.connect op=open socket=2
        +1ms    voip.tag socket=1
        \(Step.toBackground)
        +1s     net.connect op=close socket=1
        +1s     delegate.did_enter_background
        """),
    WitnessLife(
      testDescription: "a task's time stood still in a suspension",
      rule: "LC001",
      life: """
        \(Step.launch)
        \(Step.toBackground)
        +1s     bgtask.begin token=1
        +1s     bgtask.expire for 1ms token=1
        +1s     proc.suspend inferred=true
        +60s    proc.resume inferred=true
        +6s     trace.marker
        """),
    WitnessLife(
      testDescription: "without the way back the task was open in the background for longer",
      rule: "LC001",
      life: """
        \(Step.launch)
        +1s     bgtask.begin token=1
        \(Step.toBackground)
        +30s    delegate.will_enter_foreground for 1ms
        +1ms    delegate.did_become_active for 1ms
        +1s     trace.end reason=clean
        """),
    WitnessLife(
      testDescription: "heartbeats make silence of what the evidence leaves out",
      rule: "LC002",
      header: declaring("audio"),
      life: """
        \(Step.launch)
        \(Step.toBackground)
        +40ms   proc.suspend inferred=true
        +42ms   proc.resume inferred=true
        +3.9s   work.sample label=heartbeat
        +1s     work.sample label=heartbeat
        +1ns    work.timer_fire timer=3
        +4s     trace.marker
        """),
    WitnessLife(
      testDescription: "a fact that is known since all its keys were cleared",
      rule: "LC203",
      header: declaring("audio"),
      life: """
        +0s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +1ms    net.listen op=close
        +1ms    net.listen op=open socket=2
        +1ms    <delegate.did_enter_background
        +5s     proc.suspend inferred=false
        """),
    WitnessLife(
      testDescription: "a fact that is cleared again after it counted",
      rule: "LC545",
      header: "header os_version=8.1 sdk_linked=8.0 app_kind=game",
      life: """
        +0s     game.resume
        +1s     delegate.will_resign_active for 1ms
        +1ms    game.resume
        +1s     trace.marker
        """),
    WitnessLife(
      testDescription: "a refusal that the system told before the first sign of the app",
      rule: "LC626",
      life: """
        +0s     bt.session op=open role=peripheral
        +1s     priv.auth kind=microphone status=denied
        +1s     audio.record op=start
        """),
    WitnessLife(
      testDescription: "a sample of the clock before the first sign of the app",
      rule: "LM06",
      life: """
        +0s     bgsched.submit identifier=b
        +1s     trace.clock_step new_wall_ns=10000000000
        +1s     bgsched.submit identifier=a earliest_begin_wall_ns=60000000000
        +30s    bgsched.run for 1ms identifier=a
        """),
    WitnessLife(
      testDescription: "two downloads began, of which the evidence sees one return",
      rule: "LC616",
      header: declaring("fetch"),
      life: """
        \(Step.launch)
        \(Step.toBackground)
        +1s     delegate.perform_fetch for 10ms completion_id=1
        +1s @2  >work.span class=download
        +1ms    >work.span class=download
        +1s     <work.span
        +1s @2  <work.span
        +1s     url.task op=finish task=1
        +9s     trace.marker
        """),
  ]

  var document: String { "timeline 1\n\(header)\n\(life)\n" }
}

extension WitnessTests {
  @Test(arguments: WitnessLife.all)
  func witnessOfLife(_ life: WitnessLife) {
    var options = CheckOptions()
    options.rules = Catalogue.rules(matching: life.rule)
    let fixture = TraceFixture(life.document)
    let findings = fixture.judge(options).findings
    #expect(!findings.isEmpty)
    for finding in findings { check(finding, of: fixture, options) }
  }
}
