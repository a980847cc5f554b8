// LC811: a password or account changed, and the old user's information stays open to touches.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC811 {
  private static let change = FieldTest.all([
    .isText(.subject, ["settings"]), .isTrue(.security),
  ])

  /// The reaction comes before the first touch; one since the touch before the change also counts.
  private static func clause(_ subject: String, _ fact: String, _ message: String) -> Clause {
    Clause(
      .warning, applies: .isTrue(.hasSettingsBundle),
      .expect(
        Expect(
          opens: [.on(.appReact, where: change, while: .not(.fact(fact)))],
          closes: [.on(.appReact, where: .isText(.subject, [subject]))],
          due: [.at([.on(.uiTouch, while: .phase([.active]))])], per: .launch)),
      message: MessageTemplate(message))
  }

  private static func fact(_ subject: String, _ name: String) -> Fact {
    Fact(
      name, set: [.on(.appReact, where: .isText(.subject, [subject]))], clear: [.on(.uiTouch)])
  }

  static let rule = Rule(
    id: "LC811",
    slug: "notification/security-change-no-reauth",
    severity: .warning,
    summary: """
      When a setting of security has changed, the app hides what it shows and asks for the \
      password before the first touch.
      """,
    rationale: """
      A changed password or account may mean another person. What is on the screen belongs to the \
      one before, until the one who is there has proved who they are.
      """,
    consequence: "Whoever holds the device reads and uses the information of the old account.",
    advice: """
      Cover the interface as soon as the change is noticed, and show it again only after the new \
      password was entered.
      """,
    sources: [.appStates("Responding to Changes in Your App’s Settings")],
    needs: ["app", "ui", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    facts: [fact("hide_info", "hidden"), fact("reauth", "asked")],
    clauses: [
      clause(
        "hide_info", "hidden",
        "a setting of security changed, and what was shown was not hidden before the first touch"),
      clause(
        "reauth", "asked",
        "a setting of security changed, and no password was asked for before the first touch"),
    ],
    examples: violating + holding)

  private static let header = "header os_version=8.0 sdk_linked=8.0 has_settings_bundle=true"
  private static let delivery = "name=NSUserDefaultsDidChangeNotification queued=true"

  private static let violating: [RuleExample] = [
    .violates(
      "Neither is done.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   >note.deliver \(delivery)
      +1ms    app.react subject=settings security=true
      +1ms    <note.deliver
      \(Step.toForeground)
      +1s     ui.touch  # here
      \(Step.end)
      """),
    .violates(
      "The password is asked for, but the old information shines through.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   app.react subject=settings security=true
      \(Step.toForeground)
      +10ms   app.react subject=reauth
      +1s     ui.touch  # here
      \(Step.end)
      """),
    .violates(
      "The old information is hidden for the moment, but nobody asks for the password.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   app.react subject=settings security=true
      +10ms   app.react subject=hide_info
      \(Step.toForeground)
      +1s     ui.touch  # here
      +1s     app.react subject=reauth
      \(Step.end)
      """),
    .violates(
      "What was done for an earlier change, before a touch, is none for this one.",
      """
      \(header)
      \(Step.launch)
      +1s     app.react subject=hide_info
      +1ms    app.react subject=reauth
      +1s     ui.touch
      +1s     app.react subject=settings security=true
      +1s     ui.touch  # here
      \(Step.end)
      """),
    .violates(
      "The information was hidden before the last touch, and only the password is asked for again.",
      """
      \(header)
      \(Step.launch)
      +1s     app.react subject=hide_info
      +1s     ui.touch
      +1s     app.react subject=settings security=true
      +1s     app.react subject=reauth
      +1s     ui.touch  # here
      \(Step.end)
      """),
    .violates(
      "The password was asked for before the last touch, and only the information is hidden again.",
      """
      \(header)
      \(Step.launch)
      +1s     app.react subject=reauth
      +1s     ui.touch
      +1s     app.react subject=settings security=true
      +1s     app.react subject=hide_info
      +1s     ui.touch  # here
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Hidden and asked for before the user can touch anything.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   app.react subject=settings security=true
      +1ms    app.react subject=hide_info
      +1ms    app.react subject=reauth
      \(Step.toForeground)
      +1s     ui.touch
      \(Step.end)
      """),
    .holds(
      "Hidden and asked for just before the settings are read.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   app.react subject=hide_info
      +1ms    app.react subject=reauth
      +1ms    app.react subject=settings security=true
      \(Step.toForeground)
      +1s     ui.touch
      \(Step.end)
      """),
    .holds(
      "A touch that reaches an app which isn't active is another rule's business.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   app.react subject=settings security=true
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   ui.touch
      +1ms    app.react subject=hide_info
      +1ms    app.react subject=reauth
      +10ms   delegate.did_become_active for 1ms
      +1s     ui.touch
      \(Step.end)
      """),
    .holds(
      "Settings that have nothing to do with security.",
      """
      \(header)
      \(Step.launch)
      +1s     app.react subject=settings security=false
      +1s     app.react subject=settings
      +1s     ui.touch
      \(Step.end)
      """),
    .holds(
      "An app without a settings bundle.",
      """
      header os_version=8.0 sdk_linked=8.0 has_settings_bundle=false
      \(Step.launch)
      +1s     app.react subject=settings security=true
      +1s     ui.touch
      \(Step.end)
      """),
  ]
}
