// LC808: a notification that waited during a suspension is delivered off the main thread.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC808 {
  static let rule = Rule(
    id: "LC808",
    slug: "notification/queued-off-main",
    severity: .warning,
    summary: "Notifications that waited during a suspension are handled on the main thread.",
    rationale: """
      The system delivers them by the main run loop, before other input. A delivery on another \
      thread can only come from the app itself.
      """,
    consequence: """
      The handler runs beside the interface it changes, later than the system meant it; UIKit \
      isn't made for that.
      """,
    advice: """
      Observe the notification where it arrives, don't post it again on another thread, and hand \
      only the long work to a queue.
      """,
    sources: [.appStates("Processing Queued Notifications at Wakeup Time")],
    needs: ["note"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(.noteDeliver, where: .isTrue(.queued), while: .not(.isOnMain)),
            per: .key, key: [.argument(.name)])),
        message: "{what} brought a notification that had waited on {thread}")
    ],
    examples: [
      .violates(
        "The notification arrives on the third thread.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms @3 note.deliver name=NSUserDefaultsDidChangeNotification queued=true  # here
        \(Step.end)
        """),
      .violates(
        "Each name is one finding.", reasons: [nil, nil],
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms @3 note.deliver name=NSUserDefaultsDidChangeNotification queued=true  # here
        +10ms @3 note.deliver name=NSCurrentLocaleDidChangeNotification queued=true  # here
        +10ms @4 note.deliver name=NSUserDefaultsDidChangeNotification queued=true
        \(Step.end)
        """),
      .holds(
        "The main thread handles it.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver name=NSUserDefaultsDidChangeNotification queued=true
        \(Step.end)
        """),
      .holds(
        "A notification that didn't wait comes on the thread that posts it.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms @3 note.deliver name=NSUserDefaultsDidChangeNotification queued=false
        +10ms @3 note.deliver name=NSUserDefaultsDidChangeNotification
        \(Step.end)
        """),
      .holds(
        "The main thread is the one that the trace names.",
        """
        +0s     trace.thread thread=5 is_main=true
        +0s     proc.start into=foreground reason=user_icon
        +10ms @5 delegate.did_finish_launching for 100ms
        +150ms @5 delegate.did_become_active for 1ms
        +1s @5  note.deliver name=NSUserDefaultsDidChangeNotification queued=true
        \(Step.end)
        """),
    ])
}
