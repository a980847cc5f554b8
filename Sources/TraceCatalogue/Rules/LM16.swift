// LM16: methods of the application's delegate are called in an app with scenes.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM16 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]"

  private static let callbacks = KindSelector.kinds([
    .delegateDidBecomeActive, .delegateWillResignActive, .delegateDidEnterBackground,
    .delegateWillEnterForeground,
  ])

  /// A launch in which the scene `main` becomes active.
  private static let launch = """
    \(header)
    +0s     proc.start into=foreground reason=user_icon
    +10ms   delegate.did_finish_launching for 100ms
    +150ms  scene.will_connect for 1ms scene=main
    +10ms   scene.will_enter_foreground for 1ms scene=main
    +10ms   scene.did_become_active for 1ms scene=main
    """

  static let rule = Rule(
    id: "LM16",
    slug: "scene/app-delegate-call-in-scene-app",
    severity: .note,
    summary: "In an app with scenes UIKit doesn't call the life-cycle methods of its delegate.",
    rationale: """
      With scenes UIKit calls the scene's delegate instead, and posts the notifications only. A \
      method of the application's delegate that runs all the same is called by somebody else, at \
      times that UIKit knows nothing of.
      """,
    consequence: "Code for the life cycle runs at the wrong time, or twice.",
    advice: """
      Move the code into the scene's delegate. An app that forwards the calls of its scenes by \
      hand should do so inside the scene's own callback.
      """,
    sources: [.apple("UIApplicationDelegate, applicationDidEnterBackground(_:)")],
    needs: ["delegate", "scene"],
    profiles: [.scene],
    parameters: [],
    facts: [
      .inside(
        "a scene's call", .sceneWillConnect, .sceneDidBecomeActive, .sceneWillResignActive,
        .sceneDidEnterBackground, .sceneWillEnterForeground, .sceneDidDisconnect),
      // One line without an end is a notification, which is posted with scenes, too.
      Fact(
        "a delegate's call", set: [EventPattern(callbacks, isLiteral: true)],
        clear: [EventPattern(callbacks, edge: .end, isLiteral: true)], key: [.thread],
        nests: true),
    ],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            EventPattern(
              callbacks,
              while: .all([.fact("a delegate's call"), .not(.fact("a scene's call"))]),
              isLiteral: true),
            per: .launch)),
        message: "{what} was called in an app with scenes, where UIKit doesn't call it")
    ],
    examples: [
      .violates(
        "Somebody calls the method of the delegate after a timer.",
        """
        \(launch)
        +1s     delegate.did_become_active for 1ms  # here
        """),
      .violates(
        "In each launch it is told once, whichever of the methods it is.", reasons: [nil, nil],
        """
        \(launch)
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms   delegate.will_resign_active for 1ms  # here
        +10ms   delegate.did_enter_background for 1ms
        +1s     proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  scene.will_connect for 1ms scene=main
        +10ms   delegate.will_enter_foreground for 1ms  # here
        """),
      .violates(
        "Told on its own, too, and not excused by a scene's call on another thread.",
        """
        \(launch)
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms @4 >scene.did_enter_background scene=main
        +10ms   delegate.did_enter_background for 1ms  # here
        +10ms @4 <scene.did_enter_background scene=main
        """),
      .violates(
        "After the calls of the scene nothing excuses it, in the background and without a scene.",
        reasons: [nil, nil],
        """
        \(launch)
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms   scene.did_enter_background for 1ms scene=main
        +10ms   delegate.did_enter_background for 1ms  # here
        +1s     proc.kill cause=jetsam
        +60s    proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  scene.will_connect for 1ms scene=main
        +10ms   scene.did_disconnect for 1ms scene=main
        +10ms   delegate.did_enter_background for 1ms  # here
        """),
      .holds(
        "The calls of the scene are forwarded by hand.",
        """
        \(header)
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  >scene.will_connect scene=main
        +1ms    delegate.did_become_active for 1ms
        +10ms   <scene.will_connect scene=main
        +10ms   >scene.will_enter_foreground scene=main
        +1ms    delegate.will_enter_foreground for 1ms
        +10ms   <scene.will_enter_foreground scene=main
        +10ms   >scene.did_become_active scene=main
        +1ms    delegate.did_become_active for 1ms
        +10ms   <scene.did_become_active scene=main
        +1s     >scene.will_resign_active scene=main
        +1ms    delegate.will_resign_active for 1ms
        +10ms   <scene.will_resign_active scene=main
        +10ms   >scene.did_enter_background scene=main
        +1ms    delegate.did_enter_background for 1ms
        +10ms   <scene.did_enter_background scene=main
        +10ms   >scene.did_disconnect scene=main
        +1ms    delegate.did_enter_background for 1ms
        +10ms   <scene.did_disconnect scene=main
        """),
      .holds(
        "One line for each is what an observer of the notifications records.",
        """
        \(launch)
        +1ms    delegate.did_become_active
        +1s     scene.will_resign_active for 1ms scene=main
        +1ms    delegate.will_resign_active
        +1ms    scene.did_enter_background for 1ms scene=main
        +1ms    delegate.did_enter_background
        +1s     scene.will_enter_foreground for 1ms scene=main
        +1ms    delegate.will_enter_foreground
        """),
      .holds(
        "Launching and terminating are still the delegate's.",
        """
        \(launch)
        +1s     delegate.open_url for 1ms
        +1s     delegate.will_terminate for 1ms
        +1ms    proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "Without scenes the methods are called by UIKit.",
        """
        header os_version=15.0 sdk_linked=15.0 scene_manifest=false background_modes=[]
        \(Step.launch)
        \(Step.toBackground)
        """),
    ])
}
