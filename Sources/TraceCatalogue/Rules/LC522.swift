// LC522: a phone call is over, and the app rests where it can't stay.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC522 {
  private static func over(_ outcome: String, while condition: Condition) -> EventPattern {
    .end(
      .sysInterruption,
      where: .all([.isText(.kind, ["phone_call"]), .isText(.outcome, [outcome])]),
      while: condition)
  }

  private static func clause(
    _ applies: HeaderTest?, opens: EventPattern, closes: [EventPattern],
    message: MessageTemplate
  ) -> Clause {
    Clause(
      .note, applies: applies,
      .expect(
        Expect(opens: [opens], closes: closes, due: [.within(.parameter("limit"))], per: .event)),
      message: message)
  }

  static let rule = Rule(
    id: "LC522",
    slug: "transition/phone-call-outcome",
    severity: .note,
    summary: """
      A dismissed phone call leads back to the active app; an accepted one sends the app away.
      """,
    rationale: """
      Inactive is a state to pass through. After a dismissed call applicationDidBecomeActive: \
      follows; an accepted call brings the background or, without multitasking, the end.
      """,
    consequence: "The app rests in the inactive state, where it gets no touches.",
    advice: """
      Check that all callbacks are recorded and that none of them blocks; from iOS 14 on a call \
      may be shown as a banner, which isn't an interruption.
      """,
    sources: [
      .appStates("Responding to Interruptions"), .cocoanetics("Multitasking ON"),
      .xamarin("Application Lifecycle Methods"),
    ],
    needs: ["sys", "delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("limit", .nanoseconds, 5_000_000_000, .toolDefault)],
    facts: [
      Fact(
        "something in front", set: [.on(.sysInterruption, .sysSwitcher)],
        clear: [.end(.sysInterruption, .sysSwitcher)], nests: true)
    ],
    clauses: [
      clause(
        .profile(Profile.ios4Plus),
        opens: over("accepted", while: .phase([.active, .inactive])),
        closes: [.on(.delegateDidEnterBackground, .delegateWillTerminate)],
        message: "the accepted call didn't send the app to the background within {limit}"),
      clause(
        .profile([.os3, .sdk3, .nomt, .optout]),
        opens: over("accepted", while: .phase([.active, .inactive])),
        closes: [.on(.delegateWillTerminate)],
        message: "the accepted call didn't end the app within {limit}"),
      clause(
        nil,
        opens: over(
          "dismissed",
          while: .all([
            .phase([.inactive]), .not(.isLocked), .not(.fact("something in front")),
          ])),
        closes: [
          .on(
            .delegateDidBecomeActive, .delegateDidEnterBackground, .delegateWillTerminate,
            .sysInterruption, .sysSwitcher, .sysLock, .sysHomeButton, .sysAppSwitch)
        ],
        message: "the app wasn't active {limit} after the call was dismissed"),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + stimuli + [
      .unknown(
        "The trace stops too early.",
        """
        \(Step.launch)
        +1s     >sys.interruption kind=phone_call
        \(Step.resign)
        +3s     <sys.interruption outcome=dismissed
        +2s     trace.marker text=last
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "The call was accepted, and the app stays inactive.",
      """
      header os_version=4.3 sdk_linked=4.3 background_modes=[]
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=accepted
      +8s     trace.marker text=resting  # here
      """),
    .violates(
      "The call was accepted, and the app is active a nanosecond too long.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +3s     <sys.interruption outcome=accepted
      +5.000000001s  trace.marker text=active  # here
      """),
    .violates(
      "Without multitasking an accepted call ends the app, wherever it stands.",
      reasons: [nil, nil],
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=accepted
      +6s     delegate.did_become_active for 1ms  # here
      +1s     >sys.interruption kind=phone_call
      +3s     <sys.interruption outcome=accepted
      +6s     trace.marker text=active  # here
      """),
    .violates(
      "The call was dismissed, and the app doesn't become active.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=dismissed
      +5.000000001s  trace.marker text=resting  # here
      """),
    .violates(
      "An alert before the call and the switcher before that are gone.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     >sys.switcher
      +1s     <sys.switcher
      +1s     >sys.interruption kind=text_message
      +1s     >sys.interruption kind=phone_call
      +1s     <sys.interruption kind=text_message outcome=dismissed
      +1s     <sys.interruption kind=phone_call outcome=dismissed
      +6s     trace.marker text=resting  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The call was dismissed, and the app is active again in five seconds.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=dismissed
      +5s     delegate.did_become_active for 1ms
      +10s    trace.marker text=later
      """),
    .holds(
      "The call was accepted, and the app is in the background in five seconds.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=accepted
      +5s     delegate.did_enter_background for 10ms
      +10s    trace.marker text=later
      """),
    .holds(
      "The callback came before the call was recorded as accepted.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      \(Step.toBackground)
      +3s     <sys.interruption outcome=accepted
      +10s    trace.marker text=later
      """),
    .holds(
      "An app that is ended doesn't rest.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=accepted
      +1s     >delegate.will_terminate
      +6s     trace.marker text=later
      """),
    .holds(
      "Without multitasking the accepted call ends the app.",
      """
      header os_version=3.1 sdk_linked=3.1
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=accepted
      +1s     >delegate.will_terminate
      +6s     trace.marker text=later
      """),
    .holds(
      "Other interruptions end as they like.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=text_message
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption outcome=dismissed
      +10s    trace.marker text=later
      """),
  ]

  private static func dismissedThen(_ event: String) -> String {
    """
    \(Step.launch)
    +1s     >sys.interruption kind=phone_call
    +10ms   delegate.will_resign_active for 1ms
    +3s     <sys.interruption outcome=dismissed
    +1s     \(event)
    +10s    trace.marker text=later
    """
  }

  private static let stimuli: [RuleExample] = [
    .holds("The user opens the app switcher.", dismissedThen(">sys.switcher")),
    .holds("The user presses the Home button.", dismissedThen("sys.home_button")),
    .holds("The user goes to another app.", dismissedThen("sys.app_switch target=phone")),
    .holds("The user locks the device.", dismissedThen("sys.lock cause=button")),
    .holds("A text message follows.", dismissedThen(">sys.interruption kind=text_message")),
    .holds(
      "The app is sent to the background.", dismissedThen("delegate.did_enter_background for 1ms")),
    .holds("The app is ended.", dismissedThen(">delegate.will_terminate")),
    .holds(
      "The device was locked during the call.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +1s     sys.lock cause=auto
      +3s     <sys.interruption outcome=dismissed
      +10s    trace.marker text=later
      """),
    .holds(
      "The switcher is still in front of the app.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=phone_call
      +10ms   delegate.will_resign_active for 1ms
      +1s     >sys.switcher
      +3s     <sys.interruption outcome=dismissed
      +10s    trace.marker text=later
      """),
    .holds(
      "A text message is still in front of the app.",
      """
      \(Step.launch)
      +1s     >sys.interruption kind=text_message
      +10ms   delegate.will_resign_active for 1ms
      +1s     >sys.interruption kind=phone_call
      +3s     <sys.interruption kind=phone_call outcome=dismissed
      +10s    trace.marker text=later
      """),
  ]
}
