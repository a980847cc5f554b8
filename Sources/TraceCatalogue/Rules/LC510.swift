// LC510: the app resigns after a banner, without another cause.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC510 {
  static let rule = Rule(
    id: "LC510",
    slug: "transition/deactivated-by-banner",
    severity: .note,
    summary: "A banner alone doesn't make the app inactive.",
    rationale: """
      From iOS 5 on a notification may slide in at the top of the screen, and the app goes on \
      receiving touches. If the app resigns within a second of a banner, and nothing else happens \
      within a second before or after, the cause hasn't been recorded.
      """,
    consequence: "The app pauses, and the trace doesn't tell why.",
    advice: """
      Look for what the recorder doesn't see: Control Center, Notification Center, a system alert, \
      or code of the app that calls applicationWillResignActive: on its own.
      """,
    sources: [.appStates("Responding to Interruptions")],
    needs: ["delegate", "sys"],
    profiles: Profile.ios5Plus,
    parameters: [RuleParameter("window", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [
      Fact(
        "banner", set: [.on(.sysBanner, where: .not(.isFalse(.shown)))],
        lasts: .parameter("window", on: .continuous)),
      Fact(
        "other cause",
        set: [.on(.sysInterruption, .sysHomeButton, .sysLock, .sysSwitcher, .sysAppSwitch)],
        lasts: .parameter("window", on: .continuous)),
    ],
    clauses: [
      Clause(
        .note,
        .expect(
          Expect(
            opens: [
              .on(
                .delegateWillResignActive,
                while: .all([.fact("banner"), .not(.fact("other cause"))]))
            ],
            closes: [
              .on(.sysInterruption, .sysHomeButton, .sysLock, .sysSwitcher, .sysAppSwitch)
            ],
            due: [.within(.parameter("window", on: .continuous))], per: .event)),
        message: "The app resigned after a banner, and no other cause was recorded")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + undecided)

  /// A banner, a cause of another sort, and a pair of resigning and becoming active.
  private static func caused(_ stimulus: String) -> String {
    """
    +10s    sys.banner id=chat
    +100ms  \(stimulus)
    +100ms  delegate.will_resign_active for 1ms
    +3s     delegate.did_become_active for 1ms
    """
  }

  /// The same, with the cause recorded late.
  private static func explained(_ stimulus: String) -> String {
    """
    +10s    sys.banner id=chat
    +100ms  delegate.will_resign_active for 1ms
    +1s     \(stimulus)
    +3s     delegate.did_become_active for 1ms
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "A banner is shown, and the app resigns.",
      """
      header os_version=6.0 sdk_linked=6.0
      \(Step.launch)
      +1s     sys.banner id=chat shown=true
      +10ms   delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "A nanosecond less than a second after the banner, and a cause that comes too late.",
      """
      \(Step.launch)
      +1s     sys.banner id=chat
      +999999999ns  delegate.will_resign_active for 1ms
      +1.000000001s  sys.home_button  # here
      """),
    .violates(
      "A cause of long ago doesn't explain it; each time is a finding.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     sys.interruption for 1ms kind=siri
      +900ms  sys.banner id=chat
      +100ms  delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms  # here
      +1s     sys.banner id=chat
      +10ms   delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The user pulls down Notification Center to read the banner.",
      """
      header os_version=6.0 sdk_linked=6.0
      \(Step.launch)
      +1s     sys.banner id=chat
      +10ms   >sys.interruption kind=notification_center
      +10ms   delegate.will_resign_active for 1ms
      +3s     <sys.interruption
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "Five other causes between the banner and the callback.",
      """
      \(Step.launch)
      \(caused("sys.interruption for 1s kind=phone_call"))
      \(caused("sys.home_button"))
      \(caused("sys.lock cause=button"))
      \(caused("sys.switcher for 1s"))
      \(caused("sys.app_switch target=com.example.chat"))
      """),
    .holds(
      "The same five, told a second after the callback.",
      """
      \(Step.launch)
      \(explained("sys.interruption for 1s kind=phone_call"))
      \(explained("sys.home_button"))
      \(explained("sys.lock cause=button"))
      \(explained("sys.switcher for 1s"))
      \(explained("sys.app_switch target=com.example.chat"))
      """),
    .holds(
      "A second after the banner the two have nothing to do with each other.",
      """
      \(Step.launch)
      +1s     sys.banner id=chat
      +1s     delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms
      """),
    .holds(
      "A banner that goes away doesn't count.",
      """
      \(Step.launch)
      +1s     sys.banner id=chat shown=false
      +10ms   delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms
      """),
    .holds(
      "On iOS 4 the notification is an alert.",
      """
      header os_version=4.2 sdk_linked=4.2
      \(Step.launch)
      +1s     sys.banner id=chat
      +10ms   delegate.will_resign_active for 1ms
      +3s     delegate.did_become_active for 1ms
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording is ended at once: a cause may still have been told.",
      """
      \(Step.launch)
      +1s     sys.banner id=chat
      +100ms  delegate.will_resign_active for 1ms
      +10ms   trace.end reason=clean
      """),
    .unknown(
      "The recording stops before a cause could be told.",
      """
      \(Step.launch)
      +1s     sys.banner id=chat
      +10ms   delegate.will_resign_active for 1ms
      +500ms  trace.marker text="last words"
      """)
  ]
}
