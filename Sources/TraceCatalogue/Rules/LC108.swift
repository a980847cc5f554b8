// LC108: a background task stays open after its work is done.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC108 {
  private static let limit = Time.parameter("limit", in: [.background])

  static let rule = Rule(
    id: "LC108",
    slug: "background-task/ended-late",
    severity: .note,
    summary: "A background task is ended as soon as the work that it protects is done.",
    rationale: """
      An open task keeps the processor awake. Once the last piece of work that names the task has \
      returned, each further moment in the background costs power for nothing.
      """,
    consequence: """
      The device stays awake, the app uses up time that it may need later, and the system may \
      throttle or end it.
      """,
    advice: """
      End the task where the work completes, on success and on failure alike, instead of waiting \
      for a timer or for the next event.
      """,
    sources: [.backgroundExecution("Executing Finite-Length Tasks")],
    needs: ["bgtask", "work", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [
      .taskOpen,
      Fact(
        "at work", set: [.on(.workSpan, where: .isPresent(.protectsToken))],
        clear: [.end(.workSpan, where: .isPresent(.protectsToken))],
        key: [.argument(.protectsToken)], nests: true),
    ],
    clauses: [
      Clause(
        .note,
        .expect(
          Expect(
            opens: [
              .end(
                .workSpan, where: .isPresent(.protectsToken),
                while: .all([.fact("task open"), .not(.fact("at work"))]))
            ],
            closes: [
              .on(
                .bgtaskEnd, where: .not(.isTrue(.isInvalid)), key: [.argument(.token)]),
              .on(.workSpan, where: .isPresent(.protectsToken)),
            ],
            closesAll: [.on(.delegateWillEnterForeground)],
            key: [.argument(.protectsToken)], reopening: .replace, due: [.within(limit)])),
        message:
          "{task} stayed open for more than {limit} in the background after its work"
      )
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The download is done, and four seconds later so is the task.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  work.span for 1s id=1 class=download protects_token=1
      +5s     bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "One nanosecond too late.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  >work.span id=1 class=save protects_token=1
      +1s @3  <work.span
      +1.000000001s  bgtask.end token=1  # here
      """),
    .violates(
      "The work was done in the foreground; from the entry on the open task costs power.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s @3  work.span for 1s id=1 class=save protects_token=1
      +4s     delegate.will_resign_active for 1ms
      +10ms   >delegate.did_enter_background
      +20ms   <delegate.did_enter_background
      +1.000000001s  bgtask.end token=1  # here
      """),
    .violates(
      "Of two pieces of work the last one counts, for each task on its own.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s     bgtask.begin token=2
      \(Step.toBackground)
      +1s @3  >work.span id=1 class=save protects_token=1
      +1ms @4 >work.span id=2 class=save protects_token=1
      +10ms @3  <work.span
      +5s @4  <work.span
      +500ms @5  work.span for 1ms id=3 class=save protects_token=2
      +700ms  bgtask.end token=1  # here
      +4s     bgtask.end token=2  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Work that one line tells is itself; another piece that it crosses can't be followed.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  work.span for 4s id=1 class=save protects_token=1
      +1s @3  >work.span id=2 class=housekeeping
      +3.5s   bgtask.end token=1
      +1s @3  <work.span
      """),
    .holds(
      "Held in the foreground a task costs nothing.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s @3  work.span for 1ms id=1 class=save protects_token=1
      +4s     bgtask.end token=1
      """),
    .holds(
      "Exactly a second is allowed.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  >work.span id=1 class=save protects_token=1
      +1s @3  <work.span
      +1s     bgtask.end token=1
      """),
    .holds(
      "The next piece of work begins before the second is over.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  work.span for 1ms id=1 class=save protects_token=1
      +1s @3  >work.span id=2 class=upload protects_token=1
      +20s @3 <work.span
      +1ms    bgtask.end token=1
      """),
    .holds(
      "As long as one piece of work goes on the task is needed.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @4  >work.span id=2 class=upload protects_token=1
      +1s @3  work.span for 1ms id=1 class=save protects_token=1
      +20s @4 <work.span
      +1ms    bgtask.end token=1
      """),
    .holds(
      "Nobody says what the task protects.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  work.span for 1ms id=1 class=save
      +4s     bgtask.end token=1
      """),
    .holds(
      "The work names a task that is ended already.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s     bgtask.end token=1
      +1s @3  work.span for 1ms id=1 class=save protects_token=1
      +2s     trace.marker text=later
      """),
    .holds(
      "Two short stays in the background aren't added up.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s @3  work.span for 1ms id=1 class=save protects_token=1
      \(Step.toBackground)
      +600ms  delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      \(Step.toBackground)
      +600ms  bgtask.end token=1
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops before the second is over.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  work.span for 1ms id=1 class=save protects_token=1
      +500ms  trace.marker text=last
      """)
  ]
}
