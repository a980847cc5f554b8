// Lives in which evidence is easily too little or too much: suspensions that were none, openings
// that something ended, facts that were cleared.

import Testing
import TraceLifecycle
import TraceModel

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
