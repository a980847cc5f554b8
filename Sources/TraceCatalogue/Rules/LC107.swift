// LC107: a background task is begun while the app is being ended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC107 {
  static let rule = Rule(
    id: "LC107",
    slug: "background-task/begun-in-will-terminate",
    severity: .warning,
    summary: "No background task is begun from applicationWillTerminate: on.",
    rationale: """
      When this callback comes the end of the process is decided. A background task asks for time \
      in a background that the app won't reach any more.
      """,
    consequence: """
      The request gives no time, and what relies on it is cut off when the process ends.
      """,
    advice: """
      Save what must be saved before the callback returns, and begin tasks earlier, when the \
      background is entered or the work starts.
      """,
    sources: [.appStates("App Termination")],
    needs: ["bgtask", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .bgtaskBegin,
              where: .all([.not(.isText(.by, ["uikit"])), .not(.isPresent(.elapsedS))]),
              while: .phase([.terminating])))),
        message: "a background task was begun on {thread} while the app was being ended")
    ],
    examples: [
      .violates(
        "An app that opted out of the background asks for time in its last callback.",
        """
        header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true
        \(Step.launch)
        +1s     >delegate.will_terminate
        +10ms   bgtask.begin token=1 has_expiration_handler=true  # here
        +10ms   <delegate.will_terminate
        +10ms   proc.exit by=uikit_after_will_terminate
        """),
      .violates(
        "After the callback another thread still asks, in vain.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     delegate.will_terminate for 10ms
        +20ms @4  bgtask.begin token=0 is_invalid=true  # here
        +10ms   proc.exit by=uikit_after_will_terminate
        """),
      .violates(
        "Before iOS 4 there is no background at all; several requests are one finding.",
        """
        header os_version=3.2 sdk_linked=3.2
        \(Step.launch)
        +1s     >delegate.will_terminate
        +10ms   bgtask.begin token=1  # here
        +10ms   bgtask.begin token=2
        +10ms   <delegate.will_terminate
        +10ms   proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "A task that was begun before is ended in the callback.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        \(Step.toBackground)
        +1s     >delegate.will_terminate
        +10ms   bgtask.end token=1
        +10ms   <delegate.will_terminate
        """),
      .holds(
        "Entering the background is the right moment.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +10ms   bgtask.begin token=1
        +10ms   <delegate.did_enter_background
        +1s     bgtask.end token=1
        """),
      .holds(
        "What UIKit begins for itself is not the app's.",
        """
        \(Step.launch)
        +1s     >delegate.will_terminate
        +10ms   bgtask.begin token=1 by=uikit
        +10ms   <delegate.will_terminate
        """),
      .holds(
        "A warning tells of a task that was begun long before.",
        """
        \(Step.launch)
        +40s    >delegate.will_terminate
        +10ms   bgtask.begin token=1 elapsed_s=30
        +10ms   <delegate.will_terminate
        """),
      .holds(
        "In the next launch everything begins anew.",
        """
        \(Step.launch)
        +1s     delegate.will_terminate for 10ms
        +20ms   proc.exit by=uikit_after_will_terminate
        +60s    trace.marker text=between
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """),
    ])
}
