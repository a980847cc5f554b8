// LM08: an expiration handler is called on another thread than the main one.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM08 {
  static let rule = Rule(
    id: "LM08",
    slug: "background-task/handler-off-main",
    severity: .note,
    summary: "Expiration handlers are called on the main thread.",
    rationale: """
      UIKit calls the handler on the main thread and waits for it, so that the app can put its \
      affairs in order before it is suspended. A handler on another thread was called by somebody \
      else, or handed on.
      """,
    consequence: """
      The app may be suspended before the handler has done its work, and the task stays open.
      """,
    advice: """
      Do the work of the handler where it is called, and end the task there; don't hand it to a \
      queue.
      """,
    sources: [.apple("UIApplication, beginBackgroundTask(withName:expirationHandler:)")],
    needs: ["bgtask"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .note, .never(Never(.on(.bgtaskExpire, while: .not(.isOnMain)), per: .launch)),
        message: "{what} was called on {thread}")
    ],
    examples: [
      .violates(
        "The handler hands itself to a queue.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=7 has_expiration_handler=true
        \(Step.toBackground)
        +170s @5 bgtask.expire for 1ms token=7  # here
        +1s     bgtask.end token=7
        """),
      .violates(
        "The trace says itself which thread is the main one.",
        """
        +0s     trace.thread thread=9 is_main=true
        +0s @9  proc.start into=foreground reason=user_icon
        +50ms @9  delegate.did_finish_launching for 10ms
        +50ms @9  delegate.did_become_active for 1ms
        +1s @9  bgtask.begin token=7 has_expiration_handler=true
        +1s @9  delegate.did_enter_background for 1ms
        +170s @1 bgtask.expire for 1ms token=7  # here
        +1s @9  bgtask.end token=7
        """),
      .holds(
        "On the main thread.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=7 has_expiration_handler=true
        \(Step.toBackground)
        +170s   bgtask.expire for 1ms token=7
        +1s     bgtask.end token=7
        """),
      .holds(
        "Beginning and ending a task is right on any thread.",
        """
        \(Step.launch)
        +1s @5  bgtask.begin token=7 has_expiration_handler=true
        \(Step.toBackground)
        +10s @6 bgtask.end token=7
        """),
    ])
}
