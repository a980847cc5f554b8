// LC815: an app without view controllers doesn't observe the frame of the status bar.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC815 {
  static let rule = Rule(
    id: "LC815",
    slug: "notification/status-bar-not-observed",
    severity: .note,
    summary: """
      An app without view controllers observes UIApplicationDidChangeStatusBarFrameNotification \
      before its first active time ends.
      """,
    rationale: """
      The status bar grows while a call goes on and shrinks after it. View controllers adjust \
      their views by themselves; views without one stay as they are.
      """,
    consequence: "During a call the top of the interface lies under the status bar.",
    advice: """
      Let view controllers manage the views, or observe the notification at launch and lay the \
      views out by the status bar's frame.
      """,
    sources: [.appStates("Adjusting Your User Interface During a Phone Call")],
    needs: ["note", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    facts: [
      // An observer without a name hears every notification.
      Fact(
        "observed",
        set: [
          .on(
            .noteObserve,
            where: .any([
              .isText(.name, ["UIApplicationDidChangeStatusBarFrameNotification"]),
              .not(.isPresent(.name)),
            ]))
        ])
    ],
    clauses: [
      Clause(
        .note, applies: .isFalse(.usesViewControllers),
        .never(
          Never(
            .on(
              .delegateWillResignActive, .delegateDidEnterBackground, .delegateWillTerminate,
              while: .all([.wasPhase([.active]), .not(.fact("observed"))])),
            per: .launch)),
        message: """
          the app was active, uses no view controllers, and had no observer of \
          UIApplicationDidChangeStatusBarFrameNotification when {what} came
          """)
    ],
    examples: violating + holding + undecided)

  private static let header = "header os_version=8.0 sdk_linked=8.0 uses_view_controllers=false"

  private static let violating: [RuleExample] = [
    .violates(
      "Nobody observes the status bar; the next active time is the same finding.",
      """
      \(header)
      \(Step.launch)
      +1s     >delegate.will_resign_active  # here
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      \(Step.resign)
      \(Step.end)
      """),
    .violates(
      "On a device without multitasking the app leaves at once.",
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false \
      uses_view_controllers=false
      \(Step.launch)
      +1s     note.observe name=NSUserDefaultsDidChangeNotification
      +1s     >delegate.did_enter_background  # here
      +10ms   <delegate.did_enter_background
      +10ms   delegate.will_terminate for 10ms
      +20ms   proc.exit code=0 by=uikit_after_will_terminate
      """),
    .violates(
      "Before iOS 4 the app is ended.",
      """
      header os_version=3.1 sdk_linked=3.1 uses_view_controllers=false
      \(Step.launch)
      +1s     >delegate.will_terminate  # here
      +10ms   <delegate.will_terminate
      +10ms   proc.exit code=0 by=uikit_after_will_terminate
      """),
    .violates(
      "The observer comes when the first active time is over.",
      """
      \(header)
      \(Step.launch)
      +1s     >delegate.will_resign_active  # here
      +1ms    note.observe name=UIApplicationDidChangeStatusBarFrameNotification
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      \(Step.resign)
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "View controllers do it.",
      """
      header os_version=8.0 sdk_linked=8.0 uses_view_controllers=true
      \(Step.launch)
      \(Step.resign)
      \(Step.end)
      """),
    .holds(
      "The frame is observed.",
      """
      \(header)
      \(Step.launch)
      +1s     note.observe name=UIApplicationDidChangeStatusBarFrameNotification
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "An observer without a name hears of it as well.",
      """
      \(header)
      \(Step.launch)
      +1s     note.observe
      \(Step.resign)
      \(Step.end)
      """),
    .holds(
      "An app that was never active.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     >delegate.will_terminate
      +10ms   <delegate.will_terminate
      +10ms   proc.exit code=0 by=uikit_after_will_terminate
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The observer may have been added before the recording began.",
      """
      \(header)
      +0s     trace.start reason=attach
      +1s     delegate.did_become_active for 1ms
      \(Step.resign)
      \(Step.end)
      """)
  ]
}
