// LC513: the lock gives other callbacks than the system's version lets expect.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC513 {
  static let rule = Rule(
    id: "LC513",
    slug: "transition/lock-sequence",
    severity: .note,
    summary: """
      Locking the device sends an active app to the background from iOS 5 on, and only makes it \
      inactive on iOS 4.
      """,
    rationale: """
      With iOS 5 the lock became a way to leave an app. A trace in which it has the effect of the \
      other system was recorded on another system than its header says, or lacks callbacks.
      """,
    consequence: """
      All findings that depend on the system's version are in doubt; an app that saves in \
      applicationDidEnterBackground: doesn't save on the lock of iOS 4.
      """,
    advice: """
      Check os_version in the header. On iOS 4, save in applicationWillResignActive: what a lock \
      must not lose.
      """,
    sources: [.cocoanetics("readers' comments"), .appStates("Responding to Interruptions")],
    needs: ["delegate", "sys"],
    profiles: [.ios4, .ios5, .ios7, .ios8, .ios13],
    parameters: [RuleParameter("limit", .nanoseconds, 10_000_000_000, .toolDefault)],
    facts: [
      Fact(
        "just locked", set: [.on(.sysLock, while: .phase([.active]))],
        clear: [.on(.sysUnlock, .sysInterruption, .delegateDidBecomeActive)],
        lasts: .parameter("limit"))
    ],
    clauses: [
      Clause(
        .note, applies: .not(.profile([.ios4])),
        .expect(
          Expect(
            opens: [.on(.sysLock, while: .phase([.active]))],
            closes: [
              .on(.delegateDidEnterBackground, .sysUnlock, .delegateDidBecomeActive)
            ],
            due: [.within(.parameter("limit"))], per: .event)),
        message: "The device was locked, and the app did not enter the background within {limit}"),
      Clause(
        .note, applies: .profile([.ios4]),
        .never(
          Never(
            .on(.delegateDidEnterBackground, while: .fact("just locked")), per: .event)),
        message: "The app entered the background because of the lock, which iOS 4 does not do"),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "On iOS 5 the app only becomes inactive.",
      """
      header os_version=5.1 sdk_linked=5.0
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +60s    trace.marker text=later  # here
      \(Step.end)
      """),
    .violates(
      "A nanosecond too late; each lock is one finding.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +9.990000001s  delegate.did_enter_background for 1ms  # here
      +1s     sys.unlock
      \(Step.toForeground)
      +1s     sys.lock cause=auto
      +10ms   delegate.will_resign_active for 1ms
      +60s    delegate.did_enter_background for 1ms  # here
      """),
    .violates(
      "On iOS 4 the app enters the background.",
      """
      header os_version=4.2 sdk_linked=4.2
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +9.98s  delegate.did_enter_background for 1ms  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "On iOS 4 the app is inactive until the unlock.",
      """
      header os_version=4.2 sdk_linked=4.2
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +60s    sys.unlock
      \(Step.becomeActive)
      """),
    .holds(
      "From iOS 5 on the background is entered, at the latest after ten seconds.",
      """
      header os_version=5.1 sdk_linked=5.0
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +9.99s  delegate.did_enter_background for 1ms
      """),
    .holds(
      "The device is unlocked before.",
      """
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +2s     sys.unlock
      +20s    delegate.did_become_active for 1ms
      """),
    .holds(
      "An active app is proof of an unlock that wasn't recorded.",
      """
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +2s     delegate.did_become_active for 1ms
      +20s    trace.marker text=later
      """),
    .holds(
      "An app that was inactive or in the background isn't judged.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     sys.lock cause=auto
      +20s    delegate.did_enter_background for 1ms
      +1s     sys.unlock
      +1s     sys.lock cause=auto
      +20s    trace.marker text=later
      """),
    .holds(
      "On iOS 4 a lock of an inactive app explains nothing, and neither does one of long ago.",
      """
      header os_version=4.2 sdk_linked=4.2
      \(Step.launch)
      \(Step.resign)
      +1s     sys.lock cause=auto
      +1s     delegate.did_enter_background for 1ms
      +1s     sys.unlock
      \(Step.toForeground)
      +1s     sys.lock cause=auto
      +10ms   delegate.will_resign_active for 1ms
      +9.99s  delegate.did_enter_background for 1ms
      """),
    .holds(
      "On iOS 4 an unlock, a call, or an unlock that wasn't recorded come before the background.",
      """
      header os_version=4.2 sdk_linked=4.2
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +2s     sys.unlock
      +1s     delegate.did_enter_background for 1ms
      \(Step.toForeground)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +2s     sys.interruption for 100ms kind=phone_call
      +1s     delegate.did_enter_background for 1ms
      +1s     sys.unlock
      \(Step.toForeground)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      \(Step.becomeActive)
      \(Step.toBackground)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops after five seconds.",
      """
      \(Step.launch)
      +1s     sys.lock cause=button
      +10ms   delegate.will_resign_active for 1ms
      +5s     trace.marker text="last words"
      """)
  ]
}
