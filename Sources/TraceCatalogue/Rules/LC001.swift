// LC001: background tasks are begun and not ended, or ended and not begun.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC001 {
  private static func clause(_ reason: String, _ severity: Severity) -> Clause {
    Clause(
      reason: reason, severity,
      .handWritten(
        .backgroundTaskBalance,
        because:
          "six reasons share one table of tokens, and three of them are decided by what comes later"
      ),
      // An end too many leaves no task open.
      explainsEnds: reason != "double-end" && reason != "end-invalid", message: "")
  }

  static let rule = Rule(
    id: "LC001",
    slug: "background-task/unbalanced",
    severity: .error,
    summary: "Each background task that is begun is ended once, with its own token.",
    rationale: """
      A background task is a promise to end it. An open task keeps the app running until its time \
      is up; the end of a wrong token leaves the right one open.
      """,
    consequence: """
      When the time runs out with a task open, the system ends the app instead of suspending it. \
      An end of an unknown token does nothing: the task that was meant stays open.
      """,
    advice: """
      Keep the token in one place, end it on every path and in the expiration handler, and set it \
      to UIBackgroundTaskInvalid in the same step.
      """,
    sources: [
      RuleSource(
        "App Programming Guide for iOS, App States and Multitasking",
        "Executing a Finite-Length Task in the Background"),
      RuleSource(
        "App Programming Guide for iOS, Background Execution", "Executing Finite-Length Tasks"),
      RuleSource(
        "iOS Application Programming Guide, Executing Code in the Background (iOS 4 edition)",
        "Completing a Long-Running Task in the Background"),
    ],
    needs: ["bgtask"],
    profiles: Profile.ios4Plus + [.nomt, .optout],
    parameters: [RuleParameter("leak", .nanoseconds, 5_000_000_000, .toolDefault)],
    clauses: [
      clause("leaked", .error), clause("open-at-suspend", .error), clause("open-at-end", .error),
      clause("double-end", .error), clause("unknown-token", .error), clause("end-invalid", .note),
    ],
    clausesAreIndependent: true,
    explains: ["watchdog-code", "background-task-overtime", "background-task"],
    yields: [Yield(to: "LC102", same: .key)],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The system kills the app for a task that ran out of time.", reasons: ["leaked"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7 name="save draft"
      \(Step.toBackground)
      +180s   proc.kill cause=bgtask_expired  # here
      """),
    .violates(
      "The app calls exit with a task open.", reasons: ["leaked"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     proc.exit code=0 by=app  # here
      """),
    .violates(
      "Five seconds after its expiration handler was called the task is still open.",
      reasons: ["leaked"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 1ms token=7
      +5.000000001s  trace.marker text=late  # here
      """),
    .violates(
      "A prewarmed process that was suspended runs again once its callbacks come.",
      reasons: ["leaked"],
      """
      +0s     proc.start into=foreground reason=prewarm
      +10ms   proc.suspend inferred=false
      +60s    delegate.did_finish_launching for 1ms
      +10ms   delegate.did_become_active for 1ms
      +1s     bgtask.begin token=7
      +1s     bgtask.expire for 1ms token=7
      +5.000000001s  trace.marker text=late  # here
      """),
    .violates(
      "The app is suspended with the task open.", reasons: ["open-at-suspend"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +30s    proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +2s     bgtask.end token=7
      """),
    .violates(
      "A complete recording ends with a task that was open a nanosecond more than five seconds.",
      reasons: ["open-at-end"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +5.000000001s  trace.end reason=clean  # here
      """),
    .violates(
      "The work and the expiration handler both end the task.", reasons: ["double-end"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7
      +1s @3  bgtask.end token=7  # here
      \(Step.end)
      """),
    .violates(
      "A token is ended that no task of this launch had; the real one stays open.",
      reasons: ["unknown-token"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=8  # here
      +1s     bgtask.end token=7
      """),
    .violates(
      "A token of the launch before means nothing in this one.", reasons: ["unknown-token"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7
      +1s     proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(Step.launch)
      +1s     bgtask.end token=7  # here
      """),
    .violates(
      "The variable was reset before the end: harmless, and worth a note.",
      reasons: ["end-invalid"],
      """
      \(Step.launch)
      +1s     bgtask.end token=0 is_invalid=true  # here
      """),
    .violates(
      "UIKit's own refusal is evidence, even in a log that begins in mid-life.",
      reasons: ["unknown-token"],
      """
      header os_version=14.2 sdk_linked=14.0
      +0s     trace.start reason=attach
      +1s     bgtask.end token=3 refused=true  # here
      """),
    .violates(
      "UIKit knows no such task, whatever the trace says: then none is open later.",
      reasons: ["unknown-token"],
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7 refused=true  # here
      \(Step.toSuspended)
      """),
    .violates(
      "A system that refuses ends without a reason is believed where the end before it is shown.",
      reasons: ["double-end", "unknown-token"], severities: [.error, .note],
      """
      header os_version=13.1 sdk_linked=13.0
      +0s     trace.start reason=attach
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7
      +1s     bgtask.end token=7 refused=true  # here
      +1s     bgtask.end token=8 refused=true  # here
      """),
    .violates(
      "On a device without multitasking the balance is asked for as well.",
      reasons: ["double-end"],
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s     bgtask.end token=1
      +1s     bgtask.end token=1  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Two tasks overlap and end in any order.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     bgtask.begin token=8
      \(Step.toBackground)
      +1s     bgtask.end token=8
      +1s     bgtask.end token=7
      +1s     proc.suspend inferred=false
      +60s    proc.kill cause=jetsam
      """),
    .holds(
      "A token that is begun again after its end is a new task.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7
      +1s     bgtask.begin token=7
      +1s     bgtask.end token=7
      \(Step.end)
      """),
    .holds(
      "A begin that the system refuses opens nothing.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=0 is_invalid=true
      \(Step.toSuspended)
      """),
    .holds(
      "The handler ends the task in time.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7 has_expiration_handler=true
      \(Step.toBackground)
      +170s   >bgtask.expire token=7
      +5s     bgtask.end token=7
      +1ms    <bgtask.expire
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Tasks of UIKit are not the app's.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7 by=uikit name="Persistent SceneSession Map Update"
      \(Step.toSuspended)
      """),
    .holds(
      "Raw tokens are 64 bits; the largest is a token like any other.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=18446744073709551615
      +1s     bgtask.end token=18446744073709551615
      \(Step.end)
      """),
    .holds(
      "Beginning and ending in the foreground is right and recommended.",
      """
      \(Step.launch)
      +1s @5  bgtask.begin token=1 name=upload
      +20s @6 bgtask.end token=1
      \(Step.end)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Jetsam leaves the app no chance to end its task.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +10s    proc.kill cause=jetsam
      """),
    .unknown(
      "The trace just stops.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +60s    trace.marker text=last
      """),
    .unknown(
      "A recording stopped while a legal task ran in the foreground.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +60s    trace.end reason=clean
      """),
    .unknown(
      "Exactly five seconds in the background are not too long.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +5s     trace.end reason=clean
      """),
    .unknown(
      "The end follows the suspension within the tolerance.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +30s    proc.suspend inferred=false
      +40ms   bgtask.end token=7
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .unknown(
      "The end follows the resume within a second.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +30s    proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +1s     bgtask.end token=7
      +5s     trace.marker text=later
      """),
    .unknown(
      "The token is begun again after the resume: the task was ended, and nobody knows when.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +30s    proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +500ms  bgtask.begin token=7
      +5s     bgtask.end token=7
      """),
    .unknown(
      "From iOS 7 on a locked device is suspended with tasks open.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      \(Step.toBackground)
      +1s     sys.lock cause=button
      +30s    proc.suspend inferred=false
      """),
    .unknown(
      "In mid-life an end may belong to a begin before the recording.",
      """
      +0s     trace.start reason=attach
      +1s     bgtask.end token=4
      """),
    .unknown(
      "The begin was before a gap.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=7
      +1s     trace.lost count=3
      +1s     delegate.did_enter_background for 1ms
      +180s   proc.kill cause=bgtask_expired
      """),
    .unknown(
      "A log that hides one token can't prove that another was never begun.",
      """
      header os_version=14.2 sdk_linked=14.0
      \(Step.launch)
      +1s     bgtask.begin token="<private>" name=upload
      +1s     bgtask.end token=9
      \(Step.end)
      """),
  ]
}
