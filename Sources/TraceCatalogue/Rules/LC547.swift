// LC547: what was stopped for an interruption isn't started again after it.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC547 {
  /// What is stopped is stopped for the interruption; a paused game keeps it so.
  private static func stops(_ kind: EventKind, while condition: Condition? = nil) -> EventPattern {
    var conditions: [Condition] = [.fact("away"), .not(.fact("game paused"))]
    if let condition { conditions.append(condition) }
    return EventPattern(.kinds([kind]), while: .all(conditions))
  }

  private static func clause(
    _ opens: EventPattern, key: ArgumentName, restarts: [EventPattern],
    orAnother: Bool = false, message: MessageTemplate
  ) -> Clause {
    Clause(
      .note, needs: ["work"],
      .expect(
        Expect(
          opens: [opens], closes: restarts,
          closesAll: [.on(.delegateWillResignActive, .gamePause)], closesOthers: orAnother,
          key: [.argument(key)],
          due: [
            .after([.end(.delegateDidBecomeActive)], .parameter("limit"), orSuspension: false)
          ])),
      message: message)
  }

  private static let movies = Clause(
    .note, needs: ["movie"], applies: .not(.isText(.appKind, ["game"])),
    .expect(
      Expect(
        opens: [.on(.moviePause, while: .all([.fact("away"), .fact("playing")]))],
        closes: [.on(.moviePlay)], closesAll: [.on(.delegateWillResignActive)],
        closesOthers: true, key: [.argument(.id)],
        due: [
          .after([.end(.delegateDidBecomeActive)], .parameter("limit"), orSuspension: false)
        ])),
    message: "a movie ({key}) that was paused wasn't played again when the app became active")

  private static let facts: [Fact] = [
    Fact(
      "away", set: [.on(.delegateWillResignActive)], clear: [.on(.delegateDidBecomeActive)]),
    Fact("game paused", set: [.on(.gamePause)], clear: [.on(.gameResume)]),
    Fact(
      "repeating", set: [.on(.workTimerStart, where: .isTrue(.repeats))],
      clear: [
        .on(.workTimerStop, while: .not(.fact("away"))),
        .on(.workTimerStart, where: .not(.isTrue(.repeats))),
      ], key: [.argument(.timer)]),
    Fact(
      "searching", set: [.on(.workQueryStart)],
      clear: [.on(.workQueryStop, while: .not(.fact("away")))], key: [.argument(.query)]),
    Fact(
      "playing", set: [.on(.moviePlay)], clear: [.on(.moviePause, while: .not(.fact("away")))],
      key: [.argument(.id)]),
  ]

  static let rule = Rule(
    id: "LC547",
    slug: "inactive/not-reversed",
    severity: .note,
    summary: """
      applicationDidBecomeActive: starts again what was stopped since applicationWillResignActive:.
      """,
    rationale: """
      The two callbacks are a pair: what one stops the other must start, or a phone call leaves \
      the app half dead. Games are the exception; they wait for the player.
      """,
    consequence: "After an interruption timers, queries, queues or movies stay stopped.",
    advice: """
      Put every stop in applicationWillResignActive: beside its start in \
      applicationDidBecomeActive:.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: facts,
    clauses: [
      clause(
        stops(.workTimerStop, while: .fact("repeating")), key: .timer,
        restarts: [.on(.workTimerStart)], orAnother: true,
        message: "a repeating timer ({key}) that was stopped has no successor"),
      clause(
        stops(.workQueryStop, while: .fact("searching")), key: .query,
        restarts: [.on(.workQueryStart)], orAnother: true,
        message: "a metadata query ({key}) that was stopped wasn't started again"),
      clause(
        stops(.workQueueSuspend), key: .queue, restarts: [.on(.workQueueResume)],
        message: "a queue ({key}) that was suspended wasn't resumed"),
      movies,
    ],
    clausesAreIndependent: true,
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + several + holding + exempt + [
      .unknown(
        "The trace stops before the time is over.",
        """
        \(Step.launch)
        \(Step.resign)
        +1s     work.queue_suspend queue=a
        \(Step.becomeActive)
        +500ms  trace.marker text=last
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "The queue stays suspended.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    work.queue_suspend queue=a
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +2s     trace.marker text=later  # here
      """),
    .violates(
      "The timer is back a nanosecond too late.",
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    <delegate.will_resign_active
      +1s     >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +1.000000001s  work.timer_start timer=1 interval_s=1 repeats=true  # here
      """),
    .violates(
      "The movie stays paused.",
      """
      \(Step.launch)
      +1s     movie.play id=1 route=local
      \(Step.resign)
      +1s     movie.pause id=1
      \(Step.becomeActive)
      +2s     trace.marker text=later  # here
      """),
    .violates(
      "A query that was stopped on the way through the background.",
      """
      \(Step.launch)
      +1s     work.query_start query=1
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    work.query_stop query=1
      +1ms    <delegate.did_enter_background
      +5s     delegate.will_enter_foreground for 1ms
      +10ms   >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +2s     trace.marker text=later  # here
      """),
    .violates(
      "Another queue is resumed.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    work.queue_suspend queue=a
      +1ms    <delegate.will_resign_active
      +1s     >delegate.did_become_active
      +1ms    work.queue_resume queue=b
      +1ms    <delegate.did_become_active
      +2s     trace.marker text=later  # here
      """),
    .violates(
      "A game that goes on must start its timers, queries and queues, too.",
      """
      \(game)
      \(Step.launch)
      +1s     game.pause
      +1s     game.resume by=user
      +1s     >delegate.will_resign_active
      +1ms    work.queue_suspend queue=a
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +2s     trace.marker text=later  # here
      """),
  ]

  private static let several: [RuleExample] = [
    .violates(
      "Two timers, queries and movies are stopped, and one of each is started again.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     work.timer_start timer=2 interval_s=1 repeats=true
      +1s     work.query_start query=1
      +1s     work.query_start query=2
      +1s     movie.play id=1 route=local
      +1s     movie.play id=2 route=local
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    work.timer_stop timer=2  # here
      +1ms    work.query_stop query=1  # here
      +1ms    work.query_stop query=2
      +1ms    movie.pause id=1
      +1ms    movie.pause id=2  # here
      +1ms    <delegate.will_resign_active
      +1s     >delegate.did_become_active
      +1ms    work.timer_start timer=1 interval_s=1 repeats=true
      +1ms    work.query_start query=2
      +1ms    movie.play id=3 route=local
      +1ms    <delegate.did_become_active
      +2s     trace.marker text=later
      """),
    .holds(
      "A new timer for each that was stopped, and the one that is left by its own name.",
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     work.timer_start timer=2 interval_s=1 repeats=true
      +1s     work.timer_start timer=3 interval_s=1 repeats=true
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    work.timer_stop timer=2
      +1ms    work.timer_stop timer=3
      +1ms    <delegate.will_resign_active
      +1s     >delegate.did_become_active
      +1ms    work.timer_start timer=3 interval_s=1 repeats=true
      +1ms    work.timer_start timer=4 interval_s=1 repeats=true
      +1ms    work.timer_start timer=5 interval_s=1 repeats=true
      +1ms    <delegate.did_become_active
      +2s     trace.marker text=later
      """),
  ]

  private static let game =
    "header os_version=8.0 sdk_linked=8.0 app_kind=game background_modes=[]"

  private static let holding: [RuleExample] = [
    .holds(
      "Everything is started again; a new timer, query or movie will do.",
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     work.query_start query=1
      +1s     movie.play id=1 route=local
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    work.query_stop query=1
      +1ms    work.queue_suspend queue=a
      +1ms    movie.pause id=1
      +1ms    <delegate.will_resign_active
      +1s     >delegate.did_become_active
      +1ms    work.timer_start timer=2 interval_s=1 repeats=true
      +1ms    work.query_start query=2
      +1ms    work.queue_resume queue=a
      +1ms    movie.play id=2 route=local
      +1ms    <delegate.did_become_active
      +5s     trace.marker text=later
      """),
    .holds(
      "A second after the callback is in time.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     work.queue_suspend queue=a
      +1s     >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +1s     work.queue_resume queue=a
      +5s     trace.marker text=later
      """),
    .holds(
      "What ran once, or no longer ran, needn't run again.",
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=9 repeats=false
      +1s     work.timer_start timer=2 interval_s=1 repeats=true
      +1s     work.timer_stop timer=2
      +1s     work.timer_start timer=3 interval_s=1 repeats=true
      +1s     work.timer_start timer=3 interval_s=9 repeats=false
      +1s     work.query_start query=1
      +1s     work.query_stop query=1
      +1s     movie.play id=1 route=local
      +1s     movie.pause id=1
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    work.timer_stop timer=2
      +1ms    work.timer_stop timer=3
      +1ms    work.query_stop query=1
      +1ms    movie.pause id=1
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +5s     trace.marker text=later
      """),
    .holds(
      "What an active app stops has nothing to do with an interruption.",
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     work.query_start query=1
      +1s     movie.play id=1 route=local
      \(Step.resign)
      \(Step.becomeActive)
      +1ms    work.timer_stop timer=1
      +1ms    work.query_stop query=1
      +1ms    work.queue_suspend queue=a
      +1ms    movie.pause id=1
      +5s     trace.marker text=later
      """),
    .holds(
      "A timer that the active app stopped ran no more when it was stopped again.",
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      \(Step.resign)
      \(Step.becomeActive)
      +1s     work.timer_stop timer=1
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +5s     trace.marker text=later
      """),
    .holds(
      "The next interruption comes before the time is over.",
      """
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     work.query_start query=1
      +1s     movie.play id=1 route=local
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    work.query_stop query=1
      +1ms    work.queue_suspend queue=a
      +1ms    movie.pause id=1
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +500ms  delegate.will_resign_active for 1ms
      +5s     trace.marker text=later
      """),
  ]

  private static let exempt: [RuleExample] = [
    .holds(
      "A game stays paused, whether it was paused before its parts were stopped …",
      """
      \(game)
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     work.query_start query=1
      +1s     >delegate.will_resign_active
      +1ms    game.pause
      +1ms    work.timer_stop timer=1
      +1ms    work.query_stop query=1
      +1ms    work.queue_suspend queue=a
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +5s     trace.marker text=later
      """),
    .holds(
      "… or after them.",
      """
      \(game)
      \(Step.launch)
      +1s     work.timer_start timer=1 interval_s=1 repeats=true
      +1s     work.query_start query=1
      +1s     >delegate.will_resign_active
      +1ms    work.timer_stop timer=1
      +1ms    work.query_stop query=1
      +1ms    work.queue_suspend queue=a
      +1ms    game.pause
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +5s     trace.marker text=later
      """),
    .holds(
      "The movie of a game waits for the player.",
      """
      \(game)
      \(Step.launch)
      +1s     movie.play id=1 route=local
      +1s     >delegate.will_resign_active
      +1ms    movie.pause id=1
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +5s     trace.marker text=later
      """),
  ]
}
