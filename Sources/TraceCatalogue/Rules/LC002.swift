// LC002: app code runs while the app is suspended, or relies on running after its time.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC002 {
  private static let savingClasses = FieldTest.isText(
    .class, ["save", "db", "download", "upload", "critical"])

  static let rule = Rule(
    id: "LC002",
    slug: "suspension/work-after-suspension",
    severity: .error,
    summary: """
      No app code runs while the app is suspended, and none relies on running after the app has \
      lost its last reason to run.
      """,
    rationale: """
      A suspended app stays in memory but gets no processor time, and it may be purged without \
      notice. Code that is seen running then shows that the app relies on time it doesn't have; \
      work that a suspension cuts in two is lost if the app never comes back.
      """,
    consequence: """
      A suspended app gets no time: its work stands still, perhaps for hours, and is lost if the \
      system purges the app meanwhile.
      """,
    advice: """
      Protect work that must finish with a background task and end the task when it is done; stop \
      timers and queues when the background is entered.
      """,
    sources: [
      RuleSource("App Programming Guide for iOS, App States and Multitasking", "Suspended"),
      RuleSource("App Programming Guide for iOS, App States and Multitasking", "App Termination"),
      RuleSource(
        "Understanding iOS 4 Backgrounding and Delegate Messaging (Cocoanetics)",
        "readers' comments"),
    ],
    needs: ["proc", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter("grace", .nanoseconds, 5_000_000_000, .toolDefault, limits: .suspendLatency)
    ],
    clauses: [
      Clause(
        reason: "observed", .error,
        .never(
          Never(
            EventPattern(.appWork, edge: .any, while: .phase([.suspended])), per: .background,
            ignoresCallbacksWhileSuspended: true)),
        message: "{what} ran on {thread}, {since}"),
      Clause(
        reason: "predicted", .warning,
        needs: ["bgtask", "audio", "loc", "voip", "ea", "bt", "completion", "wake", "bgsched"],
        .never(
          Never(
            EventPattern(
              .appWork, edge: .any,
              while: .all([
                .phase([.background]), .not(.mayRun), .header(.declares(.backgroundModes)),
              ])),
            per: .background, silentUnderDebugger: true)),
        evidence: .suspensionOrHeartbeat,
        message: "{what} ran on {thread}, {since}, with no reason left to run in the background"),
      Clause(
        reason: "straddled", .warning,
        .expect(
          Expect(
            opens: [
              .on(.workSpan, where: .all([savingClasses, .not(.isPresent(.session))])),
              .on(.dataSave),
            ],
            isSpan: true, due: [.suspension(inferred: false), .suspension(inferred: true)],
            per: .background)),
        message:
          """
          {what} on {thread} was still under way, {duration} after it began, when the app was \
          suspended
          """
      ),
    ],
    clausesAreIndependent: true,
    examples: [
      .violates(
        "A timer fires on a second thread, a second into the suspension.", reasons: ["observed"],
        """
        \(Step.launch)
        \(Step.toSuspended)
        +1s @3  work.timer_fire for 1ms timer=1  # here
        +10s    proc.resume inferred=false reason=user_icon
        \(Step.toForeground)
        """),
      .violates(
        "51 ms after the suspension is outside the tolerance.", reasons: ["observed"],
        """
        \(Step.launch)
        \(Step.toSuspended)
        +51ms @3  trace.marker text=late  # here
        +10s      proc.resume inferred=false reason=user_icon
        """),
      .violates(
        "A profiler's sample shows a thread that runs.", reasons: ["observed"],
        """
        \(Step.launch)
        \(Step.toSuspended)
        +5s     work.sample thread=4 label=profiler  # here
        +10s    proc.resume inferred=false reason=user_icon
        """),
      .violates(
        "A process that is killed while suspended must not have run before either.",
        reasons: ["observed"],
        """
        \(Step.launch)
        \(Step.toSuspended)
        +5s @3  file.access handle=1 op=write  # here
        +1ms    proc.kill cause=jetsam
        """),
      .violates(
        "Drawing while suspended is told by this rule.", reasons: ["observed"],
        """
        \(Step.launch)
        \(Step.toSuspended)
        +5s @3  gl.call context=1 kind=draw  # here
        +5s     proc.resume inferred=false reason=user_icon
        """),
      .violates(
        "Twenty seconds after the task ended the app still works; the trace holds a suspension.",
        reasons: ["predicted"],
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +5s     bgtask.end token=1
        +20s @3 trace.marker text="poll"  # here
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "A nanosecond after the grace.", reasons: ["predicted"],
        """
        \(Step.launch)
        \(Step.toBackground)
        +5.000000001s @3  trace.marker text="poll"  # here
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "While a call interrupts the sound, and it is stopped, nothing lets the app run.",
        reasons: ["predicted"],
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        +60s    >audio.interruption kind=call phase=began
        +10ms   audio.play op=stop stream=1
        +20s @3 trace.marker text="poll"  # here
        +10s    <audio.interruption
        +1s     audio.play op=start stream=1 audible=true
        +60s    audio.play op=stop stream=1
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "A save is cut in two by the suspension.", reasons: ["straddled"],
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s @3  >data.save store=notes kind=user_data
        +1s     proc.suspend inferred=false  # here
        +60s    proc.resume inferred=false reason=user_icon
        +1s @3  <data.save
        """),
      .violates(
        "An upload of the app's own is cut in two.", reasons: ["straddled"],
        """
        \(Step.launch)
        +1s @3  >work.span id=9 class=upload label=photos
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        """),
      .violates(
        "One report for each stay, whatever the number of events.",
        reasons: ["observed", "observed"],
        """
        \(Step.launch)
        \(Step.toSuspended)
        +1s @3  trace.marker text=a  # here
        +1s @4  trace.marker text=b
        +1s @3  trace.marker text=c
        +10s    proc.resume inferred=false reason=fetch
        +1s     proc.suspend inferred=false
        +1s @3  trace.marker text=d  # here
        +10s    proc.resume inferred=false reason=user_icon
        \(Step.toForeground)
        """),
      .holds(
        "Twenty seconds of work under a task, then the suspension.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +1s @3  >work.span id=1 class=save protects_token=1
        +20s @3 <work.span
        +1ms    bgtask.end token=1
        +100ms  proc.suspend inferred=false
        """),
      .holds(
        "Work in the grace, to its last nanosecond.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +5s @3  trace.marker text="last"
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Within 50 ms of the suspension or of the resume the observer's clock decides nothing.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +50ms @3  trace.marker text=before
        +10s @3   trace.marker text=after
        +50ms     proc.resume inferred=false reason=user_icon
        \(Step.toForeground)
        """),
      .holds(
        "A heartbeat is the recorder's own.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +5s     work.sample thread=9 label=heartbeat
        +10s    proc.resume inferred=false reason=user_icon
        """),
      .holds(
        "A callback that the system makes during a suspension, and what runs inside it.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +5s     >loc.update service=significant
        +1ms    trace.marker text="new place"
        +1ms    <loc.update
        +10s    proc.resume inferred=false reason=user_icon
        """),
      .holds(
        "A transfer of a background session goes on without the app.",
        """
        \(Step.launch)
        +1s @3  >work.span id=9 class=download session=com.example.bg
        \(Step.toSuspended)
        +60s    proc.resume inferred=false reason=user_icon
        +1s @3  <work.span
        """),
      .holds(
        "Audio in service is a reason to run.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        +60s @3 trace.marker text="next track"
        +1s     audio.play op=stop stream=1
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "The system tells a player that an interruption is over: it may take up its sound again.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio] refresh_status=available
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        +60s    >audio.interruption kind=call phase=began
        +10ms   audio.play op=stop stream=1
        +30s    <audio.interruption
        +5s     audio.session op=activate
        +10ms   audio.play op=start stream=1 audible=true
        +60s    audio.interruption kind=call phase=began
        +10ms   audio.play op=stop stream=1
        +30s    audio.interruption kind=call phase=ended
        +10ms   audio.session op=activate
        +10ms   audio.play op=start stream=1 audible=true
        +60s    audio.play op=stop stream=1
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "A save that returns within the tolerance was done in time.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s @3    >data.save store=notes kind=user_data
        +1s       proc.suspend inferred=false
        +30ms @3  <data.save
        +10s      proc.resume inferred=false reason=user_icon
        """),
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
        """),
      .holds(
        "Under a debugger nothing is suspended, so nothing is predicted.",

        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[] debugger_attached=true
        \(Step.launch)
        \(Step.toBackground)
        +20s @3 trace.marker text="poll"
        +1s     proc.suspend inferred=false
        """),
      .unknown(
        "The trace holds neither a suspension nor a heartbeat: nobody knows when the app ran.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +20s @3 trace.marker text="poll"
        """),
      .unknown(
        "The header doesn't say which background modes the app declares.",
        """
        header os_version=8.0 sdk_linked=8.0
        \(Step.launch)
        \(Step.toBackground)
        +20s @3 trace.marker text="poll"
        +1s     proc.suspend inferred=false
        """),
    ])
}
