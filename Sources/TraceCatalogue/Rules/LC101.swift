// LC101: a background task is begun without an expiration handler.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC101 {
  static let rule = Rule(
    id: "LC101",
    slug: "background-task/no-expiration-handler",
    severity: .warning,
    summary: "Every background task is begun with an expiration handler.",
    rationale: """
      The handler is the only word that the system gives before a task's time is over. Without it \
      nothing in the app can end the task in time when its work takes longer than expected.
      """,
    consequence: """
      A task that is still open at the limit gets no last chance, and the system ends the app \
      instead of suspending it.
      """,
    advice: """
      Pass a handler that stops the work, ends the task and sets the stored token to \
      UIBackgroundTaskInvalid.
      """,
    sources: [
      .backgroundExecution("Executing Finite-Length Tasks"),
      .iOS4Guide("Completing a Long-Running Task in the Background"),
    ],
    needs: ["bgtask"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .bgtaskBegin,
              where: .all([
                .isFalse(.hasExpirationHandler), .not(.isTrue(.isInvalid)),
                .not(.isText(.by, ["uikit"])),
              ])),
            per: .key, key: [.argument(.token)])),
        message: "{task} was begun without an expiration handler")
    ],
    examples: [
      .violates(
        "A task for an upload has nothing to call when its time runs out.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 name=upload has_expiration_handler=false  # here
        +2s     bgtask.end token=1
        """),
      .violates(
        "Each task needs a handler of its own.", reasons: [nil, nil],
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=false  # here
        +1s @4  bgtask.begin token=2 has_expiration_handler=false  # here
        +1s     bgtask.begin token=3 has_expiration_handler=true
        +1s     bgtask.end token=1
        +1s     bgtask.end token=2
        +1s     bgtask.end token=3
        """),
      .violates(
        "A token that is begun again in one launch makes one finding.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=false  # here
        +1s     bgtask.end token=1
        +1s     bgtask.begin token=1 has_expiration_handler=false
        +1s     bgtask.end token=1
        """),
      .violates(
        "The begin alone is proof, so that a recording may start in mid-life.",
        """
        +0s     trace.start reason=attach
        +1s     bgtask.begin token=1 has_expiration_handler=false  # here
        """),
      .holds(
        "The task has a handler.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        +1s     bgtask.end token=1
        """),
      .holds(
        "A request that the system refuses begins no task.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=0 is_invalid=true has_expiration_handler=false
        """),
      .holds(
        "The recorder didn't see whether there is a handler.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """),
      .holds(
        "What UIKit begins for itself is not the app's to mend.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 by=uikit has_expiration_handler=false
        +1s     bgtask.end token=1
        """),
    ])
}
