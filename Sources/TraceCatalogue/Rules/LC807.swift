// LC807: a notification that waited during a suspension comes after the user's first touch.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC807 {
  static let rule = Rule(
    id: "LC807",
    slug: "notification/queued-after-touch",
    severity: .note,
    summary: "Notifications that waited during a suspension come before the first touch.",
    rationale: """
      The system delivers what changed during a suspension first, so that the app reacts to the \
      user in the state of now. The guide calls this typical and doesn't promise it.
      """,
    consequence: """
      Nothing by itself; but a touch is then handled with settings, a locale or a screen that no \
      longer hold.
      """,
    advice: """
      Don't rely on the order: read what matters, such as settings, when it is used, and let late \
      notifications bring the interface up to date.
      """,
    sources: [.appStates("Processing Queued Notifications at Wakeup Time")],
    needs: ["note", "ui", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      Fact("resumed", set: [.on(.procResume)]),
      Fact(
        "touched", set: [.on(.uiTouch, while: .fact("resumed"))],
        clear: [.on(.procSuspend, .procResume)]),
    ],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(.noteDeliver, where: .isTrue(.queued), while: .fact("touched")),
            per: .launch)),
        message: "{what} brought a notification that had waited only after the first touch")
    ],
    examples: [
      .violates(
        "The user is quicker than the notification.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        \(Step.toForeground)
        +10ms   ui.touch
        +10ms   note.deliver name=NSUserDefaultsDidChangeNotification queued=true  # here
        \(Step.end)
        """),
      .violates(
        "However long after the touch; a second one is the same finding.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        \(Step.toForeground)
        +10ms   ui.touch
        +60s    note.deliver name=NSUserDefaultsDidChangeNotification queued=true  # here
        +1s     note.deliver name=NSCurrentLocaleDidChangeNotification queued=true
        \(Step.end)
        """),
      .holds(
        "What waited is delivered first.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver name=NSUserDefaultsDidChangeNotification queued=true
        \(Step.toForeground)
        +10ms   ui.touch
        +10ms   note.deliver name=NSUserDefaultsDidChangeNotification queued=false
        \(Step.end)
        """),
      .holds(
        "A touch before the suspension doesn't count.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        \(Step.toForeground)
        +10ms   ui.touch
        \(Step.toSuspended)
        \(Step.toForeground)
        +10ms   note.deliver name=NSUserDefaultsDidChangeNotification queued=true
        \(Step.end)
        """),
      .holds(
        "A touch before the resume doesn't count, also if no suspension was recorded.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        \(Step.toForeground)
        +10ms   ui.touch
        \(Step.toBackground)
        +60s    proc.resume inferred=false reason=user_icon
        +10ms   note.deliver name=NSUserDefaultsDidChangeNotification queued=true
        \(Step.toForeground)
        \(Step.end)
        """),
      .holds(
        "Without a resume in this launch nothing can be said of the order.",
        """
        \(Step.launch)
        +10ms   ui.touch
        +10ms   note.deliver name=NSUserDefaultsDidChangeNotification queued=true
        \(Step.end)
        """),
    ])
}
