// LC546: a queue goes on with work that can wait while the app is inactive.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC546 {
  static let rule = Rule(
    id: "LC546",
    slug: "inactive/queue-running",
    severity: .warning,
    summary: "Queues with work that can wait are suspended while the app is inactive.",
    rationale: """
      Blocks that were queued before the interruption go on being run unless their queue is \
      suspended. Critical work and the network may go on; housekeeping can wait.
      """,
    consequence: "The battery and the processor pay for work that could wait.",
    advice: """
      Keep such work on queues of its own, suspend them in applicationWillResignActive: and resume \
      them in applicationDidBecomeActive:.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["work", "delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("allowance", .nanoseconds, 500_000_000, .toolDefault)],
    facts: [
      Fact(
        "queue suspended", set: [.on(.workQueueSuspend)], clear: [.on(.workQueueResume)],
        key: [.argument(.queue)]),
      Fact(
        "resigned", set: [.end(.delegateWillResignActive)],
        clear: [.on(.delegateWillEnterForeground)],
        after: .parameter("allowance", on: .continuous)),
    ],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .workSpan, where: .isText(.class, ["noncritical", "housekeeping"]),
              while: .all([
                .phase([.inactive]), .fact("resigned"), .not(.fact("queue suspended")),
              ])),
            per: .inactive, key: [.argument(.queue)])),
        message: "{what} ({class}) ran on {thread} while the app was inactive")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "Work that can wait is begun a second into the interruption.",
        """
        \(Step.launch)
        \(Step.resign)
        +1s     work.span for 1ms id=1 class=noncritical  # here
        """),
      .violates(
        "A nanosecond after the allowance.",
        """
        \(Step.launch)
        \(Step.resign)
        +501.000001ms @3  work.span for 1ms id=1 class=housekeeping queue=a  # here
        """),
      .violates(
        "The queue was resumed too early.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    work.queue_suspend queue=a
        +1ms    <delegate.will_resign_active
        +1s     work.queue_resume queue=a
        +1ms @3 work.span for 1ms id=1 class=noncritical queue=a  # here
        """),
      .violates(
        "Another queue was suspended.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    work.queue_suspend queue=a
        +1ms    <delegate.will_resign_active
        +1s @3  work.span for 1ms id=1 class=noncritical queue=b  # here
        """),
      .holds(
        "Critical work may go on.",
        """
        \(Step.launch)
        \(Step.resign)
        +1s @3  work.span for 1ms id=1 class=critical queue=a
        """),
      .holds(
        "What the suspended queue still runs was taken from it before.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    work.queue_suspend queue=a
        +1ms    <delegate.will_resign_active
        +1s @3  work.span for 1ms id=1 class=noncritical queue=a
        """),
      .holds(
        "Half a second is allowed, in every stretch of inactivity.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    <delegate.will_resign_active
        +500ms @3  work.span for 1ms id=1 class=noncritical queue=a
        \(Step.becomeActive)
        \(Step.resign)
        +400ms @3  work.span for 1ms id=2 class=noncritical queue=a
        """),
      .holds(
        "Inactive on the way back from the background isn't meant, nor is the background.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s @3  work.span for 1ms id=1 class=noncritical queue=a
        +1s     delegate.will_enter_foreground for 1ms
        +1s @3  work.span for 1ms id=2 class=noncritical queue=a
        +1s     delegate.did_become_active for 1ms
        """),
      .unknown(
        "Whether the queue was suspended was said before the recording began.",
        """
        +0s     trace.start reason=attach
        \(Step.resign)
        +1s @3  work.span for 1ms id=1 class=noncritical queue=a
        """),
    ])
}
