// LC110: critical work is under way at the background entry without a background task.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC110 {
  private static let others: Set<RunReason> = [
    .audio, .location, .wake, .completion, .scheduledRun, .call, .assertion, .uikitTask,
  ]

  private static func clause(_ token: FieldTest, _ unprotected: [Condition]) -> Clause {
    let isCritical = FieldTest.isText(.class, ["save", "db", "download", "upload", "critical"])
    return Clause(
      .warning, needs: ["audio", "loc", "voip", "completion", "wake", "bgsched"],
      .expect(
        Expect(
          opens: [.on(.workSpan, where: .all([isCritical, token, .not(.isPresent(.session))]))],
          key: [.argument(.protectsToken)], isSpan: true,
          due: [
            .after(
              [
                .end(
                  .delegateDidEnterBackground,
                  while: .all(unprotected + [.not(.hasReason(others))]))
              ],
              .nanoseconds(5_000_000_000), orSuspension: true)
          ],
          per: .background)),
      message: "{what} on {thread} was under way without a background task when the app left")
  }

  static let rule = Rule(
    id: "LC110",
    slug: "background-task/critical-work-unprotected",
    severity: .warning,
    summary: "Critical work that is under way when the background is entered has an open task.",
    rationale: """
      The user leaves whenever they like. From then on the app runs for a few seconds unless a \
      task, a service or a wake-up gives it a reason to go on, and work without one is cut in two \
      wherever it happens to be.
      """,
    consequence: """
      A save, a database change or a transfer stands still in the middle, and what was written so \
      far may be incomplete when the app is purged.
      """,
    advice: """
      Begin a background task before any work that must finish, in the foreground too, and end it \
      with the work. Leave transfers to a background URL session.
      """,
    sources: [.iOS4Guide("Completing a Long-Running Task in the Background")],
    needs: ["work", "bgtask", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [.taskOpen],
    clauses: [
      clause(.isPresent(.protectsToken), [.not(.fact("task open"))]),
      clause(.not(.isPresent(.protectsToken)), [.not(.hasReason([.task]))]),
    ],
    examples: violating + holding + services)

  private static let violating: [RuleExample] = [
    .violates(
      "A download is cut in two a second after the user left.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=download
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "Nobody saw a suspension, but five seconds later the save still goes on.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=save
      \(Step.toBackground)
      +5.000000001s @3  <work.span  # here
      """),
    .violates(
      "A database change, an upload and critical work, in three stays in the background.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=db
      \(Step.toBackground)
      +6s @3  <work.span  # here
      \(Step.toForeground)
      +1s @3  >work.span id=2 class=upload
      \(Step.toBackground)
      +6s @3  <work.span  # here
      \(Step.toForeground)
      +1s @3  >work.span id=3 class=critical
      \(Step.toBackground)
      +6s @3  <work.span  # here
      """),
    .violates(
      "The task that the work names is ended; another one doesn't stand for it.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1s     bgtask.begin token=2
      +1ms @3 >work.span id=1 class=upload protects_token=1
      +1s     bgtask.end token=1
      \(Step.toBackground)
      +5.000000001s @3  <work.span  # here
      +1s     bgtask.end token=2
      """),
    .violates(
      "A task that is begun after the entry comes too late.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=upload
      \(Step.toBackground)
      +1s     bgtask.begin token=1
      +9s @3  <work.span  # here
      +1s     bgtask.end token=1
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Work that one line tells is itself; another piece that it crosses can't be followed.",
      """
      \(Step.launch)
      +1s @3  work.span for 2s id=1 class=save
      +1s @3  >work.span id=2 class=housekeeping
      +500ms  delegate.will_resign_active for 1ms
      +10ms   delegate.did_enter_background for 20ms
      +6s @3  <work.span
      """),
    .holds(
      "The work runs under its task.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1ms @3 >work.span id=1 class=download protects_token=1
      \(Step.toBackground)
      +20s @3 <work.span
      +1ms    bgtask.end token=1
      """),
    .holds(
      "The task is begun in the callback, before it returns; the work names none.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=download
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms   bgtask.begin token=1
      +10ms   <delegate.did_enter_background
      +20s @3 <work.span
      +1ms    bgtask.end token=1
      """),
    .holds(
      "The work is done within the grace.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=save
      \(Step.toBackground)
      +5s @3  <work.span
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The task that the work names is ended, and five seconds are enough for the rest.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +1ms @3 >work.span id=1 class=upload protects_token=1
      +1s     bgtask.end token=1
      \(Step.toBackground)
      +5s @3  <work.span
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Work of other classes may be cut in two.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=housekeeping
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      +1s @3  <work.span
      """),
    .holds(
      "A transfer of a background session is the system's work.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=download session=com.example.bg
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      +1s @3  <work.span
      """),
    .holds(
      "What begins in the background was not under way at the entry.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s @3  >work.span id=1 class=save
      +9s @3  <work.span
      """),
    .unknown(
      "The trace stops within the grace.",
      """
      \(Step.launch)
      +1s @3  >work.span id=1 class=save
      \(Step.toBackground)
      +2s     trace.marker text=last
      """),
  ]

  private static func service(_ remark: String, _ line: String, mode: String) -> RuleExample {
    .holds(
      remark,
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[\(mode)]
      \(Step.launch)
      \(line)
      +1s @3  >work.span id=1 class=upload
      \(Step.toBackground)
      +9s @3  <work.span
      """)
  }

  private static let services: [RuleExample] = [
    service(
      "Audio in service is a reason to run.", "+1s     audio.play op=start stream=1",
      mode: "audio"),
    service(
      "Location in service is a reason to run.", "+1s     loc.start service=standard",
      mode: "location"),
    service(
      "A completion handler is still to be called.",
      "+1s     delegate.did_receive_remote_notification for 1ms completion_id=1",
      mode: "remote-notification"),
    service(
      "A scheduled task is in force.", "+1s     >bgsched.run identifier=index kind=processing",
      mode: "processing"),
    service("A call is in progress.", "+1s     >voip.call id=1", mode: "voip"),
    service(
      "The process holds an assertion.", "+1s     proc.assertion op=acquire id=a", mode: "fetch"),
    service(
      "A task of UIKit's own keeps the app running.", "+1s     bgtask.begin token=9 by=uikit",
      mode: "fetch"),
    .holds(
      "The system wakes the app just while it enters the background.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[remote-notification]
      \(Step.launch)
      +1s @3  >work.span id=1 class=upload
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10ms @9  >wake.window id=1 reason=remote_notification
      +10ms   <delegate.did_enter_background
      +9s @3  <work.span
      +1s @9  <wake.window id=1
      """),
  ]
}
