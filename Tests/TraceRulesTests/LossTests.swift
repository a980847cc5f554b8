// Lives of which events are lost: what the lost ones may have said must not be taken as unsaid.

import Testing

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
  ])
  func afterLoss(_ life: JudgedLife) { life.check() }
}
