// LC519: an app without multitasking goes on living after the user has left it.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC519 {
  static let rule = Rule(
    id: "LC519",
    slug: "transition/no-multitasking-app-kept-alive",
    severity: .warning,
    summary: """
      Where there is no multitasking, an app that the user leaves is ended and never suspended.
      """,
    rationale: """
      On such a system, device or SDK applicationWillTerminate: is the end, and the next start is \
      a launch. An app that comes back or goes on for long contradicts what the header says of it.
      """,
    consequence: """
      The header is wrong about the system, the SDK or the device, and other rules judge the trace \
      by the wrong profile.
      """,
    advice: """
      Check os_version, sdk_linked and multitasking_supported in the header of the trace; if they \
      are right, look for what keeps the process from ending.
      """,
    sources: [
      .iOS4Guide("Determining Whether Multitasking Support is Available"),
      .cocoanetics("Multitasking ON"),
    ],
    needs: ["proc", "delegate"],
    profiles: [.os3, .sdk3, .nomt],
    parameters: [RuleParameter("limit", .nanoseconds, 10_000_000_000, .toolDefault)],
    facts: [
      Fact(
        "left", set: [.on(.sysHomeButton, .sysAppSwitch)], clear: [.on(.delegateDidBecomeActive)])
    ],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(.procSuspend, .delegateWillEnterForeground, where: .not(.isTrue(.inferred))),
            per: .launch)),
        message: "{what} in an app that has no multitasking"),
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(.sysHomeButton, .sysAppSwitch, while: .phase([.active, .inactive])),
              .end(.delegateDidEnterBackground, while: .fact("left")),
            ],
            closes: [.on(.delegateDidBecomeActive, .delegateDidEnterBackground)],
            reopening: .replace, due: [.within(.parameter("limit"))], per: .launch)),
        message: "the process still lived {limit} after the app was left ({what})"),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + [
      .unknown(
        "The trace stops before the time is over.",
        """
        header os_version=3.1 sdk_linked=3.1
        \(Step.launch)
        +1s     sys.home_button
        +5s     trace.marker text=last
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "An app of the SDK 3.2 is suspended.",
      """
      header os_version=8.0 sdk_linked=3.2 background_modes=[]
      \(Step.launch)
      \(Step.toSuspended)  # here
      """),
    .violates(
      "On a device without multitasking the app comes back.",
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      \(Step.launch)
      +1s     sys.home_button
      +10ms   delegate.did_enter_background for 10ms
      +5s     delegate.will_enter_foreground for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "No callback came, and the process lives a nanosecond too long.",
      """
      header os_version=3.1 sdk_linked=3.1
      \(Step.launch)
      +1s     sys.home_button
      +10.000000001s  trace.marker text="still here"  # here
      """),
    .violates(
      "From an interruption the user goes to another app.",
      """
      header os_version=3.1 sdk_linked=3.1
      \(Step.launch)
      \(Step.resign)
      +1s     sys.app_switch target=phone
      +11s    trace.marker text="still here"  # here
      """),
    .violates(
      "Where the callback comes, time counts from its return, whatever sent the app away.",
      reasons: [nil, nil],
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      \(Step.launch)
      +1s     sys.app_switch target=phone
      +10ms   >delegate.did_enter_background
      +4s     <delegate.did_enter_background
      +10.000000001s  trace.marker text="still here"  # here
      +1s     proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(Step.launch)
      +1s     sys.home_button
      +10ms   >delegate.did_enter_background
      +4s     <delegate.did_enter_background
      +10.000000001s  trace.marker text="still here"  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "An app of the SDK 3.2 is told that it is in the background, and ended.",
      """
      header os_version=4.0 sdk_linked=3.2
      \(Step.launch)
      +1s     sys.home_button
      \(Step.toBackground)
      +10ms   delegate.will_terminate for 10ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Ten seconds after the return of the callback are allowed.",
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      \(Step.launch)
      +1s     sys.home_button
      +10ms   >delegate.did_enter_background
      +4s     <delegate.did_enter_background
      +10s    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "How long the callback may take is another rule's business.",
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      \(Step.launch)
      +1s     sys.home_button
      +10ms   >delegate.did_enter_background
      +12s    <delegate.did_enter_background
      +1s     proc.kill cause=watchdog
      """),
    .holds(
      "The button only took an alert away; the callback later has another cause.",
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      \(Step.launch)
      \(Step.resign)
      +1s     sys.home_button
      \(Step.becomeActive)
      +20s    trace.marker text="still active"
      \(Step.toBackground)
      +20s    trace.marker text="still here"
      """),
    .holds(
      "A silence that looks like a suspension proves none.",
      """
      header os_version=4.0 sdk_linked=3.2
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.suspend inferred=true evidence=heartbeat_gap
      +2s     proc.resume inferred=true
      +10ms   delegate.will_terminate for 10ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "In the background the button says nothing about this app.",
      """
      header os_version=4.0 sdk_linked=3.2
      \(Step.launch)
      \(Step.toBackground)
      +1s     sys.home_button
      +20s    trace.marker text="still here"
      """),
  ]
}
