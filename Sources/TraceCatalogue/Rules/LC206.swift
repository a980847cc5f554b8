// LC206: an app without a continuing service runs long in the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC206 {
  private static let audio = Condition.all([
    .header(.has(.backgroundModes, "audio")), .any([.anyFact("playing"), .anyFact("recording")]),
  ])
  private static let location = Condition.all([
    .header(.has(.backgroundModes, "location")), .anyFact("locating"),
  ])
  private static let isServing = Condition.any([
    audio, location, .anyFact("woken"), .anyFact("scheduled"), .anyFact("calling"),
  ])

  static let rule = Rule(
    id: "LC206",
    slug: "suspension/long-background-run",
    severity: .note,
    summary: "An app without a continuing service becomes quiet soon after the background entry.",
    rationale: """
      The background is a place to finish, not to work on. An app that neither plays, records, \
      locates nor was woken for something, and still runs half a minute later, is kept awake by \
      its own background tasks.
      """,
    consequence: """
      The battery drains, the user sees the app among those that drain it, and the system may \
      throttle or end it.
      """,
    advice: """
      End background tasks as soon as their work is done. Leave transfers to a background URL \
      session and maintenance to a scheduled task.
      """,
    sources: [.backgroundExecution("Executing Finite-Length Tasks")],
    needs: ["delegate", "proc", "audio", "loc", "wake", "bgsched", "voip"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 30_000_000_000, .toolDefault)],
    facts: [
      .playing, .recording, .locating,
      Fact(
        "woken", set: [.on(.wakeWindow)],
        clearAll: [.end(.wakeWindow), .on(.procSuspend, .delegateWillEnterForeground)]),
      Fact(
        "scheduled", set: [.on(.bgschedRun)],
        clear: [.on(.bgschedComplete), .end(.bgschedExpire)], clearAll: [.on(.procSuspend)],
        key: [.argument(.identifier)]),
      Fact("calling", set: [.on(.voipCall)], clear: [.end(.voipCall)]),
    ],
    clauses: [
      Clause(
        .note,
        .lasts(
          Lasts(
            .condition(.all([.phase([.background]), .not(isServing)])),
            max: .parameter("limit"), per: .background)),
        evidence: .suspensionOrHeartbeat,
        message: "the app ran for more than {limit} in the background without a continuing service"
      )
    ],
    yields: [Yield(to: "LC105", same: .background)],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "A background task is held for three quarters of a minute.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +45s    bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "One nanosecond too long.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +30.000000001s  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A resume begins a new stay in the background; each is judged on its own.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.toBackground)
      +31s    trace.marker text=a  # here
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=unknown
      +31s    trace.marker text=b  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "The mode is declared, and the player stopped at once, but the app runs on.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +1s     audio.play op=stop stream=1
      +31s    trace.marker text=late  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A recording and a search for the place ended, but the app runs on.", reasons: [nil, nil],
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio,location]
      \(Step.launch)
      +1s     audio.record op=start stream=1
      \(Step.toBackground)
      +1s     audio.record op=stop stream=1
      +31s    trace.marker text=late  # here
      \(Step.toForeground)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +1s     loc.stop service=standard
      +31s    trace.marker text=late  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Playing without the mode is no service.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +31s    audio.play op=stop stream=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Locating without the mode is no service either.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +31s    loc.stop service=standard  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "The wake-up, the scheduled tasks and the call are over.", reasons: [nil, nil, nil, nil],
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[fetch]
      \(Step.launch)
      \(Step.toBackground)
      +1s @9  >wake.window id=1 reason=fetch
      +1s @9  <wake.window id=1
      +31s    trace.marker text=late  # here
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=bg_scheduler
      +1ms @9 >bgsched.run identifier=index kind=processing
      +1s     bgsched.complete identifier=index success=true
      +31s    trace.marker text=late  # here
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=bg_scheduler
      +1ms @9 >bgsched.run identifier=clean kind=processing
      +1s     bgsched.expire for 1ms identifier=clean
      +31.001s  trace.marker text=late  # here
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=pushkit
      +1ms @8 >voip.call id=1
      +1s @8  <voip.call id=1
      +31s    trace.marker text=late  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A suspension, or the user who opens the app, ends what the system began.",
      reasons: [nil, nil, nil],
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[fetch]
      \(Step.launch)
      \(Step.toBackground)
      +1s @9  >wake.window id=1 reason=fetch
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=unknown
      +31s    trace.marker text=late  # here
      +1s @9  >wake.window id=2 reason=fetch
      \(Step.toForeground)
      \(Step.toBackground)
      +31s    trace.marker text=late  # here
      +1s @9  >bgsched.run identifier=index kind=processing
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=unknown
      +31s    trace.marker text=late  # here
      +1s     proc.suspend inferred=false
      """),
  ]

  private static func serving(_ remark: String, mode: String, _ lines: String) -> RuleExample {
    .holds(
      remark,
      """
      header os_version=14.2 sdk_linked=14.0 scene_manifest=false background_modes=[\(mode)]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      \(lines)
      +1s     bgtask.end token=1
      +1s     proc.suspend inferred=false
      """)
  }

  private static let holding: [RuleExample] = [
    .holds(
      "Silence after the first heartbeat is a suspension, though no second one told the period.",
      """
      \(Step.launch)
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
      \(Step.toForeground)
      """),
    .holds(
      "A process that was started ahead waits for ten minutes, and works for none of them.",
      """
      header os_version=15.1 sdk_linked=15.0 background_modes=[]
      +0s     proc.start into=background reason=prewarm
      +10ms   >proc.main
      +600s   sys.user_launch from=icon
      +1s     delegate.did_finish_launching for 1s
      +2s     delegate.did_become_active for 1ms
      \(Step.toBackground)
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Exactly half a minute.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +30s    bgtask.end token=1
      +0s     proc.suspend inferred=false
      """),
    .holds(
      "The foreground between two stays in the background starts the count anew.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +20s    trace.marker text=a
      \(Step.toForeground)
      \(Step.toBackground)
      +20s    trace.marker text=b
      +1s     proc.suspend inferred=false
      """),
    serving(
      "Music plays for an hour.", mode: "audio",
      """
      +1s     audio.play op=start stream=1
      +3600s  audio.play op=stop stream=1
      """),
    serving(
      "A recording goes on for an hour.", mode: "audio",
      """
      +1s     audio.record op=start stream=1
      +3600s  audio.record op=stop stream=1
      """),
    serving(
      "A track is recorded for an hour.", mode: "location",
      """
      +1s     loc.start service=standard
      +3600s  loc.stop service=standard
      """),
    serving(
      "The system woke the app and waits for it.", mode: "fetch",
      """
      +1s @9  >wake.window id=1 reason=fetch
      +40s @9 <wake.window id=1
      """),
    serving(
      "A scheduled task was granted minutes.", mode: "processing",
      """
      +1s @9  >bgsched.run identifier=index kind=processing
      +300s   bgsched.complete identifier=index success=true
      """),
    serving(
      "A call goes on.", mode: "voip",
      """
      +1s @8  >voip.call id=1
      +300s @8  <voip.call id=1
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Without a suspension or a heartbeat nobody knows for how long the app ran.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +45s    trace.marker text=late
      \(Step.end)
      """)
  ]
}
