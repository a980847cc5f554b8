// Lives of which events are lost: what the lost ones may have said must not be taken as unsaid.

import Testing
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

struct LossTests {
  private static let scenes = JudgedLife.system("15.0", "scene_manifest=true")

  @Test(arguments: [
    JudgedLife(
      "a scene that nobody saw may be in front when another goes to the background",
      about: ["LC004"], scenes,
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +1s     trace.lost count=4
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   scene.did_enter_background for 10ms scene=main
      +1s     gl.call context=1 kind=draw
      """,
      []),
    JudgedLife(
      "once the app was suspended, none is", about: ["LC004"], scenes,
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +1s     trace.lost count=4
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=location
      +1s     gl.call context=1 kind=draw
      """,
      ["error LC004"]),
    JudgedLife(
      "a call of the delegate may be the echo of a scene's", about: ["LM14"], scenes,
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  trace.lost count=2
      +10ms   delegate.did_enter_background for 11s
      """,
      [], unknown: ["LM14"]),
    JudgedLife(
      "nor is a delegate's call then the end of what a scene began", about: ["LC507"],
      JudgedLife.system("15.0"),
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  trace.lost count=2
      +10ms   proc.suspend inferred=false
      +1s     delegate.will_enter_foreground for 1ms
      +1s     delegate.open_url for 1ms
      """,
      [], unknown: ["LC507"]),
    JudgedLife(
      "a resume whose suspension was lost: run time stood still until then", about: ["LM07"],
      JudgedLife.system("15.0"),
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     trace.lost count=1
      +60s    bgtask.begin token=1
      +10ms   proc.resume inferred=false
      +29.995s  bgtask.end token=1
      """,
      []),
    JudgedLife(
      "after a gap another stretch of inactivity begins; nothing ends this one", about: ["LC542"],
      JudgedLife.system("8.0"),
      """
      \(Step.launch)
      +1s     work.query_start query=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   trace.lost count=3
      +1s     work.query_start query=2
      +5ms    <delegate.will_resign_active
      +1s     trace.marker text=later
      """,
      ["warning LC542"], unknown: ["LC542"]),
    JudgedLife(
      "a prewarmed process that runs isn't suspended, whatever was inferred", about: ["LM07"],
      JudgedLife.system("15.0"),
      """
      +0s     proc.start into=background reason=prewarm
      +10ms   delegate.did_finish_launching for 100ms
      +1s     bgtask.begin token=1
      +20s    proc.suspend inferred=true
      +1s     trace.marker
      +20s    bgtask.end token=1
      """,
      ["note LM07"]),
    JudgedLife(
      "a callback shows that a prewarmed process runs again", about: ["LM07"],
      JudgedLife.system("15.0"),
      """
      +0s     proc.start into=background reason=prewarm
      +10ms   delegate.did_finish_launching for 100ms
      +1s     proc.suspend inferred=false
      +60s    delegate.did_become_active for 1ms
      +1s     bgtask.begin token=1
      +31s    bgtask.end token=1
      """,
      ["note LM07"]),
    JudgedLife(
      "the resume may be lost that makes work right", about: ["LC002"], "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +1s @3  trace.marker
      +4s     trace.lost count=2
      """,
      [], unknown: ["LC002"]),
    JudgedLife(
      "the system may have asked the app to end before it called exit", about: ["LC001"], "",
      """
      \(Step.launch)
      +1s     trace.lost count=2
      +1s     bgtask.begin token=7
      +1s     proc.exit code=0 by=app
      """,
      [], unknown: ["LC001"]),
    JudgedLife(
      "a return may be that of an inner call, whose enter was lost", about: ["LM16"], scenes,
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_enter_foreground for 1ms scene=main
      +10ms   >scene.did_become_active scene=main
      +10ms   trace.lost count=1
      +10ms   <scene.will_resign_active scene=main
      +10ms   delegate.will_resign_active for 1ms
      """,
      [], unknown: ["LM16"]),
    JudgedLife(
      "what a killed process still said, though its start was lost", about: ["LC516"], "",
      """
      \(Step.launch)
      +1s     proc.kill cause=crash
      +1s     trace.lost count=5
      +9s     proc.kill cause=jetsam
      +20ms   delegate.did_enter_background for 1ms
      +10ms   proc.exit code=0 by=app
      """,
      []),
    JudgedLife(
      "a return may be that of a callback around all that is open", about: ["LC103"], "",
      """
      \(Step.launch)
      +1s     trace.lost count=1
      +1s     >bgtask.expire token=1
      +1ms    <delegate.will_resign_active
      +6s     <bgtask.expire
      """,
      [], unknown: ["LC103"]),
    JudgedLife(
      "what the app reads as its state contradicts no callback that is known", about: ["LC521"],
      "",
      """
      \(Step.launch)
      +1s     trace.lost count=1
      +1s     state.application value=background
      +1s     state.application value=active
      +1s     delegate.did_become_active for 1ms
      +1s     delegate.will_terminate for 1ms
      +1ms    state.application value=active
      """,
      [], unknown: ["LC521"]),
    JudgedLife(
      "but one that came since", about: ["LC521"], "",
      """
      \(Step.launch)
      +1s     trace.lost count=1
      +1s     delegate.did_become_active for 1ms
      +1s     state.application value=background
      """,
      ["note LC521"]),
    JudgedLife(
      "submits that may have been made in the background already", about: ["LC401"], "",
      """
      \(Step.launch)
      +1s     trace.lost count=1
      +1s     gl.call context=1 kind=draw submit_id=1
      +10ms   delegate.did_enter_background for 1ms
      +1s     gl.complete submit_id=1
      """,
      [], unknown: ["LC401"]),
    JudgedLife(
      "an exit that a lost event may explain", about: ["LM20"], JudgedLife.system("17.0"),
      """
      \(Step.launch)
      +1s     trace.lost count=1
      +1s     exit.import category=app_watchdog count=1
      """,
      [], unknown: ["LM20"]),
    JudgedLife(
      "location went on, as far as is known, whatever the app reads", about: ["LC105"],
      "background_modes=[\"location\"]",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      +1s     trace.lost count=1
      +1s     bgtask.begin token=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   delegate.did_enter_background for 1ms
      +1s     state.time_remaining seconds=0
      +1s     proc.suspend inferred=false
      """,
      [], unknown: ["LC105"]),
    JudgedLife(
      "a socket may be of the stretch in which it failed", about: ["LC704"], "",
      """
      \(Step.launch)
      +1s     trace.lost count=1
      +1s     net.connect op=open socket=1
      +1s     proc.suspend inferred=false
      +1s     net.error socket=1
      +60s    delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      +20s    trace.marker
      """,
      [], unknown: ["LC704"]),
    JudgedLife(
      "a process that was started ahead may still wait", about: ["LC201"],
      JudgedLife.system("15.0"),
      """
      +0s     proc.start into=background reason=prewarm
      +10ms   delegate.did_finish_launching for 100ms
      +1s     trace.lost count=1
      +1s     res.use op=acquire resource=a
      +1s     proc.suspend inferred=false
      +1s     trace.marker
      """,
      []),
    JudgedLife(
      "an answer to a call that came after a suspension of which nobody is certain",
      about: ["LC613"], "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +6s     >delegate.did_receive_remote_notification completion_id=1
      +60ms   <delegate.did_receive_remote_notification
      +1s     proc.resume inferred=false
      +1ms    proc.suspend inferred=true
      +2s     proc.resume inferred=true
      +9s     trace.lost count=1
      +60s    delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      """,
      [], unknown: ["LC613"]),
    JudgedLife(
      "what is lost after the end of a launch takes nothing of it back", about: ["LC001"],
      "log_levels=[\"info\"]",
      """
      \(Step.launch)
      +1s     bgtask.end token=1
      \(JudgedLife.ended)
      +1s     trace.lost count=1
      """,
      ["error LC001 unknown-token"]),
  ])
  func afterLoss(_ life: JudgedLife) { life.check() }

  /// A block of a trace without numbers that can't be read leaves a hole among the places.
  @Test(arguments: [0, 3]) func aBlockThatCannotBeRead(missingCount: Int) {
    let life = TraceFixture(
      """
      header os_version=8.1 sdk_linked=8.1 background_modes=[]
      0s      proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  delegate.did_become_active for 1ms
      +1s     bgtask.begin token=1
      +1s     delegate.will_resign_active for 1ms
      +100ms  delegate.did_enter_background for 10ms
      +1s     proc.suspend inferred=false
      """)
    var parts = life.rebuilt(eventsPerBatch: 6) {
      $0.append($2, of: $1, timeNanoseconds: $1.timesNanoseconds[$2], line: 0)
    }
    for place in parts.batches.indices.dropFirst() {
      parts.batches[place].firstOrdinal += missingCount
    }
    #expect(parts.batches.count > 1)
    let judgement = parts.judge()
    let found = judgement.findings.map { $0.summary }
    #expect(found == (missingCount == 0 ? ["error LC001 open-at-suspend"] : []))
    #expect(judgement.verdicts["LC001"]?.unknown ?? 0 == (missingCount == 0 ? 0 : 1))
  }
}
