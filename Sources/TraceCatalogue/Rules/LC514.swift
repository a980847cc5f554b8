// LC514: a suspended app is told that it is going to be ended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC514 {
  static let rule = Rule(
    id: "LC514",
    slug: "termination/will-terminate-while-suspended",
    severity: .warning,
    summary: "applicationWillTerminate: never reaches a suspended app.",
    rationale: """
      The system ends a suspended app without running any of its code. If it does want the app to \
      clean up it resumes it first, which then is in the trace. A call without a resume shows that \
      the trace is wrong.
      """,
    consequence: """
      The trace lets it seem that the app could clean up at its end. It can't rely on that: a \
      suspended app ends without a word.
      """,
    advice: """
      Have the recorder write proc.resume. In the app, save in applicationDidEnterBackground: what \
      must not be lost.
      """,
    sources: [.xamarin("Application Lifecycle Methods"), .appStates("App Termination")],
    needs: ["proc", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(Never(.on(.delegateWillTerminate, while: .wasPhase([.suspended])))),
        message: "{what} came on {thread}, {since}, with no resume between")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "A suspended app is told of its end.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    delegate.will_terminate for 1ms  # here
        +1s     proc.kill cause=user_force_quit
        """),
      .violates(
        "Just outside the tolerance after the suspension.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +50.000001ms  delegate.will_terminate for 1ms  # here
        +1s     proc.exit by=uikit_after_will_terminate
        """),
      .violates(
        "It was resumed once, and then suspended again.",
        """
        \(Step.backgroundLaunch)
        +1s     proc.suspend inferred=false
        \(Step.resumed)
        +1s     proc.suspend inferred=false
        +60s    delegate.will_terminate for 1ms  # here
        +1s     proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "The app runs in the background under a task, and is told.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1
        \(Step.toBackground)
        +1s     delegate.will_terminate for 1ms
        +1s     proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "The system resumes the app in order to end it.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +1ms    delegate.will_terminate for 1ms
        +1s     proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "Within 50 ms of the suspension the observer's clock decides nothing.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +50ms   delegate.will_terminate for 1ms
        +1s     proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "Other callbacks are the business of another rule.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_become_active for 1ms
        +1s     trace.marker text=later
        """),
      .holds(
        "A suspended app ends without a word.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        """),
    ])
}
