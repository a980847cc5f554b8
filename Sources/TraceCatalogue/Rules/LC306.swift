// LC306: applicationWillTerminate: takes longer than five seconds.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC306 {
  static let rule = Rule(
    id: "LC306",
    slug: "termination/will-terminate-over-5s",
    severity: .error,
    summary: "applicationWillTerminate: returns within 5 seconds.",
    rationale: """
      The callback is the last word of the app, and it comes late: the system waits a fixed time \
      for its return, on devices without multitasking and for apps that opt out of the background \
      as anywhere else.
      """,
    consequence: """
      The app is killed inside the callback, and whatever it was writing is cut off.
      """,
    advice: """
      Save early and in small pieces, so that the callback has only the last change to write; \
      begin nothing in it that waits for the network.
      """,
    sources: [
      .appStates("App Termination"), .appStates("Opting out of Background Execution"),
    ],
    needs: ["delegate"],
    profiles: Profile.allCases,
    parameters: [
      RuleParameter("limit", .nanoseconds, 5_000_000_000, .documented, limits: .terminate)
    ],
    clauses: [
      Clause(
        .error,
        .lasts(
          Lasts(
            .span([.on(.delegateWillTerminate)]), max: .parameter("limit", on: .watchdog),
            killCauses: ["watchdog"], killCodes: [0x8bad_f00d],
            openMessage:
              "{callback} had not returned after at least {duration}; the limit is {limit}")),
        message: "{callback} took {duration}; the limit is {limit}"),
      .kill(
        .error, "watchdog-exit", where: .watchdog("watchdog-exit"),
        message: "the watchdog killed the app: it did not come to an end in time{weighing}"),
    ],
    isLoweredUnderDebugger: true,
    explains: ["watchdog-exit", "watchdog", "watchdog-code"],
    examples: violating + reported + holding + undecided)

  private static let reported: [RuleExample] = [
    .violates(
      "A report of an app that didn't come to an end, in either wording.", reasons: [nil, nil],
      """
      \(Report.of("16.0"))
      +0s     proc.kill cause=watchdog description="Failed to terminate gracefully"  # here
      +0s     trace.start reason=attach
      +0s     proc.kill code=2343432205 description="process-exit watchdog transgression"  # here
      """),
    .violates(
      "The callback's own time tells more than the kill.",
      """
      header os_version=16.0 sdk_linked=16.0
      +0s     trace.start reason=attach
      +1s     >delegate.will_terminate
      +6s     proc.kill cause=watchdog description="process-exit watchdog transgression"  # here
      """),
    .holds(
      "A kill for something else.",
      """
      \(Report.of("16.0"))
      +0s     proc.kill cause=watchdog code=2343432205 description="scene-update watchdog"
      +0s     trace.start reason=attach
      +0s     proc.kill cause=jetsam description="process-exit"
      """),
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "An app that opted out of the background saves for six seconds when it is left.",
      """
      header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true
      \(Step.launch)
      +1s     sys.home_button
      +10ms   >delegate.will_terminate
      +6s     <delegate.will_terminate  # here
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .violates(
      "One nanosecond too long, before iOS 4.",
      """
      header os_version=3.2 sdk_linked=3.2
      \(Step.launch)
      +1s     >delegate.will_terminate
      +5.000000001s  <delegate.will_terminate  # here
      """),
    .violates(
      "Forced to quit in the background, the app doesn't come to an end.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     >delegate.will_terminate
      +7s     proc.kill cause=user_force_quit  # here
      """),
    .violates(
      "The watchdog's kill is proof enough, by its cause or by its code.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +3s     proc.kill cause=watchdog  # here
      +60s    trace.marker text=second
      \(Step.launch)
      +1s     >delegate.will_terminate
      +3s     proc.kill code=2343432205  # here
      """),
    .violates(
      "The callback never returns, and another thread is seen working six seconds later.",
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +6s @4  trace.marker text="still here"  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Just in time.",
      """
      header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true
      \(Step.launch)
      +1s     sys.home_button
      +10ms   >delegate.will_terminate
      +4.9s   <delegate.will_terminate
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Exactly five seconds.",
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +5s     <delegate.will_terminate
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "A short callback in the background.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +60s    delegate.will_terminate for 20ms
      +30ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Other callbacks have other rules.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +6s     <delegate.did_enter_background
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The process is gone before the return was recorded, in good time.",
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +500ms  proc.exit by=uikit_after_will_terminate
      """),
    .unknown(
      "The trace stops inside the callback.",
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +2s @4  trace.marker text=last
      """),
    .unknown(
      "Events were lost inside the callback.",
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +1s     trace.lost count=3
      +9s     <delegate.will_terminate
      """),
  ]
}
