// LC405: an inactive app draws at full speed.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC405 {
  static let rule = Rule(
    id: "LC405",
    slug: "graphics/frame-rate-not-throttled",
    severity: .warning,
    summary: "An inactive app lowers its frame rate.",
    rationale: """
      An inactive app lies behind an alert, and nobody follows its animation. Half a second after \
      applicationWillResignActive: the rate that was set must be low, and so must the one at which \
      frames are really presented: at most half of what it was while the app was active, or low in \
      itself. Only stretches of inactivity of 2.5 seconds and more are judged.
      """,
    consequence: "Frames that hardly anybody sees cost battery and heat.",
    advice: """
      Lower preferredFramesPerSecond, or raise the frame interval of the display link, in \
      applicationWillResignActive:; better still, stop drawing until the app is active again.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["gl", "delegate"],
    profiles: Profile.allCases,
    parameters: [
      RuleParameter("rate", .framesPerSecond, 30, .toolDefault),
      RuleParameter("window", .nanoseconds, 2_000_000_000, .toolDefault),
      RuleParameter("share", .percent, 50, .toolDefault),
    ],
    clauses: [
      Clause(
        .warning,
        .handWritten(
          .frameRateThrottling,
          because: "a rate measured while inactive is compared with one measured before"),
        message: "")
    ],
    examples: violating + holding + undecided)

  /// Five batches of frames: each stands for those presented in the 600 ms before it.
  private static func frames(_ count: Int) -> String {
    Array(repeating: "+600ms  gl.call context=1 kind=present count=\(count)", count: 5)
      .joined(separator: "\n")
  }

  /// An app that presents 120 frames a second until it becomes inactive.
  private static let fastLaunch = """
    \(Step.launch)
    \(frames(72))
    +0s     delegate.will_resign_active for 1ms
    """

  private static let violating: [RuleExample] = [
    .violates(
      "Four seconds behind an alert at sixty frames a second.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +4s     trace.marker text=later  # here
      \(Step.becomeActive)
      """),
    .violates(
      "One frame a second too many is set in the callback.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      +1s     >delegate.will_resign_active
      +1ms    gl.frame_rate fps=31
      +1ms    <delegate.will_resign_active
      +2.5s   trace.marker text=later  # here
      \(Step.becomeActive)
      """),
    .violates(
      "The rate is raised again while the app is still inactive.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      +1s     >delegate.will_resign_active
      +1ms    gl.frame_rate fps=15
      +1ms    <delegate.will_resign_active
      +1s     gl.frame_rate fps=60
      +3s     trace.marker text=later  # here
      \(Step.becomeActive)
      """),
    .violates(
      "No rate was ever set, and sixty frames a second are presented.",
      """
      \(Step.launch)
      \(frames(36))
      \(Step.resign)
      +600ms  gl.call context=1 kind=present count=36
      +600ms  gl.call context=1 kind=present count=36
      +600ms  gl.call context=1 kind=present count=36
      +600ms  gl.call context=1 kind=present count=36
      +600ms  gl.call context=1 kind=present count=36  # here
      \(Step.becomeActive)
      """),
    .violates(
      "An app that drew nothing while active may draw thirty frames a second, not thirty-three.",
      """
      \(Step.launch)
      \(Step.resign)
      +600ms  gl.call context=1 kind=present count=20
      +600ms  gl.call context=1 kind=present count=20
      +600ms  gl.call context=1 kind=present count=20
      +600ms  gl.call context=1 kind=present count=20
      +600ms  gl.call context=1 kind=present count=20  # here
      \(Step.becomeActive)
      """),
    .violates(
      "Sixty-one frames a second are more than half of a hundred and twenty.",
      """
      \(fastLaunch)
      +600ms  gl.call context=1 kind=present count=36
      +600ms  gl.call context=1 kind=present count=37
      +600ms  gl.call context=1 kind=present count=36
      +600ms  gl.call context=1 kind=present count=37
      +600ms  gl.call context=1 kind=present count=36  # here
      \(Step.becomeActive)
      """),
    .violates(
      "After three slow seconds the app draws faster again; two more batches show it.",
      """
      \(Step.launch)
      \(Step.resign)
      \(frames(6))
      +600ms  gl.call context=1 kind=present count=30
      +600ms  gl.call context=1 kind=present count=30  # here
      +600ms  gl.call context=1 kind=present count=30
      \(Step.becomeActive)
      """),
    .violates(
      "Two nanoseconds of activity hold few frames, and still tell a rate.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 1ms
      +10ms   gl.call context=1 kind=present
      +10ms   delegate.did_become_active
      +2ns    delegate.will_resign_active
      +600ms  gl.call context=1 kind=present count=40
      +600ms  gl.call context=1 kind=present count=40
      +600ms  gl.call context=1 kind=present count=40
      +600ms  gl.call context=1 kind=present count=40
      +600ms  gl.call context=1 kind=present count=40  # here
      \(Step.becomeActive)
      """),
    .violates(
      "Each stretch of inactivity is judged.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +4s     trace.marker text=later  # here
      \(Step.becomeActive)
      \(Step.resign)
      +4s     trace.marker text=later  # here
      \(Step.becomeActive)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The rate is lowered in the callback.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      +1s     >delegate.will_resign_active
      +1ms    gl.frame_rate fps=15
      +1ms    <delegate.will_resign_active
      +4s     trace.marker text=later
      \(Step.becomeActive)
      """),
    .holds(
      "Thirty frames a second are low enough, and half a second after the callback is soon enough.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +500ms  gl.frame_rate fps=30
      +4s     trace.marker text=later
      \(Step.becomeActive)
      """),
    .holds(
      "The interruption is over before anything can be measured.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +2.4s   delegate.did_become_active for 1ms
      """),
    .holds(
      "Thirty frames a second are presented.",
      """
      \(Step.launch)
      \(Step.resign)
      \(frames(18))
      \(Step.becomeActive)
      """),
    .holds(
      "Half of a hundred and twenty frames a second is low enough.",
      """
      \(fastLaunch)
      \(frames(36))
      \(Step.becomeActive)
      """),
    .holds(
      "Inactive on its way back to the screen, the app draws for its return.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +4s     trace.marker text=slow
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "Only presented frames are counted.",
      """
      \(Step.launch)
      \(Step.resign)
      +600ms  gl.call context=1 kind=draw count=400
      +600ms  gl.call context=1 kind=draw count=400
      +600ms  gl.call context=1 kind=draw count=400
      +600ms  gl.call context=1 kind=draw count=400
      +600ms  gl.call context=1 kind=draw count=400
      \(Step.becomeActive)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops after two seconds of inactivity.",
      """
      \(Step.launch)
      +1s     gl.frame_rate fps=60
      \(Step.resign)
      +2s     trace.marker text="last words"
      """)
  ]
}
