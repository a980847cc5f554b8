// LC809: an app with a settings bundle doesn't observe changes of its settings.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC809 {
  static let rule = Rule(
    id: "LC809",
    slug: "notification/settings-not-observed",
    severity: .warning,
    summary: """
      An app with a settings bundle observes NSUserDefaultsDidChangeNotification before it first \
      enters the background.
      """,
    rationale: """
      The user can change the app's settings in the Settings app while the app is in the \
      background or suspended. The notification is the only word that the app gets of it.
      """,
    consequence: """
      Old settings stay in force; where they name an account or a permission, data of one user \
      may be shown to another or sent in their name.
      """,
    advice: """
      Add an observer at launch, and read the settings anew when it is called.
      """,
    sources: [.appStates("Responding to Changes in Your App’s Settings")],
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
              .isText(.name, ["NSUserDefaultsDidChangeNotification"]), .not(.isPresent(.name)),
            ]))
        ])
    ],
    clauses: [
      Clause(
        .warning, applies: .isTrue(.hasSettingsBundle),
        .never(
          Never(.end(.delegateDidEnterBackground, while: .not(.fact("observed"))), per: .launch)),
        message: """
          the app entered the background without an observer of \
          NSUserDefaultsDidChangeNotification, and it has settings in the Settings app
          """)
    ],
    examples: [
      .violates(
        "Nobody observes the settings.",
        """
        \(header)
        \(Step.launch)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +20ms   <delegate.did_enter_background  # here
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "The observer comes too late, and is one of another notification before.",
        """
        \(header)
        \(Step.launch)
        +1s     note.observe name=NSCurrentLocaleDidChangeNotification
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +20ms   <delegate.did_enter_background  # here
        +1s     note.observe name=NSUserDefaultsDidChangeNotification
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "An observer ends with its process: the next launch needs one of its own.",
        """
        \(header)
        \(Step.launch)
        +1s     note.observe name=NSUserDefaultsDidChangeNotification
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        +60s    trace.marker text=between
        \(Step.launch)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +20ms   <delegate.did_enter_background  # here
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "The settings are observed.",
        """
        \(header)
        \(Step.launch)
        +1s     note.observe name=NSUserDefaultsDidChangeNotification
        \(Step.toSuspended)
        """),
      .holds(
        "An observer without a name hears of the settings as well.",
        """
        \(header)
        \(Step.launch)
        +1s     note.observe
        \(Step.toSuspended)
        """),
      .holds(
        "In the foreground there is still time.",
        """
        \(header)
        \(Step.launch)
        \(Step.resign)
        \(Step.becomeActive)
        \(Step.end)
        """),
      .holds(
        "An app without a settings bundle.",
        """
        header os_version=8.0 sdk_linked=8.0 has_settings_bundle=false
        \(Step.launch)
        \(Step.toSuspended)
        """),
      .unknown(
        "The observer may have been added before the recording began.",
        """
        \(header)
        +0s     trace.start reason=attach
        +1s     delegate.did_become_active for 1ms
        \(Step.toSuspended)
        """),
    ])

  private static let header = "header os_version=8.0 sdk_linked=8.0 has_settings_bundle=true"
}
