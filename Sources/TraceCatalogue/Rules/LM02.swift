// LM02: a scheduled task is not completed.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM02 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]"

  /// A kill in which the task had no part.
  private static let innocent = FieldTest.isText(.cause, ["jetsam", "user_force_quit", "crash"])

  private static func clause(_ test: FieldTest?, due: [Due], message: MessageTemplate) -> Clause {
    Clause(
      .error,
      .expect(
        Expect(
          opens: [.on(.bgschedRun, where: test)], closes: [.on(.bgschedComplete)],
          key: [.argument(.identifier)], due: due)),
      message: message)
  }

  static let rule = Rule(
    id: "LM02",
    slug: "bgsched/not-completed",
    severity: .error,
    summary: "Every scheduled task that is run is completed in its time.",
    rationale: """
      The system keeps the process awake for a scheduled task until setTaskCompleted(success:) is \
      called, wherever and on whatever thread the work goes on. A task that is never completed \
      looks as if it hung.
      """,
    consequence: "The system may kill the app, and grants it fewer tasks later.",
    advice: """
      Call setTaskCompleted(success:) on every path, also in the expiration handler; a refresh \
      should be done well within half a minute.
      """,
    sources: [
      .apple("BGTask, setTaskCompleted(success:)"),
      .reports("notes on the conference session about background tasks of 2019"),
    ],
    needs: ["bgsched", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("refresh", .nanoseconds, 30_000_000_000, .toolDefault)],
    clauses: [
      clause(
        .isText(.kind, ["refresh"]), due: [.within(.parameter("refresh"))],
        message: "the refresh {identifier} was not completed within {limit}"),
      clause(
        nil,
        due: [
          .atSameKey([.end(.bgschedExpire)]), .suspension(inferred: false),
          .processEnd(
            [.on(.procKill, where: .not(innocent))], orNewStart: false, while: nil),
        ],
        message: "the task {identifier} was never completed"),
    ],
    explains: ["watchdog-code", "background-task-overtime", "background-task"],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "A refresh that takes a nanosecond too long.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.refresh kind=refresh
      +30.000000001s  trace.marker text="still loading"  # here
      +1s     bgsched.complete identifier=com.example.refresh success=true
      """),
    .violates(
      "The expiration handler cancels the work and forgets the task.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.clean kind=processing
      +120s   >bgsched.expire identifier=com.example.clean
      +1s     <bgsched.expire identifier=com.example.clean  # here
      +1s     bgsched.complete identifier=com.example.clean success=false
      """),
    .violates(
      "The app is suspended in the middle of its task.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.clean kind=processing
      +20s    proc.suspend inferred=false  # here
      +60s    proc.kill cause=jetsam
      """),
    .violates(
      "The system kills the app for a task that ran out of time.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.clean kind=processing
      +200s   proc.kill cause=bgtask_expired code=562215634  # here
      """),
    .violates(
      "Completing another task leaves this one open.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.refresh kind=refresh
      +1s     bgsched.complete identifier=com.example.clean success=true
      +31s    trace.marker text="still loading"  # here
      +1s     bgsched.complete identifier=com.example.refresh success=true
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Completed on another thread after the handler returned, which is the normal way.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.refresh kind=refresh
      +20s @4 bgsched.complete identifier=com.example.refresh success=true
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Exactly thirty seconds, and completed.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.refresh kind=refresh
      +30s    bgsched.complete identifier=com.example.refresh success=true
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Processing may take minutes.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.clean kind=processing
      +300s   bgsched.complete identifier=com.example.clean success=true
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The expiration handler completes the task.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.clean kind=processing
      +120s   >bgsched.expire identifier=com.example.clean
      +1s     bgsched.complete identifier=com.example.clean success=false
      +1ms    <bgsched.expire identifier=com.example.clean
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Completed before the handler returned: what comes later is no matter.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     >bgsched.run identifier=com.example.refresh kind=refresh
      +2s     bgsched.complete identifier=com.example.refresh success=true
      +1ms    <bgsched.run identifier=com.example.refresh
      +1s     bgsched.expire for 1ms identifier=com.example.refresh
      +1s     proc.kill cause=watchdog
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Jetsam kills the app two seconds into the task: the app had no chance.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.clean kind=processing
      +2s     proc.kill cause=jetsam
      """),
    .unknown(
      "The trace just stops.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.refresh kind=refresh
      +5s     trace.marker text=last
      """),
    .unknown(
      "The completion may be among the events that were lost.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     bgsched.run for 10ms identifier=com.example.refresh kind=refresh
      +5s     trace.lost count=3
      +60s    trace.marker text=later
      """),
  ]
}
