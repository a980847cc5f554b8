// LC823: private content is still on the screen when the system takes its picture.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC823 {
  private static let hidden = Expect(
    opens: [.on(.uiSensitiveShow)], closes: [.on(.uiSensitiveHide)], key: [.argument(.id)],
    due: [
      .at([.end(.delegateDidEnterBackground, .sceneDidEnterBackground), .on(.sysSnapshot)])
    ])

  static let rule = Rule(
    id: "LC823",
    slug: "privacy/sensitive-view-in-snapshot",
    severity: .warning,
    summary: """
      Passwords and other private content are hidden before applicationDidEnterBackground: returns.
      """,
    rationale: """
      As soon as the callback returns, the system takes a picture of the interface, keeps it as a \
      file, and shows it in the App Switcher and when the app comes back. So it does for each \
      scene.
      """,
    consequence: """
      The private content lies on the disk and can be seen by anybody who opens the App Switcher, \
      without a password.
      """,
    advice: """
      Hide or cover such views in applicationWillResignActive: or in \
      applicationDidEnterBackground:, at once and without animation, and show them again when the \
      app becomes active.
      """,
    sources: [
      .appStates("What to Do When Moving to the Background"),
      .appStates("Being a Responsible Background App"),
    ],
    needs: ["ui", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning, .expect(hidden),
        message: "the private content of {what} was visible when the system took its picture")
    ],
    examples: violating + holding)

  private static let scenes = """
    header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
    +0s     proc.start into=foreground reason=user_icon
    +10ms   delegate.did_finish_launching for 100ms
    +150ms  scene.will_connect for 1ms scene=a role=application
    +10ms   scene.will_enter_foreground for 1ms scene=a
    +10ms   scene.did_become_active for 1ms scene=a
    +10ms   scene.will_connect for 1ms scene=b role=application
    +10ms   scene.will_enter_foreground for 1ms scene=b
    +10ms   scene.did_become_active for 1ms scene=b
    """

  private static let violating: [RuleExample] = [
    .violates(
      "A number of a credit card is in the picture.",
      """
      \(Step.launch)
      +1s     ui.sensitive_show id=1
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background  # here
      +10ms   sys.snapshot
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "One of two views is forgotten.",
      """
      \(Step.launch)
      +1s     ui.sensitive_show id=1
      +1s     ui.sensitive_show id=2
      +1s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +10ms   ui.sensitive_hide id=1
      +10ms   <delegate.did_enter_background  # here
      +10ms   ui.sensitive_hide id=2
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Content that a background fetch brings is in the picture that is taken after it.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +10ms   delegate.perform_fetch for 10ms completion_id=1
      +100ms  ui.sensitive_show id=1
      +100ms  completion.call completion_id=1 result=new_data
      +10ms   sys.snapshot  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A scene that enters the background is pictured, though another one stays in front.",
      """
      \(scenes)
      +1s     ui.sensitive_show id=1
      +1s     scene.will_resign_active for 1ms scene=a
      +10ms   >scene.did_enter_background scene=a
      +10ms   <scene.did_enter_background scene=a  # here
      \(Step.end)
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
      "Hidden inside the callback.",
      """
      \(Step.launch)
      +1s     ui.sensitive_show id=1
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms   ui.sensitive_hide id=1
      +10ms   <delegate.did_enter_background
      +10ms   sys.snapshot
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Hidden as soon as the app resigns, and shown again when it is active.",
      """
      \(Step.launch)
      +1s     ui.sensitive_show id=1
      +1s     >delegate.will_resign_active
      +1ms    ui.sensitive_hide id=1
      +1ms    <delegate.will_resign_active
      +10ms   >delegate.did_enter_background
      +10ms   <delegate.did_enter_background
      +10ms   sys.snapshot
      \(Step.toForeground)
      +10ms   ui.sensitive_show id=1
      +1s     ui.sensitive_hide id=1
      \(Step.end)
      """),
    .holds(
      "In the foreground private content is there to be seen.",
      """
      \(Step.launch)
      +1s     ui.sensitive_show id=1
      \(Step.resign)
      \(Step.becomeActive)
      +1s     ui.sensitive_hide id=1
      \(Step.end)
      """),
    .holds(
      "A scene hides the content before it enters the background.",
      """
      \(scenes)
      +1s     ui.sensitive_show id=1
      +1s     scene.will_resign_active for 1ms scene=a
      +10ms   >scene.did_enter_background scene=a
      +1ms    ui.sensitive_hide id=1
      +10ms   <scene.did_enter_background scene=a
      \(Step.end)
      """),
  ]
}
