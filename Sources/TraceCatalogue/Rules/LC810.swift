// LC810: the settings changed during a suspension, and the app doesn't reload them.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC810 {
  private static let change = FieldTest.all([
    .isText(.name, ["NSUserDefaultsDidChangeNotification"]), .isTrue(.queued),
  ])

  /// The app has reacted since the last such delivery began.
  static func reacted(_ subject: String, to change: FieldTest) -> Fact {
    Fact(
      "reacted", set: [.on(.appReact, where: .isText(.subject, [subject]))],
      clear: [.on(.noteDeliver, where: change)])
  }

  /// A reaction follows a delivery in time, if there was none inside its handler.
  static func reaction(_ subject: String, to change: FieldTest) -> Pattern {
    .expect(
      Expect(
        opens: [.end(.noteDeliver, where: change, while: .not(.fact("reacted")))],
        closes: [.on(.appReact, where: .isText(.subject, [subject]))],
        due: [.within(.parameter("limit"))], per: .launch))
  }

  static let rule = Rule(
    id: "LC810",
    slug: "notification/settings-not-reloaded",
    severity: .note,
    summary: """
      The app reloads its settings within 2 seconds after it was told that they have changed.
      """,
    rationale: """
      What the user changes in the Settings app while the app is suspended is told on the resume. \
      Values that were read before no longer hold then.
      """,
    consequence: "The app goes on with the old settings until it is started anew.",
    advice: """
      Read the settings in the observer of NSUserDefaultsDidChangeNotification and bring the \
      interface up to date.
      """,
    sources: [.appStates("Responding to Changes in Your App’s Settings")],
    needs: ["note", "app"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("limit", .nanoseconds, 2_000_000_000, .toolDefault)],
    facts: [reacted("settings", to: change)],
    clauses: [
      Clause(
        .note, applies: .isTrue(.hasSettingsBundle), reaction("settings", to: change),
        message: "{what} told of changed settings, and nothing was reloaded within {limit}")
    ],
    examples: violating + holding + undecided)

  private static let header = "header os_version=8.0 sdk_linked=8.0 has_settings_bundle=true"
  private static let changed = "name=NSUserDefaultsDidChangeNotification queued=true"

  private static let violating: [RuleExample] = [
    .violates(
      "Nothing is reloaded.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver \(changed)
      +100ms  delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      +5s     trace.end reason=clean  # here
      """),
    .violates(
      "A nanosecond too late, counted from the end of the handler.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   >note.deliver \(changed)
      +1s     <note.deliver
      +2.000000001s app.react subject=settings  # here
      \(Step.end)
      """),
    .violates(
      "The first change is followed, the second isn't; another reaction is none to this.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   >note.deliver \(changed)
      +10ms   app.react subject=settings
      +10ms   <note.deliver
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      +10ms   note.deliver for 10ms \(changed)
      +1s     app.react subject=locale
      +4s     trace.marker text=later  # here
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Reloaded inside the handler.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   >note.deliver \(changed)
      +10ms   app.react subject=settings
      +10ms   <note.deliver
      +5s     trace.end reason=clean
      """),
    .holds(
      "Reloaded after the handler, at the last moment.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   >note.deliver \(changed)
      +1s     <note.deliver
      +2s     app.react subject=settings
      +5s     trace.end reason=clean
      """),
    .holds(
      "A suspension stops the time.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver for 10ms \(changed)
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      +500ms  app.react subject=settings
      +5s     trace.end reason=clean
      """),
    .holds(
      "The app changes its settings itself, or another notification comes.",
      """
      \(header)
      \(Step.launch)
      +1s     note.deliver name=NSUserDefaultsDidChangeNotification queued=false
      +1s     note.deliver name=NSCurrentLocaleDidChangeNotification queued=true
      +5s     trace.end reason=clean
      """),
    .holds(
      "An app without a settings bundle.",
      """
      header os_version=8.0 sdk_linked=8.0 has_settings_bundle=false
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver \(changed)
      +5s     trace.end reason=clean
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops before the time is over.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver \(changed)
      +1s     trace.marker text=last
      """)
  ]
}
