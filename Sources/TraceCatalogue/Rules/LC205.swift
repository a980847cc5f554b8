// LC205: the process ends in the background with data that was never saved.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC205 {
  static let rule = Rule(
    id: "LC205",
    slug: "suspension/killed-with-unsaved-data",
    severity: .error,
    summary: "Nothing is unsaved when the process ends in the background.",
    rationale: """
      A suspended app can be purged at any time, for memory or by the user, and isn't told. What \
      isn't on disk when the background is entered may never get there.
      """,
    consequence: "The user's changes are gone at the next launch.",
    advice: """
      Save every change in applicationDidEnterBackground:, under a background task if it takes \
      long, or save at once when it is made. Check that the save succeeded.
      """,
    sources: [
      .appStates("What to Do When Moving to the Background"),
      .appStates("App Termination"),
    ],
    needs: ["data", "proc", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .error,
        .expect(
          Expect(
            opens: [.on(.dataDirty)],
            closes: [.end(.dataSave, where: .not(.isFalse(.ok)))], key: [.argument(.store)],
            due: [
              .processEnd(
                [.on(.procKill, .procExit)], orNewStart: true,
                while: .phase([.suspended, .background]))
            ])),
        message: "a change that was made {duration} before was not saved when the process ended")
    ],
    explains: ["memory-background", "memory"],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The suspended app is purged with a change in memory.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes kind=user_data
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam  # here
      """),
    .violates(
      "Killed while it runs in the background.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.toBackground)
      +1s     proc.kill cause=crash  # here
      """),
    .violates(
      "The app calls exit in the background.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.toBackground)
      +1s     proc.exit code=0 by=app  # here
      """),
    .violates(
      "A new start shows that the suspended process ended unseen.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.toSuspended)
      +60s    proc.start into=foreground reason=user_icon  # here
      """),
    .violates(
      "The save failed.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms   >data.save store=notes
      +10ms   <data.save ok=false
      +10ms   <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      +60s    proc.kill cause=jetsam  # here
      """),
    .violates(
      "A change after the save, and a store that nobody saved.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      +1s     data.save for 10ms store=notes ok=true
      +1s     data.dirty store=notes
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam  # here
      +60s    trace.marker text=second
      \(Step.launch)
      +1s     data.dirty store=notes
      +1s     data.dirty store=drawing
      +1s     data.save for 10ms store=notes ok=true
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Saved in the callback of the background entry.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms   data.save for 10ms store=notes
      +20ms   <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      +60s    proc.kill cause=jetsam
      """),
    .holds(
      "Saved on another thread, under a task.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @3  data.save for 2s store=notes ok=true
      +3s     bgtask.end token=1
      +1s     proc.suspend inferred=false
      +60s    proc.kill cause=user_force_quit
      """),
    .holds(
      "Nothing was changed.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      """),
    .holds(
      "A crash in the foreground is no fault of saving late.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      +1s     proc.kill cause=crash
      """),
    .holds(
      "An app that is told of its end has other rules.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.toBackground)
      +1s     delegate.will_terminate for 10ms
      +20ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "The app came back and saved.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.toSuspended)
      \(Step.resumed)
      \(Step.toForeground)
      +1s     data.save for 10ms store=notes
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops while the app is suspended; the process may go on.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.toSuspended)
      """),
    .unknown(
      "So it may after a complete recording, in suspension or in the background.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      \(Step.toBackground)
      \(Step.end)
      """),
    .unknown(
      "The save may be among the events that were lost.",
      """
      \(Step.launch)
      +1s     data.dirty store=notes
      +1s     trace.lost count=3
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      """),
  ]
}
