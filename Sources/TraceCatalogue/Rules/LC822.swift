// LC822: an alert or action sheet is still shown when the app enters the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC822 {
  private static let cleanedUp = Expect(
    opens: [.on(.uiAlertShow)], closes: [.on(.uiAlertDismiss)], key: [.argument(.id)],
    due: [.at([.end(.delegateDidEnterBackground, while: .not(.anyFact("state saved")))])])

  static let rule = Rule(
    id: "LC822",
    slug: "ui/alert-open-at-background",
    severity: .warning,
    summary: """
      Before the background is entered, alerts and action sheets are dismissed, or enough is saved \
      to show them again.
      """,
    rationale: """
      The system leaves an alert as it is when the app goes to the background, so that the user \
      finds it again. Whether it still makes sense then, only the app knows; and after a purge \
      nobody knows that it was there.
      """,
    consequence: """
      The user comes back to a question whose reason is long gone, or loses it when the app is \
      purged.
      """,
    advice: """
      Cancel the alert in applicationDidEnterBackground:, or save what it takes to show it again.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["ui", "delegate", "data"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      Fact(
        "state saved",
        set: [
          .any(
            .dataSave, where: .isText(.kind, ["ui_state"]),
            while: .phase([.resigning, .inactive, .enteringBackground]))
        ],
        clear: [.on(.delegateDidBecomeActive)])
    ],
    clauses: [
      Clause(
        .warning, .expect(cleanedUp),
        message: """
          the alert of {what} was still open when the app entered the background, and no state of \
          the interface was saved
          """)
    ],
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "The question stays open.",
      """
      \(Step.launch)
      +1s     ui.alert_show id=1 type=UIAlertView
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "One of two is dismissed; the user's data doesn't bring the other back.",
      """
      \(Step.launch)
      +1s     ui.alert_show id=1 type=UIActionSheet
      +1s     ui.alert_show id=2 type=UIAlertView
      +1s     ui.alert_dismiss id=1 by=user
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +10ms   data.save for 1ms store=notes kind=user_data ok=true
      +10ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "What was saved on an earlier way out isn't the state of this one.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   data.save for 1ms store=ui kind=ui_state ok=true
      \(Step.becomeActive)
      +1s     ui.alert_show id=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A state that was saved while the app was active doesn't hold the alert.",
      """
      \(Step.launch)
      +1s     data.save for 1ms store=ui kind=ui_state ok=true
      +1s     ui.alert_show id=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A return of a callback that was never entered is no way into the background.",
      """
      \(Step.launch)
      +1s     <delegate.did_enter_background
      +3s     trace.marker text=later
      \(Step.end)
      """),
    .holds(
      "The alert is dismissed inside the callback.",
      """
      \(Step.launch)
      +1s     ui.alert_show id=1
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms   ui.alert_dismiss id=1 by=app
      +10ms   <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The state is saved in the callback that enters the background.",
      """
      \(Step.launch)
      +1s     ui.alert_show id=1
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms   data.save for 1ms store=ui kind=ui_state ok=true
      +10ms   <delegate.did_enter_background
      \(Step.toForeground)
      +1s     ui.alert_dismiss id=1 by=user
      \(Step.end)
      """),
    .holds(
      "The state is saved in the callback that resigns.",
      """
      \(Step.launch)
      +1s     ui.alert_show id=1
      +1s     >delegate.will_resign_active
      +10ms   data.save for 1ms store=ui kind=ui_state ok=true
      +10ms   <delegate.will_resign_active
      +10ms   >delegate.did_enter_background
      +10ms   <delegate.did_enter_background
      \(Step.toForeground)
      +1s     ui.alert_dismiss id=1 by=user
      \(Step.end)
      """),
    .holds(
      "The state is saved while the app is inactive.",
      """
      \(Step.launch)
      +1s     ui.alert_show id=1
      \(Step.resign)
      +10ms   data.save for 1ms store=ui kind=ui_state ok=true
      +10ms   >delegate.did_enter_background
      +10ms   <delegate.did_enter_background
      \(Step.toForeground)
      +1s     ui.alert_dismiss id=1 by=user
      \(Step.end)
      """),
    .holds(
      "An interruption that is over leaves the alert where it was.",
      """
      \(Step.launch)
      +1s     ui.alert_show id=1
      \(Step.resign)
      \(Step.becomeActive)
      +1s     ui.alert_dismiss id=1 by=user
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Of an app linked against an SDK before 4.0 the system dismisses the alerts.",
      """
      header os_version=4.2 sdk_linked=3.2
      \(Step.launch)
      +1s     ui.alert_show id=1
      \(Step.toBackground)
      +10ms   delegate.will_terminate for 10ms
      +20ms   proc.exit code=0 by=uikit_after_will_terminate
      """),
  ]
}
