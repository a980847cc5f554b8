// LC401: OpenGL ES work is still unfinished when the app reaches the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC401 {
  static let rule = Rule(
    id: "LC401",
    slug: "graphics/gl-unfinished-at-background",
    severity: .error,
    summary: """
      Everything submitted to OpenGL ES has been carried out when applicationDidEnterBackground: \
      returns.
      """,
    rationale: """
      Commands wait in a queue of their own. Those that reach the graphics processor after the \
      app has left the screen are as forbidden as calls made there; a flush only sends them off, \
      a finish waits for them.
      """,
    consequence: "The system kills the app, as it does for a call in the background.",
    advice: """
      Stop the render loop in applicationWillResignActive: and call glFinish there or in \
      applicationDidEnterBackground:, on every context and after the last draw.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["gl", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("pending", .count, 0, .documented)],
    clauses: [
      Clause(
        .error,
        .handWritten(
          .graphicsSubmits,
          because: """
            one completion covers every submit up to its number, a finish covers those of its \
            context, and without either nothing is known
            """),
        message: "")
    ],
    explains: ["gpu-in-background"],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The draw is completed a tenth of a second after the background was entered.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.toBackground)
      +100ms  gl.complete submit_id=9  # here
      """),
    .violates(
      "Five milliseconds are left to the observer, not a nanosecond more.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.toBackground)
      +5.000001ms  gl.complete submit_id=9  # here
      """),
    .violates(
      "A flush sends commands off and waits for nothing.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.resign)
      +1ms    gl.call context=1 kind=flush
      +10ms   delegate.did_enter_background for 1ms
      +1s     gl.complete submit_id=9  # here
      """),
    .violates(
      "A finish of another context doesn't wait for this one.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.resign)
      +1ms    gl.call context=2 kind=finish
      +10ms   delegate.did_enter_background for 1ms
      +1s     trace.marker text=later  # here
      """),
    .violates(
      "A completion covers what was submitted up to its number, and no more.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=8
      +1ms    gl.call context=1 kind=draw submit_id=9
      +10ms   gl.complete submit_id=8
      \(Step.toBackground)
      +1s     trace.marker text=later  # here
      """),
    .violates(
      "A submit after the finish isn't finished by it.",
      """
      \(Step.launch)
      \(Step.resign)
      +1ms    gl.call context=1 kind=finish
      +1ms    gl.call context=1 kind=present submit_id=9
      +10ms   delegate.did_enter_background for 1ms
      +1s     trace.marker text=later  # here
      """),
    .violates(
      "A render thread's submit within 5 ms of the return was made before it.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      +10ms   gl.complete submit_id=9
      \(Step.toBackground)
      +5ms @7 gl.call context=1 kind=present submit_id=10
      +1s     gl.complete submit_id=10  # here
      """),
    .violates(
      "A finish that is itself a call in the background shows that completions are recorded.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.toBackground)
      +1s     gl.call context=1 kind=finish  # here
      """),
    .violates(
      "Each entry into the background is judged.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=1
      \(Step.toBackground)
      +1s     gl.complete submit_id=1  # here
      \(Step.toForeground)
      +1s     gl.call context=1 kind=draw submit_id=2
      \(Step.toBackground)
      +1s     gl.complete submit_id=2  # here
      """),
    .violates(
      "With scenes the callback of the last scene on the screen is meant.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +1s     gl.call context=1 kind=draw submit_id=9
      +10ms   scene.will_resign_active for 1ms scene=main
      +10ms   scene.did_enter_background for 1ms scene=main
      +1s     gl.complete submit_id=9  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Everything is finished in applicationWillResignActive:.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      +1s     >delegate.will_resign_active
      +1ms    gl.call context=1 kind=finish
      +1ms    gl.complete submit_id=9
      +1ms    <delegate.will_resign_active
      +10ms   delegate.did_enter_background for 1ms
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A finish that has returned completes what its context submitted before.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    gl.call context=1 kind=draw submit_id=9
      +1ms    <delegate.will_resign_active
      +10ms   >delegate.did_enter_background
      +1ms    gl.call context=1 kind=delete
      +1ms    gl.call context=1 kind=finish
      +1ms    <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The news of a completion may be 5 ms late.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.toBackground)
      +5ms    gl.complete submit_id=9
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "One completion is enough for all submits before it.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=upload submit_id=7
      +1ms    gl.call context=2 kind=draw submit_id=8
      +1ms    gl.call context=1 kind=present submit_id=9
      +10ms   gl.complete submit_id=9
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Calls without a number submit nothing.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      +10ms   gl.complete submit_id=9
      +1ms    gl.call context=1 kind=state
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A call that comes later still is another rule's business.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      +10ms   gl.complete submit_id=9
      \(Step.toBackground)
      +5.000001ms @7  gl.call context=1 kind=draw submit_id=10
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Back in front at once, the app may draw again.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      +10ms   gl.complete submit_id=9
      \(Step.toBackground)
      +1ms    delegate.will_enter_foreground for 1ms
      +1ms @7 gl.call context=1 kind=draw submit_id=10
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "Of the main thread no call is late: what it draws here is told elsewhere.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      +10ms   gl.complete submit_id=9
      \(Step.toBackground)
      +1ms    gl.call context=1 kind=draw submit_id=10
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Unfinished work in an inactive app is no fault.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.resign)
      +1s     gl.complete submit_id=9
      \(Step.becomeActive)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops before the completion can have been told.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=8
      +10ms   gl.complete submit_id=8
      +1s     gl.call context=1 kind=draw submit_id=9
      \(Step.toBackground)
      """),
    .unknown(
      "The completion may have been lost.",
      """
      \(Step.launch)
      +1s     gl.call context=1 kind=draw submit_id=8
      +10ms   gl.complete submit_id=8
      +1s     gl.call context=1 kind=draw submit_id=9
      +10ms   trace.lost count=3
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
  ]
}
