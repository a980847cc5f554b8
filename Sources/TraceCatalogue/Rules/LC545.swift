// LC545: a game isn't paused when it is interrupted.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC545 {
  static let rule = Rule(
    id: "LC545",
    slug: "inactive/game-not-paused",
    severity: .warning,
    summary: "A game is paused when it resigns the active state.",
    rationale: "Behind a call or an alert the player can't steer; a game that goes on is lost.",
    consequence: "The player loses without having had a chance to play.",
    advice: "Pause the game in applicationWillResignActive: and show a way to go on later.",
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["game", "delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("allowance", .nanoseconds, 500_000_000, .toolDefault)],
    facts: [Fact("paused", set: [.on(.gamePause)], clear: [.on(.gameResume)])],
    clauses: [
      Clause(
        .warning, applies: .isText(.appKind, ["game"]),
        .expect(
          Expect(
            opens: [.end(.delegateWillResignActive, while: .not(.fact("paused")))],
            closes: [
              .on(
                .gamePause, .delegateDidBecomeActive, .delegateDidEnterBackground,
                .delegateWillEnterForeground, .delegateWillTerminate)
            ],
            due: [.within(.parameter("allowance", on: .continuous))], per: .inactive)),
        message: "the game wasn't paused {limit} after applicationWillResignActive: returned")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + [
      .unknown(
        "The trace stops before the time is over.",
        """
        \(game)
        \(Step.launch)
        \(Step.resign)
        +300ms  trace.marker text=last
        """)
    ])

  private static let game =
    "header os_version=8.0 sdk_linked=8.0 app_kind=game background_modes=[]"

  private static let violating: [RuleExample] = [
    .violates(
      "Two seconds into the call the game still runs.",
      """
      \(game)
      \(Step.launch)
      \(Step.resign)
      +2s     trace.marker text="still running"  # here
      """),
    .violates(
      "A nanosecond after the allowance.",
      """
      \(game)
      \(Step.launch)
      \(Step.resign)
      +501.000001ms  game.pause  # here
      """),
    .violates(
      "Every interruption counts; the pause before the first is over.", reasons: [nil, nil],
      """
      \(game)
      \(Step.launch)
      +1s     game.pause
      +1s     game.resume by=user
      \(Step.resign)
      +2s     delegate.did_become_active for 1ms  # here
      \(Step.resign)
      +2s     delegate.did_become_active for 1ms  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The game is paused inside the callback.",
      """
      \(game)
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    game.pause
      +1ms    <delegate.will_resign_active
      +2s     trace.marker text=later
      """),
    .holds(
      "Half a second after the callback is in time.",
      """
      \(game)
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      +500ms  game.pause
      +2s     trace.marker text=later
      """),
    .holds(
      "The player had paused the game.",
      """
      \(game)
      \(Step.launch)
      +1s     game.pause
      \(Step.resign)
      +2s     trace.marker text=later
      """),
    .holds(
      "An interruption that is over at once isn't judged.",
      """
      \(game)
      \(Step.launch)
      \(Step.resign)
      +300ms  delegate.did_become_active for 1ms
      +2s     trace.marker text=later
      """),
    .holds(
      "Nor is the way to the background.",
      """
      \(game)
      \(Step.launch)
      \(Step.toBackground)
      +2s     trace.marker text=later
      """),
    .holds(
      "Nor the way to the end.",
      """
      \(game)
      \(Step.launch)
      \(Step.resign)
      +300ms  >delegate.will_terminate
      +2s     trace.marker text=later
      """),
    .holds(
      "The way back follows; the entry into the background wasn't recorded.",
      """
      \(game)
      \(Step.launch)
      \(Step.resign)
      +300ms  delegate.will_enter_foreground for 1ms
      +2s     delegate.did_become_active for 1ms
      """),
    .holds(
      "Only games are paused.",
      """
      header os_version=8.0 sdk_linked=8.0 app_kind=app background_modes=[]
      \(Step.launch)
      \(Step.resign)
      +2s     trace.marker text=later
      """),
  ]
}
