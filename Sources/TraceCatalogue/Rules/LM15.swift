// LM15: a call to a scene that its state doesn't allow.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM15 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]"

  /// A launch in which the scene `main` becomes active.
  private static let launch = """
    \(header)
    +0s     proc.start into=foreground reason=user_icon
    +10ms   delegate.did_finish_launching for 100ms
    +150ms  scene.will_connect for 1ms scene=main
    +10ms   scene.will_enter_foreground for 1ms scene=main
    +10ms   scene.did_become_active for 1ms scene=main
    """

  /// An edge for a callback that says which scene it is for.
  private static func edge(_ from: String, _ kind: EventKind, _ to: String) -> Order.Edge {
    Order.Edge(from, .on(kind, where: .isPresent(.scene)), to)
  }

  static let rule = Rule(
    id: "LM15",
    slug: "scene/illegal-transition",
    severity: .warning,
    summary: "Every call to a scene is one that the scene's state allows.",
    rationale: """
      A scene is unattached, in the background, inactive in the foreground or active, and UIKit \
      moves it one step at a time. A call out of turn was made by the app itself, or calls are \
      missing in the trace.
      """,
    consequence: """
      Code that belongs to a step runs twice, too early or not at all: timers run in the \
      background, or state is never saved.
      """,
    advice: """
      Let UIKit alone call the methods of the scene's delegate; move what you want to call \
      yourself into methods of your own.
      """,
    sources: [
      .apple("UISceneDelegate"),
      .apple("Managing your app's life cycle, Respond to scene-based life-cycle events"),
    ],
    needs: ["scene"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .order(
          Order(
            key: [.argument(.scene)], start: "unattached",
            edges: [
              edge("unattached", .sceneWillConnect, "background"),
              edge("background", .sceneWillEnterForeground, "inactive"),
              edge("inactive", .sceneDidBecomeActive, "active"),
              edge("active", .sceneWillResignActive, "inactive"),
              edge("inactive", .sceneDidEnterBackground, "background"),
              edge("background", .sceneDidDisconnect, "unattached"),
              // What UIKit does when the user ends the app from the switcher.
              edge("inactive", .sceneDidDisconnect, "unattached"),
            ])),
        message: "{what} was called on scene {scene}, whose state doesn't allow it")
    ],
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "The background is entered without resigning active.",
      """
      \(launch)
      +1s     scene.did_enter_background for 1ms scene=main  # here
      +1s     scene.will_enter_foreground for 1ms scene=main
      +1ms    scene.did_become_active for 1ms scene=main
      """),
    .violates(
      "A scene that was never connected comes to the foreground.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_enter_foreground for 1ms scene=main  # here
      +10ms   scene.did_become_active for 1ms scene=main
      """),
    .violates(
      "Active without coming to the foreground, and a second resigning.", reasons: [nil, nil],
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main  # here
      +1s     scene.will_resign_active for 1ms scene=main
      +1s     scene.will_resign_active for 1ms scene=main  # here
      +1s     scene.did_become_active for 1ms scene=main
      """),
    .violates(
      "An active scene is disconnected.",
      """
      \(launch)
      +1s     scene.did_disconnect for 1ms scene=main  # here
      +1s     scene.will_connect for 1ms scene=main
      """),
    .violates(
      "Connected twice.",
      """
      \(launch)
      +1s     scene.will_connect for 1ms scene=main  # here
      +1s     scene.will_enter_foreground for 1ms scene=main
      """),
    .violates(
      "What one scene did doesn't excuse the other.",
      """
      \(launch)
      +1s     scene.will_connect for 1ms scene=second
      +10ms   scene.did_enter_background for 1ms scene=second  # here
      +1s     scene.will_resign_active for 1ms scene=main
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The whole life of a scene, and a second connection.",
      """
      \(launch)
      +1s     scene.will_resign_active for 1ms scene=main
      +1s     scene.did_become_active for 1ms scene=main
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   scene.did_enter_background for 1ms scene=main
      +1s     scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_enter_background for 1ms scene=main
      +1s     scene.did_disconnect for 1ms scene=main
      +1s     scene.will_connect for 1ms scene=main
      """),
    .holds(
      "The user ends the app from the switcher.",
      """
      \(launch)
      +1s     scene.will_resign_active for 1ms scene=main
      +1s     scene.did_disconnect for 1ms scene=main
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Two scenes are in different states.",
      """
      \(launch)
      +1s     scene.will_connect for 1ms scene=second
      +10ms   scene.will_enter_foreground for 1ms scene=second
      +10ms   scene.did_become_active for 1ms scene=second
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   scene.did_enter_background for 1ms scene=main
      +1s     scene.will_resign_active for 1ms scene=second
      """),
    .holds(
      "Calls that don't say for which scene they are can't be told apart.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms
      +1ms    scene.will_connect for 1ms
      +10ms   scene.will_enter_foreground for 1ms
      +1ms    scene.will_enter_foreground for 1ms
      +10ms   scene.did_become_active for 1ms
      +1ms    scene.did_become_active for 1ms
      """),
    .unknown(
      "In mid-life nobody knows whether the first call to a scene is one that its state allows.",
      """
      \(header)
      +0s     trace.start reason=attach
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   scene.did_enter_background for 1ms scene=main
      """),
  ]
}
