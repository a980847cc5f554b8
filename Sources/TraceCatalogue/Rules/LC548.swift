// LC548: a game goes on by itself after an interruption.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC548 {
  static let rule = Rule(
    id: "LC548",
    slug: "inactive/game-auto-resumed",
    severity: .warning,
    summary: "A game that was paused for an interruption goes on when the player says so.",
    rationale: """
      The app becomes active when the alert is gone, not when the player's thumbs are back. The \
      player decides when to go on.
      """,
    consequence: "The player is taken by surprise and loses.",
    advice: "Leave the game paused in applicationDidBecomeActive: and wait for a touch.",
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["game", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    facts: [
      Fact(
        "resigned", set: [.on(.delegateWillResignActive)],
        clear: [.on(.delegateWillEnterForeground)]),
      Fact(
        "paused for the interruption",
        set: [
          .on(.gamePause, while: .phase([.resigning, .enteringBackground])),
          .on(.gamePause, while: .all([.phase([.inactive]), .fact("resigned")])),
        ],
        clear: [.on(.gameResume, where: .not(.isText(.by, ["app"])))]),
    ],
    clauses: [
      Clause(
        .warning, applies: .isText(.appKind, ["game"]),
        .never(
          Never(
            .on(
              .gameResume, where: .isText(.by, ["app"]),
              while: .fact("paused for the interruption")))),
        message: "the game went on without its player after an interruption")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "The app resumes the game as soon as it is active.",
        """
        \(game)
        \(Step.launch)
        \(Step.resign)
        +1ms    game.pause
        +1ms    >delegate.did_become_active
        +1ms    game.resume by=app  # here
        +1ms    <delegate.did_become_active
        """),
      .violates(
        "The game was paused in the callback, and is resumed a little later.",
        """
        \(game)
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    game.pause
        +1ms    <delegate.will_resign_active
        \(Step.becomeActive)
        +3s     game.resume by=app  # here
        """),
      .violates(
        "The game was paused on the way to the background.",
        """
        \(game)
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    game.pause
        +1ms    <delegate.did_enter_background
        \(Step.toForeground)
        +1s     game.resume by=app  # here
        """),
      .violates(
        "The app is interrupted again after a stay in the background.",
        """
        \(game)
        \(Step.launch)
        \(Step.toBackground)
        \(Step.toForeground)
        \(Step.resign)
        +1s     game.pause
        \(Step.becomeActive)
        +1s     game.resume by=app  # here
        """),
      .holds(
        "The player touches the screen to go on.",
        """
        \(game)
        \(Step.launch)
        \(Step.resign)
        +1ms    game.pause
        \(Step.becomeActive)
        +1s     ui.touch
        +1ms    game.resume by=user
        """),
      .holds(
        "What the game does between two levels is its own affair.",
        """
        \(game)
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    game.pause
        +1ms    <delegate.will_resign_active
        \(Step.becomeActive)
        +1s     game.resume by=user
        +60s    game.pause
        +5s     game.resume by=app
        """),
      .holds(
        "A pause on the way back from the background is none for an interruption.",
        """
        \(game)
        \(Step.launch)
        \(Step.toBackground)
        +1s     delegate.will_enter_foreground for 1ms
        +10ms   game.pause
        +10ms   delegate.did_become_active for 1ms
        +1s     game.resume by=app
        """),
      .holds(
        "Only games must wait.",
        """
        header os_version=8.0 sdk_linked=8.0 app_kind=app background_modes=[]
        \(Step.launch)
        \(Step.resign)
        +1ms    game.pause
        \(Step.becomeActive)
        +1s     game.resume by=app
        """),
      .unknown(
        "Why the game was paused is older than the recording.",
        """
        \(game)
        +0s     trace.start reason=attach
        +1s     delegate.did_become_active for 1ms
        +1s     game.resume by=app
        """),
    ])

  private static let game =
    "header os_version=8.0 sdk_linked=8.0 app_kind=game background_modes=[]"
}
