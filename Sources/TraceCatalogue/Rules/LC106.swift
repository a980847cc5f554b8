// LC106: a background task is begun after the work it is to protect.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC106 {
  static let rule = Rule(
    id: "LC106",
    slug: "background-task/begun-after-work",
    severity: .warning,
    summary: "A background task is begun before the work that it protects.",
    rationale: """
      The app can leave the foreground at any moment. Work that is under way before its task has \
      begun has a stretch in which nothing keeps the app running for it.
      """,
    consequence: """
      If the app is suspended in that stretch, the work stands still half done, and the later \
      begin doesn't bring it back.
      """,
    advice: "Begin the task first, keep its token with the work, and start the work then.",
    sources: [.appStates("Executing a Finite-Length Task in the Background")],
    needs: ["bgtask", "work"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [.taskOpen],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(
                .workSpan, where: .isPresent(.protectsToken), while: .not(.fact("task open")))
            ],
            key: [.argument(.protectsToken)],
            due: [
              .atSameKey([
                .on(
                  .bgtaskBegin,
                  where: .all([.not(.isTrue(.isInvalid)), .not(.isText(.by, ["uikit"]))]),
                  key: [.argument(.token)])
              ])
            ])),
        message: "work that {task} protects began {duration} before the task")
    ],
    examples: [
      .violates(
        "The upload is already running when its task begins.",
        """
        \(Step.launch)
        +1s @3  >work.span id=1 class=upload protects_token=5
        +10ms   bgtask.begin token=5 has_expiration_handler=true  # here
        +1s @3  <work.span
        +1ms    bgtask.end token=5
        """),
      .violates(
        "The work is even over before its task begins.",
        """
        \(Step.launch)
        +1s @3  work.span for 100ms id=1 class=save protects_token=5
        +1s     bgtask.begin token=5  # here
        +1s     bgtask.end token=5
        """),
      .violates(
        "Two pieces of work wait for one task, and a third for another.", reasons: [nil, nil],
        """
        \(Step.launch)
        +1s @3  >work.span id=1 class=save protects_token=5
        +1ms @4 >work.span id=2 class=save protects_token=5
        +1ms @7 >work.span id=3 class=save protects_token=6
        +10ms   bgtask.begin token=5  # here
        +10ms   bgtask.begin token=6  # here
        +1s @3  <work.span
        +1ms @4 <work.span
        +1ms @7 <work.span
        +1ms    bgtask.end token=5
        +1ms    bgtask.end token=6
        """),
      .violates(
        "The task that had this token is ended, and the work waits for the next one.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=5
        +1s     bgtask.end token=5
        +1s @3  >work.span id=1 class=upload protects_token=5
        +10ms   bgtask.begin token=5  # here
        +1s @3  <work.span
        +1ms    bgtask.end token=5
        """),
      .holds(
        "First the task, then the work.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=5 has_expiration_handler=true
        +1ms @3 >work.span id=1 class=upload protects_token=5
        +1s @3  <work.span
        +1ms    bgtask.end token=5
        """),
      .holds(
        "Work that names no task isn't judged here.",
        """
        \(Step.launch)
        +1s @3  >work.span id=1 class=upload
        +10ms   bgtask.begin token=5
        +1s @3  <work.span
        +1ms    bgtask.end token=5
        """),
      .holds(
        "A token that comes back belongs to a new task; the work belonged to the one before.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=5
        +1ms @3 work.span for 1s id=1 class=upload protects_token=5
        +2s     bgtask.end token=5
        +1s     bgtask.begin token=5
        +1s     bgtask.end token=5
        """),
      .unknown(
        "The task may have begun before the recording did.",
        """
        +0s     trace.start reason=attach
        +1s @3  >work.span id=1 class=upload protects_token=5
        +1s     bgtask.begin token=5
        +1s @3  <work.span
        """),
    ])
}
