// LC511: an app that opts out of the background is kept alive in it.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC511 {
  static let rule = Rule(
    id: "LC511",
    slug: "transition/opt-out-app-kept-alive",
    severity: .warning,
    summary: "An app with UIApplicationExitsOnSuspend is ended when its user leaves it.",
    rationale: """
      Such an app has no background: it may be told of one for a moment, and then \
      applicationWillTerminate: follows. A suspension, a return to the foreground, or ten seconds \
      in the background show that it isn't so.
      """,
    consequence: """
      The app behaves as one with multitasking, while its author relies on a fresh start each \
      time.
      """,
    advice: """
      Check that the key is in the Info.plist of the app that ran, and that the system is older \
      than iOS 13, which ignores it.
      """,
    sources: [
      .appStates("Opting out of Background Execution"), .cocoanetics("readers' comments"),
    ],
    needs: ["delegate", "proc"],
    profiles: [.optout],
    parameters: [RuleParameter("limit", .nanoseconds, 10_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .warning, .never(Never(.on(.procSuspend, where: .not(.isTrue(.inferred))))),
        message: "The app was suspended, although it opts out of background execution"),
      Clause(
        .warning, .never(Never(.on(.delegateWillEnterForeground))),
        message:
          "The app came back from the background, although it opts out of background execution"),
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [.end(.delegateDidEnterBackground)],
            closes: [.on(.delegateWillTerminate)],
            due: [.within(.parameter("limit"))], per: .launch)),
        message: "The app was still alive {limit} after it had entered the background"),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + undecided)

  private static let header = "header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true"

  private static let violating: [RuleExample] = [
    .violates(
      "The app is suspended like any other.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +60s    proc.kill cause=jetsam
      """),
    .violates(
      "The user comes back to the app instead of starting it anew.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      +20s    trace.marker text=later
      """),
    .violates(
      "Ten seconds and a nanosecond later the app still runs.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +10.000000001s  trace.marker text=later  # here
      +1s     delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .violates(
      "However it shows, it is one finding for each launch.", reasons: [nil, nil],
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +1s     proc.resume inferred=false reason=user_icon
      +1s     proc.suspend inferred=false
      +1s     proc.kill cause=jetsam
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +1s     proc.kill cause=jetsam
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A short stage in the background, and the end.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Ten seconds are allowed, and the callback that ends the app may take longer.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +10s    >delegate.will_terminate
      +4s     <delegate.will_terminate
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "The process just ends.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.kill cause=jetsam
      +60s    trace.marker text=later
      """),
    .holds(
      "A gap between heartbeats is no suspension that anybody saw.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.suspend inferred=true evidence=heartbeat_gap
      +2s     proc.resume inferred=true
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "From iOS 13 on the key has no effect, and the app is one like any other.",
      """
      header os_version=13.0 sdk_linked=13.0 exits_on_suspend=true
      \(Step.launch)
      \(Step.toSuspended)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops after five seconds in the background.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +5s     trace.marker text="last words"
      """)
  ]
}
