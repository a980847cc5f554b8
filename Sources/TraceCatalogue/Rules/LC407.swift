// LC407: a frame rate that was lowered while inactive is never raised again.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC407 {
  static let rule = Rule(
    id: "LC407",
    slug: "graphics/frame-rate-not-restored",
    severity: .note,
    summary: "What applicationWillResignActive: slows down, applicationDidBecomeActive: speeds up.",
    rationale: """
      Whatever is stopped or slowed for an interruption must be undone after it. A raise counts \
      whenever it comes after the lowering, up to a second after applicationDidBecomeActive: has \
      returned. A paused game is excused: it waits for its player.
      """,
    consequence: "The app looks sluggish until something else sets its rate.",
    advice: """
      Set the normal frame rate in applicationDidBecomeActive:, beside the code that restarts \
      timers and queues.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["gl", "delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .note,
        .handWritten(
          .frameRateRestoring,
          because: "each rate is compared with the one before it, and not with a fixed number"),
        message: "")
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "Three seconds after the app became active it still draws ten frames a second.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      \(Step.becomeActive)
      +3s     trace.marker text=later  # here
      """),
    .violates(
      "A nanosecond too late; the time counts from the return of the callback.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      +1s     >delegate.did_become_active
      +500ms  <delegate.did_become_active
      +1.000000001s  gl.frame_rate fps=60  # here
      """),
    .violates(
      "Lowered in the callback that resigns, and lowered further instead of raised.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      +1s     >delegate.will_resign_active
      +1ms    gl.frame_rate fps=15
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +500ms  gl.frame_rate fps=10
      +3s     trace.marker text=later  # here
      """),
    .violates(
      "A stay in the background makes no difference, and a rate of 0 is the lowest of all.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=0
      +10ms   delegate.did_enter_background for 20ms
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      \(Step.toForeground)
      +3s     trace.marker text=later  # here
      """),
    .violates(
      "A game that isn't paused has no excuse.",
      """
      header os_version=8.0 sdk_linked=8.0 app_kind=game background_modes=[]
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   game.pause
      +10ms   gl.frame_rate fps=10
      \(Step.becomeActive)
      +10ms   game.resume by=user
      +3s     trace.marker text=later  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The rate is raised inside applicationDidBecomeActive:.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      +1s     >delegate.did_become_active
      +1ms    gl.frame_rate fps=60
      +1ms    <delegate.did_become_active
      +3s     trace.marker text=later
      """),
    .holds(
      "Exactly a second after the return is in time, and any raise is one.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      +1s     >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +1s     gl.frame_rate fps=30
      +3s     trace.marker text=later
      """),
    .holds(
      "With scenes the delegate's callback is an echo: the time counts from the scene's return.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 1ms
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +1s     gl.frame_rate fps=60
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   gl.frame_rate fps=10
      +1s     >scene.did_become_active scene=main
      +1ms    delegate.did_become_active
      +600ms  <scene.did_become_active scene=main
      +600ms  gl.frame_rate fps=60
      +3s     trace.marker text=later
      """),
    .holds(
      "A paused game waits for its player at the low rate.",
      """
      header os_version=8.0 sdk_linked=8.0 app_kind=game background_modes=[]
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   game.pause
      +10ms   gl.frame_rate fps=10
      \(Step.becomeActive)
      +3s     trace.marker text=later
      """),
    .holds(
      "Raised again while still inactive: nothing is left to restore.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      +500ms  gl.frame_rate fps=60
      \(Step.becomeActive)
      +3s     trace.marker text=later
      """),
    .holds(
      "A rate that an active app lowers is a choice, and the first rate of all is not lowered.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   gl.frame_rate fps=30
      \(Step.becomeActive)
      +3s     gl.frame_rate fps=60
      +1s     gl.frame_rate fps=20
      \(Step.resign)
      \(Step.becomeActive)
      +3s     trace.marker text=later
      """),
    .holds(
      "Interrupted again within the second, the app has no time to speed up.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      \(Step.becomeActive)
      +500ms  delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms
      +10ms   gl.frame_rate fps=60
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops before the second is over.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      \(Step.becomeActive)
      +500ms  trace.marker text="last words"
      """),
    .unknown(
      "The raise may be among the events that were lost.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +10ms   gl.frame_rate fps=10
      \(Step.becomeActive)
      +10ms   trace.lost count=3
      +3s     trace.marker text=later
      """),
  ]
}
