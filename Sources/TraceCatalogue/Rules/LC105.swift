// LC105: a background task stays open in the background longer than the system grants.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC105 {
  static let rule = Rule(
    id: "LC105",
    slug: "background-task/over-budget",
    severity: .warning,
    summary: "A background task is ended before the time that the system grants is over.",
    rationale: """
      Every system grants background tasks a length of time that it doesn't promise anywhere, and \
      newer ones grant less. It runs from the background entry or the begin, whichever is later, \
      and starts anew when the app returns to the foreground. What the app reads as its remaining \
      time is more exact than any table.
      """,
    consequence: "The system ends the app when the time is over with a task open.",
    advice: """
      Do the work in pieces, look at backgroundTimeRemaining between them, and end the task early. \
      Leave long transfers to a background URL session and long computing to a scheduled task.
      """,
    sources: [
      .appStates("Executing a Finite-Length Task in the Background"),
      .reports("permitted background duration in crash reports"),
    ],
    needs: ["bgtask", "delegate", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter(
        "budget", .nanoseconds, 180_000_000_000, .toolDefault, limits: .backgroundTask),
      RuleParameter("budget_ios4", .nanoseconds, 600_000_000_000, .toolDefault),
      RuleParameter("budget_ios13", .nanoseconds, 30_000_000_000, .toolDefault),
    ],
    clauses: [
      Clause(
        .warning, needs: ["audio", "loc"],
        .handWritten(
          .backgroundTaskBudget,
          because: "the deadline of each token moves with what the app reads as its remaining time"
        ),
        evidence: .suspensionOrHeartbeat,
        escalation: Clause.Escalation(
          .error, causes: ["bgtask_expired"], codes: [0x8bad_f00d]),
        message: "{task} was still open after {limit} in the background")
    ],
    explains: ["watchdog-code", "background-task-overtime", "background-task"],
    examples: violating + OverBudgetExamples.violating + holding
      + OverBudgetExamples.holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "Two hundred seconds on iOS 8, which grants a hundred and eighty.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 name=export has_expiration_handler=true
      \(Step.toBackground)
      +200s   bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "One nanosecond too long.",
      """
      header os_version=7.1 sdk_linked=7.0 background_modes=[]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +180.000000001s  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "The time of a task that is begun in the background runs from its begin.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     bgtask.begin token=1
      +180.000000001s  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "iOS 4 grants ten minutes.",
      """
      header os_version=4.3 sdk_linked=4.3 background_modes=[]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +600.000000001s  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "iOS 6 does, too.",
      """
      header os_version=6.1 sdk_linked=6.1 background_modes=[]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +600.000000001s  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "From iOS 13 on half a minute is left.",
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +30.000000001s  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "An app with scenes gets the same half minute, and is killed for it.", severities: [.error],
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +1s     bgtask.begin token=1
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   scene.did_enter_background for 20ms scene=main
      +25s    work.sample thread=9 label=heartbeat
      +7s     proc.kill cause=bgtask_expired  # here
      """),
    .violates(
      "The app read that twenty seconds were left, and took twenty-one.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    state.time_remaining seconds=20.0
      +21s    bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Each task has its own account.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    bgtask.begin token=2
      +175s   bgtask.end token=1  # here
      +10s    bgtask.end token=2  # here
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Silence after the first heartbeat is a suspension, though no second one told the period.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +250ms @9 work.sample label=heartbeat
      +1h @4  work.dispatch queue=x critical=false
      +250ms @9 work.sample label=heartbeat
      +250ms @9 work.sample label=heartbeat
      +250ms @9 work.sample label=heartbeat
      +250ms @9 work.sample label=heartbeat
      +250ms @9 work.sample label=heartbeat
      +250ms @9 work.sample label=heartbeat
      +250ms @9 work.sample label=heartbeat
      +250ms @9 work.sample label=heartbeat
      +1s     bgtask.end token=1
      """),
    .holds(
      "In the foreground no time is counted.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      +400s   bgtask.end token=1
      \(Step.toSuspended)
      """),
    .holds(
      "Exactly the granted time.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +180s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "On iOS 4 two hundred seconds are well within the ten minutes.",
      """
      header os_version=4.3 sdk_linked=4.3 background_modes=[]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +200s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "On iOS 14 exactly thirty seconds.",
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +30s    bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A return to the foreground starts the count anew.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +100s   trace.marker text=half
      \(Step.toForeground)
      \(Step.toBackground)
      +100s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The system said that more time was left.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    state.time_remaining seconds=500.0
      +290s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "While audio plays the countdown doesn't run.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +300s   audio.play op=stop stream=1
      +10s    bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A stream that goes on within the grace has only paused, also when the time runs out then.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +179s   audio.play op=start stream=1
      +60s    audio.play op=stop stream=1
      +4s     audio.play op=start stream=1
      +60s    bgtask.end token=1
      +1s     audio.play op=stop stream=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A token that UIKit begins was ended before, though nobody saw it.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    bgtask.begin token=1 by=uikit
      +200s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "While the location mode is in service the countdown doesn't run either.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
      \(Step.launch)
      +1s     loc.start service=standard
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +300s   loc.stop service=standard
      +10s    bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Time in suspension is no run time.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +100s   proc.suspend inferred=false
      +300s   proc.resume inferred=false reason=user_icon
      +20s    bgtask.end token=1
      \(Step.toForeground)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The log hides which task was ended.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    bgtask.end token="<private>"
      +190s   trace.marker text=late
      +1s     proc.suspend inferred=false
      """),
    .unknown(
      "The end of the task may have been lost.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    trace.lost count=3
      +1s     proc.suspend inferred=false
      """),
    .unknown(
      "Nobody knows whether audio plays since before the recording.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
      +0s     trace.start reason=attach
      +1s     delegate.did_become_active for 1ms
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +200s   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .unknown(
      "The trace stops while the time runs.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    work.sample thread=9 label=heartbeat
      """),
    .unknown(
      "Without a suspension or a heartbeat nobody knows for how long the app ran.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +200s   bgtask.end token=1
      \(Step.end)
      """),
  ]
}
