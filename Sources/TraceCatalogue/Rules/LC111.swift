// LC111: a begin returns a token that an open background task has already.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC111 {
  private static let begin = EventPattern.on(
    .bgtaskBegin,
    where: .all([
      .not(.isTrue(.isInvalid)), .not(.isText(.by, ["uikit"])),
      .not(.isText(.token, ["<private>"])), .isPresent(.token),
    ]))

  static let rule = Rule(
    id: "LC111",
    slug: "background-task/token-not-unique",
    severity: .warning,
    summary: "Each begin returns a token that no open background task has.",
    rationale: """
      The system gives every task a number of its own. Two open tasks with one number can't be \
      told apart, and nothing that is said of either of them can be trusted.
      """,
    consequence: """
      The system did nothing wrong, and nor did the app's work: the recording is broken, or a \
      wrapper hands out one token to several callers.
      """,
    advice: """
      Look at the wrapper or the importer: record the token that the system returned, at each \
      begin. A wrapper that shares one task must record one begin and one end.
      """,
    sources: [.backgroundExecution("Executing Finite-Length Tasks")],
    needs: ["bgtask"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [begin], closes: [.on(.bgtaskEnd, where: .not(.isTrue(.isInvalid)))],
            key: [.argument(.token)], due: [.atSameKey([begin])])),
        message: "{task} was begun again while it was open")
    ],
    examples: [
      .violates(
        "Two begins return the same token.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.begin token=1  # here
        +1s     bgtask.end token=1
        +1s     bgtask.end token=1
        """),
      .violates(
        "The token is shared between threads, even across the background entry.",
        """
        \(Step.launch)
        +1s @3  bgtask.begin token=1
        \(Step.toBackground)
        +1s @4  bgtask.begin token=1  # here
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """),
      .violates(
        "After a start in mid-life two begins are proof enough.",
        """
        +0s     trace.start reason=attach
        +1s     bgtask.begin token=7
        +1s     bgtask.begin token=7  # here
        +1s     bgtask.end token=7
        """),
      .holds(
        "A token that comes back after its end belongs to a new task.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """),
      .holds(
        "Two tasks with tokens of their own.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.begin token=2
        +1s     bgtask.end token=1
        +1s     bgtask.end token=2
        """),
      .holds(
        "Refused requests all return the same invalid token.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=0 is_invalid=true
        +1s     bgtask.begin token=0 is_invalid=true
        """),
      .holds(
        "The next launch numbers its tasks anew.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     proc.kill cause=jetsam
        +60s    trace.marker text=between
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """),
      .holds(
        "A log that hides tokens hides whether they differ.",
        """
        header os_version=14.2 sdk_linked=14.0
        \(Step.launch)
        +1s     bgtask.begin token="<private>"
        +1s     bgtask.begin token="<private>"
        """),
      .holds(
        "A task of UIKit's own isn't counted among the app's.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        +1s     bgtask.begin token=1 by=uikit
        +1s     bgtask.end token=1
        """),
    ])
}
