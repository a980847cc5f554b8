// LC542: a metadata query goes on running when the app resigns the active state.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC542 {
  static let rule = Rule(
    id: "LC542",
    slug: "inactive/metadata-query-running",
    severity: .warning,
    summary: "Metadata queries are stopped by the time applicationWillResignActive: returns.",
    rationale: """
      A running query keeps the search daemon at work and sends updates that nobody can act on \
      while the app is interrupted.
      """,
    consequence: "The battery pays for searches, and updates reach an app that isn't in use.",
    advice: """
      Call stopQuery in applicationWillResignActive: and startQuery in \
      applicationDidBecomeActive:.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["work", "delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("exempt", .nanoseconds, 500_000_000, .toolDefault)],
    facts: [
      Fact(
        "running", set: [.on(.workQueryStart)], clear: [.on(.workQueryStop)],
        key: [.argument(.query)])
    ],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(.end(.delegateWillResignActive, while: .anyFact("running")), per: .inactive)),
        sparesInactivity: .parameter("exempt"),
        message: "a metadata query still ran when applicationWillResignActive: returned")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .holds(
        "A return of a callback that was never entered says nothing.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     <delegate.will_resign_active
        +3s     trace.marker text=later
        """),
      .violates(
        "The query is never stopped.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     >delegate.will_resign_active
        +1ms    <delegate.will_resign_active  # here
        """),
      .violates(
        "There is no allowance: a stop after the callback comes too late.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     >delegate.will_resign_active
        +1ms    <delegate.will_resign_active  # here
        +100ms  work.query_stop query=1
        +400ms  delegate.did_become_active for 1ms
        """),
      .violates(
        "One of two is stopped, the other forgotten.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     work.query_start query=2
        +1s     >delegate.will_resign_active
        +1ms    work.query_stop query=2
        +1ms    <delegate.will_resign_active  # here
        """),
      .violates(
        "Nobody knows when a query began that ran before the recording did; this one is known.",
        """
        +0s     trace.start reason=attach
        +1s     work.query_start query=1
        +1s     >delegate.will_resign_active
        +1ms    <delegate.will_resign_active  # here
        """),
      .holds(
        "On the way to the background the app is inactive for a moment only, which isn't judged.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +1ms    work.query_stop query=1
        +1ms    <delegate.did_enter_background
        """),
      .holds(
        "A stretch of inactivity a nanosecond shorter than the exemption.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     >delegate.will_resign_active
        +1ms    <delegate.will_resign_active
        +499.999999ms  delegate.did_become_active for 1ms
        """),
      .unknown(
        "Nobody knows how long the app was inactive.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     delegate.will_resign_active for 1ms
        +10ms   trace.lost count=3
        +1s     delegate.did_become_active for 1ms
        """),
      .unknown(
        "Suspended or not, the query ran; but nobody knows how long the app was inactive.",
        """
        +0s     trace.start reason=attach
        \(Step.toBackground)
        +6s     proc.suspend
        +1s     work.query_start query=1
        +60ms   <delegate.will_resign_active
        +1ms    trace.lost count=3
        +1s     trace.marker text=later
        """),
      .holds(
        "The query is stopped inside the callback.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     >delegate.will_resign_active
        +1ms    work.query_stop query=1
        +1ms    <delegate.will_resign_active
        """),
      .holds(
        "The query was over long before.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     work.query_stop query=1
        \(Step.toBackground)
        """),
      .holds(
        "Stopped for each interruption, started again after it.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     >delegate.will_resign_active
        +1ms    work.query_stop query=1
        +1ms    <delegate.will_resign_active
        +1s     >delegate.did_become_active
        +1ms    work.query_start query=1
        +1ms    <delegate.did_become_active
        +1s     work.query_stop query=1
        \(Step.resign)
        """),
      .holds(
        "Whether a query runs isn't known, but the app was inactive for a moment only.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     trace.lost count=3
        \(Step.toBackground)
        +6s     proc.kill cause=jetsam
        """),
      .unknown(
        "The stop may be among the lost events.",
        """
        \(Step.launch)
        +1s     work.query_start query=1
        +1s     trace.lost count=3
        \(Step.resign)
        """),
    ])
}
