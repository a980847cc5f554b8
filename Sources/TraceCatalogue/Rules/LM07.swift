// LM07: a background task is open for more than thirty seconds.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM07 {
  private static let header = "header os_version=15.0 sdk_linked=15.0 background_modes=[]"

  /// UIKit warned of a task whose begin a log doesn't show.
  private static let isOverdue = FieldTest.compare(.elapsedS, .atLeast, .fixed(30))

  /// The warning says itself for how long the task is open.
  private static let warned = Clause(
    .note,
    .never(
      Never(
        .on(.bgtaskBegin, where: .all([isOverdue, .not(.isText(.by, ["uikit"]))])), per: .key,
        key: [.argument(.token)])),
    evidence: .kill,
    message: "UIKit warned that {task} had been open for more than 30 seconds")

  static let rule = Rule(
    id: "LM07",
    slug: "background-task/open-over-30s",
    severity: .note,
    summary: "A background task is not open for more than about thirty seconds.",
    rationale: """
      From iOS 13 on the system gives about thirty seconds in the background. A task that was \
      open for longer, be it in the foreground, has no time left when the user leaves the app.
      """,
    consequence: """
      UIKit logs that the task creates a risk of termination; if the app goes to the background \
      with it, the system may end the app.
      """,
    advice: """
      Begin a task for each piece of work and end it with the piece, instead of one that stays \
      open; give long work to the system as a scheduled task or a background transfer.
      """,
    sources: [.reports("the log lines of UIKit about background tasks of more than 30 seconds")],
    needs: ["bgtask"],
    profiles: [.ios13, .scene],
    parameters: [RuleParameter("limit", .nanoseconds, 30_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .note,
        .expect(
          Expect(
            opens: [
              .on(
                .bgtaskBegin,
                where: .all([
                  .not(.isTrue(.isInvalid)), .not(.isText(.by, ["uikit"])), .not(isOverdue),
                ]))
            ],
            closes: [.on(.bgtaskEnd, where: .not(.isTrue(.isInvalid)))], key: [.argument(.token)],
            due: [.within(.parameter("limit"))])),
        message: "{task} was open for more than {limit}"),
      warned,
    ],
    yields: [Yield(to: "LC105", same: .key)],
    examples: [
      .violates(
        "A nanosecond too long, all of it in the foreground.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=1 name=upload has_expiration_handler=true
        +30.000000001s  trace.marker text="still loading"  # here
        +1s     bgtask.end token=1
        \(Step.end)
        """),
      .violates(
        "Time in the foreground and in the background is added up, suspended time is not.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=1 name=upload has_expiration_handler=true
        +20s    trace.marker text="still loading"
        \(Step.toBackground)
        +1s     proc.suspend inferred=false
        +60s    proc.resume inferred=false reason=user_icon
        \(Step.toForeground)
        +10s    trace.marker text="still loading"  # here
        +1s     bgtask.end token=1
        """),
      .violates(
        "Ending an invalid task ends none.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        +1s     bgtask.end token=1 is_invalid=true
        +30s    trace.marker text=later  # here
        +1s     bgtask.end token=1
        """),
      .holds(
        "Exactly thirty seconds.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        +30s    bgtask.end token=1
        \(Step.end)
        """),
      .holds(
        "An hour of suspension is no run time.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        +1s     proc.suspend inferred=false
        +1h     proc.resume inferred=false reason=user_icon
        +1s     bgtask.end token=1
        \(Step.toForeground)
        """),
      .holds(
        "A refused task is none, and UIKit's own are not the app's.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=0 is_invalid=true
        +1s     bgtask.begin token=2 by=uikit
        +60s    bgtask.end token=2
        \(Step.end)
        """),
      .holds(
        "Before iOS 13 a task has minutes.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        +60s    bgtask.end token=1
        \(Step.end)
        """),
      .violates(
        "A log without the begin, in which UIKit warns.", reasons: [nil, nil],
        """
        header coverage=["bgtask"]
        +0s     trace.start reason=attach
        +1s     bgtask.begin token=7 name=upload elapsed_s=30  # here
        +1s     bgtask.begin token=8 elapsed_s=30.5  # here
        """),
      .violates(
        "A log without lines of begins, which shows the launch: the warning is all there is.",
        """
        header os_version=15.0 coverage=["proc","bgtask"] log_levels=["default"]
        +0s     proc.start into=foreground reason=user_icon
        +40s    bgtask.begin token=7 elapsed_s=30  # here
        """),
      .violates(
        "A task that was begun again: what is told of it goes before the warning, once.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=7 elapsed_s=30
        +1s     bgtask.end token=7
        +1s     bgtask.begin token=7
        +31s    bgtask.end token=7  # here
        """),
      .violates(
        "What is told of one task leaves the warning of another.", reasons: [nil, nil],
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=7 name=upload elapsed_s=30  # here
        +1s     bgtask.begin token=8 name=sync
        +31s    bgtask.end token=8  # here
        """),
      .holds(
        "Tasks that a log shows young, and those of UIKit.",
        """
        header coverage=["bgtask"]
        +0s     trace.start reason=attach
        +1s     bgtask.begin token=7 elapsed_s=29
        +1s     bgtask.begin token=8 elapsed_s=31 by=uikit
        """),
      .unknown(
        "The trace stops before the thirty seconds are over.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        +10s    trace.marker text=last
        """),
    ])
}
