// LC502: a launch into the foreground isn't finished by applicationDidBecomeActive:.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC502 {
  private static let disturbed = "disturbed launch"

  static let rule = Rule(
    id: "LC502",
    slug: "delegate-order/become-active-after-launch",
    severity: .warning,
    summary: "After a launch into the foreground applicationDidBecomeActive: comes next.",
    rationale: """
      The system finishes a launch into the foreground with this callback, before any touch. Only \
      an interruption, the lock, the Home button or a change to another app during the launch, or \
      the end of the app, can keep it away.
      """,
    consequence: "What the app starts in this callback, such as timers and drawing, never starts.",
    advice: """
      If the app implements the callback, find out who takes it away: a replaced delegate, or a \
      recorder that was installed too late.
      """,
    sources: [
      .appStates("What to Do at Launch Time"), .cocoanetics("The World Before Multitasking"),
    ],
    needs: ["delegate", "sys"],
    profiles: [.os3, .ios4, .ios5, .ios7, .ios8, .ios13],
    parameters: [],
    facts: [
      Fact(
        disturbed, set: [.on(.sysInterruption, .sysLock, .sysHomeButton, .sysAppSwitch)])
    ],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [.end(.delegateDidFinishLaunching, while: .phase([.launchingForeground]))],
            closes: [
              .on(
                .delegateDidBecomeActive, .delegateWillTerminate, .delegateWillResignActive,
                .delegateDidEnterBackground)
            ],
            due: [
              .at([
                .on(
                  .delegateWillResignActive, .delegateDidEnterBackground,
                  .delegateWillEnterForeground, .uiTouch,
                  while: .not(.fact(disturbed)))
              ])
            ],
            per: .launch, isUndecidedIfCutOff: true)),
        message: "The launch was finished, but applicationDidBecomeActive: did not come next")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + undecided)

  /// A launch that the system has finished, with nothing after it.
  private static let finished = """
    +0s     proc.start into=foreground reason=user_icon
    +10ms   delegate.did_finish_launching for 100ms
    """

  private static let violating: [RuleExample] = [
    .violates(
      "The user touches an app that was never told that it is active.",
      """
      \(finished)
      +1s     ui.touch  # here
      """),
    .violates(
      "The next callback resigns what was never active.",
      """
      \(finished)
      +1s     delegate.will_resign_active for 1ms  # here
      +10ms   delegate.did_enter_background for 1ms
      """),
    .violates(
      "The next callback enters the background.",
      """
      \(finished)
      +1s     delegate.did_enter_background for 1ms  # here
      """),
    .violates(
      "The next callback is one that only comes after a time in the background.",
      """
      \(finished)
      +1s     delegate.will_enter_foreground for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "Before iOS 4 the order was the same.",
      """
      header os_version=3.1 sdk_linked=3.0
      \(finished)
      +1s     ui.touch  # here
      """),
  ]

  private static func cutShort(_ stimulus: String) -> String {
    """
    \(finished)
    +200ms  \(stimulus)
    +10ms   delegate.will_resign_active for 1ms
    +1s     proc.kill cause=user_force_quit
    """
  }

  private static let holding: [RuleExample] = [
    .holds(
      "A document may be handed over between the two.",
      """
      \(finished)
      +110ms  delegate.open_url for 1ms scheme=notes
      +10ms   delegate.did_become_active for 1ms
      +1s     ui.touch
      \(Step.toBackground)
      """),
    .holds(
      "Four things that can cut a launch short.",
      """
      \(cutShort("sys.interruption kind=phone_call"))
      \(cutShort("sys.lock cause=button"))
      \(cutShort("sys.home_button"))
      \(cutShort("sys.app_switch target=com.example.other"))
      """),
    .holds(
      "The Home button was pressed while the launch was still under way.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms   sys.home_button
      +10ms   <delegate.did_finish_launching
      +10ms   delegate.will_resign_active for 1ms
      """),
    .holds(
      "The call that was accepted sends the app to the background at once.",
      """
      \(finished)
      +200ms  >sys.interruption kind=phone_call
      +1s     <sys.interruption outcome=accepted
      +10ms   delegate.did_enter_background for 1ms
      """),
    .holds(
      "The app is ended before it is active, and then launched as it should be.",
      """
      \(finished)
      +200ms  >delegate.will_terminate
      +1ms    ui.touch
      +10ms   <delegate.will_terminate
      +10ms   proc.exit by=uikit_after_will_terminate
      \(finished)
      +200ms  proc.kill cause=crash
      \(Step.launch)
      """),
    .holds(
      "A launch into the background ends without this callback.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops before anything else comes.",
      """
      \(finished)
      +1s     trace.marker text="last words"
      """)
  ]
}
