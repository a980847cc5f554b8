// LC309: applicationDidEnterBackground: is slow, though within its limit.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC309 {
  static let rule = Rule(
    id: "LC309",
    slug: "watchdog/did-enter-background-slow",
    severity: .note,
    summary: "applicationDidEnterBackground: returns at once, far below its limit of 5 seconds.",
    rationale: """
      The limit is for the slowest device on its worst day. A callback that takes seconds on a \
      good one has little left when storage is full or other apps compete. Above 5 seconds LC003 \
      speaks instead.
      """,
    consequence: "On a slower or busier device the same code may meet the watchdog.",
    advice: """
      Save small state in the callback; begin a background task and hand the rest to a queue.
      """,
    sources: [.appStates("What to Do When Moving to the Background")],
    needs: ["delegate"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault),
      RuleParameter("watchdog", .nanoseconds, 5_000_000_000, .documented),
    ],
    clauses: [
      Clause(
        .note,
        .lasts(
          Lasts(
            .span([.on(.delegateDidEnterBackground)]), max: .parameter("limit", on: .watchdog),
            upTo: .parameter("watchdog"))),
        message: "{callback} took {duration}; it should return at once")
    ],
    examples: [
      .violates(
        "Three seconds leave two.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +3s     <delegate.did_enter_background  # here
        """),
      .violates(
        "A nanosecond more than a second.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1.000000001s  <delegate.did_enter_background  # here
        """),
      .violates(
        "Exactly five seconds are allowed, and slow.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +5s     <delegate.did_enter_background  # here
        """),
      .violates(
        "With scenes the callback of the last scene is meant.",
        """
        header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  scene.will_connect for 1ms scene=main
        +10ms   scene.will_enter_foreground for 1ms scene=main
        +10ms   scene.did_become_active for 1ms scene=main
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms   >scene.did_enter_background scene=main
        +2s     <scene.did_enter_background  # here
        """),
      .holds(
        "A short callback, and work on another thread after it.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +400ms  <delegate.did_enter_background
        +1ms @3 >work.span id=1 class=save protects_token=1
        +20s @3 <work.span
        +10ms   bgtask.end token=1
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Exactly a second is quick enough.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1s     <delegate.did_enter_background
        """),
      .holds(
        "Over five seconds another rule speaks, with another severity.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +5.000000001s  <delegate.did_enter_background
        """),
      .holds(
        "Time in which the app was suspended doesn't count.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +100ms  proc.suspend inferred=false
        +3s     proc.resume inferred=false reason=user_icon
        +100ms  <delegate.did_enter_background
        """),
    ])
}
