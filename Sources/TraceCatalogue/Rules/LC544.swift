// LC544: a movie goes on playing behind an interruption.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC544 {
  static let rule = Rule(
    id: "LC544",
    slug: "inactive/movie-playing",
    severity: .warning,
    summary: "A movie on the device's own screen is paused when the app resigns the active state.",
    rationale: """
      The alert or the call in front takes eyes and ears. Over AirPlay the movie is on another \
      screen, which the interruption doesn't cover.
      """,
    consequence: "The user misses part of the movie.",
    advice: """
      Pause the player in applicationWillResignActive: unless it plays over AirPlay.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["movie", "delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("allowance", .nanoseconds, 500_000_000, .toolDefault)],
    facts: [
      Fact(
        "movie", set: [.on(.moviePlay, where: .isText(.route, ["local"]))],
        clear: [.on(.moviePause), .on(.moviePlay, where: .not(.isText(.route, ["local"])))],
        key: [.argument(.id)]),
      Fact(
        "inactive", set: [.end(.delegateWillResignActive)],
        clear: [
          .on(
            .delegateDidBecomeActive, .delegateDidEnterBackground, .delegateWillEnterForeground,
            .delegateWillTerminate)
        ]),
    ],
    clauses: [
      Clause(
        .warning,
        .lasts(
          Lasts(
            .condition(.all([.fact("inactive"), .anyFact("movie")])),
            max: .parameter("allowance", on: .continuous), per: .inactive)),
        message: "a movie still played {limit} after applicationWillResignActive: returned")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + [
      .unknown(
        "The trace stops before the time is over.",
        """
        \(Step.launch)
        +1s     movie.play id=1 route=local
        \(Step.resign)
        +300ms  trace.marker text=last
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "Two seconds into the call the movie still plays.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.resign)
      +2s     trace.marker text="still playing"  # here
      """),
    .violates(
      "A nanosecond after the allowance.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.resign)
      +501.000001ms  trace.marker text="still playing"  # here
      """),
    .violates(
      "One of two movies is paused.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      +1s     movie.play id=2 route=local
      +1s     >delegate.will_resign_active
      +1ms    movie.pause id=1
      +1ms    <delegate.will_resign_active
      +1s     trace.marker text="still playing"  # here
      """),
    .violates(
      "Every interruption counts.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.resign)
      +2s     delegate.did_become_active for 1ms  # here
      \(Step.resign)
      +2s     delegate.did_become_active for 1ms  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Over AirPlay the movie may go on, from the beginning or since the user chose so.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=airplay
      +1s     movie.play id=2 route=local
      +1s     movie.play id=2 route=airplay
      \(Step.resign)
      +2s     trace.marker text=later
      """),
    .holds(
      "The movie is paused in the callback, or just after it.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      +1s     movie.play id=2 route=local
      +1s     >delegate.will_resign_active
      +1ms    movie.pause id=1
      +1ms    <delegate.will_resign_active
      +500ms  movie.pause id=2
      +2s     trace.marker text=later
      """),
    .holds(
      "An interruption that is over at once isn't judged.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.resign)
      +300ms  delegate.did_become_active for 1ms
      +2s     trace.marker text=later
      """),
    .holds(
      "Nor is the way to the background.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.toBackground)
      +2s     trace.marker text=later
      """),
    .holds(
      "Nor the way to the end.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.resign)
      +300ms  >delegate.will_terminate
      +2s     trace.marker text=later
      """),
    .holds(
      "Inactive on the way back isn't meant; the entry into the background wasn't recorded.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.resign)
      +300ms  delegate.will_enter_foreground for 1ms
      +2s     delegate.did_become_active for 1ms
      """),
  ]
}
