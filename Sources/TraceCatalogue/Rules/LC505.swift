// LC505: applicationWillEnterForeground: isn't followed by applicationDidBecomeActive:.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC505 {
  private static let disturbed = "disturbed return"

  static let rule = Rule(
    id: "LC505",
    slug: "delegate-order/become-active-after-foreground",
    severity: .warning,
    summary: """
      Within a second of applicationWillEnterForeground: applicationDidBecomeActive: is the next \
      callback of the life cycle.
      """,
    rationale: """
      The two belong together: the first brings the app back to the screen, the second gives it \
      the touches. Handlers of queued notifications may run between them. Only an interruption, \
      the lock, the Home button, a change to another app or the end of the app comes in between.
      """,
    consequence: "The app stays on the screen inactive: what it paused isn't started again.",
    advice: """
      Keep the main thread free on the way back; queued notifications and \
      applicationWillEnterForeground: itself should do little. If the callback is missing \
      altogether, look for the code that swallows it.
      """,
    sources: [.xamarin("Application Lifecycle Methods")],
    needs: ["delegate", "sys"],
    profiles: [.ios4, .ios5, .ios7, .ios8, .ios13],
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [
      Fact(
        disturbed, set: [.on(.sysInterruption, .sysLock, .sysHomeButton, .sysAppSwitch)],
        clear: [.on(.delegateWillEnterForeground)])
    ],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [.end(.delegateWillEnterForeground, while: .not(.fact(disturbed)))],
            closes: [
              .on(
                .delegateDidBecomeActive, .delegateWillTerminate, .sysInterruption, .sysLock,
                .sysHomeButton, .sysAppSwitch)
            ],
            due: [
              .within(.parameter("limit")),
              .at([.on(.delegateWillResignActive, .delegateDidEnterBackground)]),
            ],
            per: .event)),
        message: """
          applicationWillEnterForeground: returned, but applicationDidBecomeActive: did not \
          follow within {limit}
          """)
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The next callback enters the background again.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_enter_background for 1ms  # here
      """),
    .violates(
      "The next callback resigns what isn't active yet.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.will_resign_active for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "Two seconds later the app still isn't active.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +2s     delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "A nanosecond too late, twice.", reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     sys.home_button
      +1s     >delegate.will_enter_foreground
      +1ms    <delegate.will_enter_foreground
      +1.000000001s  delegate.did_become_active for 1ms  # here
      \(Step.toBackground)
      +1s     >delegate.will_enter_foreground
      +1ms    <delegate.will_enter_foreground
      +1.000000001s  delegate.did_become_active for 1ms  # here
      """),
  ]

  private static func disturbedAfter(_ stimulus: String) -> String {
    """
    \(Step.toBackground)
    +1s     delegate.will_enter_foreground for 1ms
    +10ms   \(stimulus)
    +2s     delegate.did_become_active for 1ms
    """
  }

  private static func disturbedInside(_ stimulus: String) -> String {
    """
    \(Step.toBackground)
    +1s     >delegate.will_enter_foreground
    +1ms    \(stimulus)
    +1ms    <delegate.will_enter_foreground
    +2s     delegate.did_become_active for 1ms
    """
  }

  private static let holding: [RuleExample] = [
    .holds(
      "A return of a callback that was never entered says nothing.",
      """
      \(Step.launch)
      +1s     <delegate.will_enter_foreground
      +3s     trace.marker text=later
      """),
    .holds(
      "Queued notifications come between the two.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   note.deliver for 10ms name=NSCurrentLocaleDidChangeNotification queued=true
      +20ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "Exactly a second after the return is in time.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     >delegate.will_enter_foreground
      +1ms    <delegate.will_enter_foreground
      +1s     delegate.did_become_active for 1ms
      """),
    .holds(
      "Four things that can come in between.",
      """
      \(Step.launch)
      \(disturbedAfter("sys.interruption for 1s kind=system_alert"))
      \(disturbedAfter("sys.lock cause=button"))
      \(disturbedAfter("sys.home_button"))
      \(disturbedAfter("sys.app_switch target=com.example.other"))
      """),
    .holds(
      "The same four while the callback is still running.",
      """
      \(Step.launch)
      \(disturbedInside("sys.interruption for 1s kind=system_alert"))
      \(disturbedInside("sys.lock cause=button"))
      \(disturbedInside("sys.home_button"))
      \(disturbedInside("sys.app_switch target=com.example.other"))
      """),
    .holds(
      "The app is ended instead.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   >delegate.will_terminate
      +2s     <delegate.will_terminate
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Time in which the app was suspended doesn't count.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +10ms   delegate.did_become_active for 1ms
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops before the second is over.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +500ms  trace.marker text="last words"
      """),
    .unknown(
      "The callback may be among the events that were lost.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   trace.lost count=3
      +3s     trace.marker text=later
      """),
  ]
}
