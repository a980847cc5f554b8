// LC622: the app works in the background although Background App Refresh is off.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC622 {
  /// The grace is over since the background was entered, or the last thing ended that the setting
  /// leaves alone. Callbacks of the modes that it takes away give no further time.
  private static let left = Fact(
    "left",
    set: [
      .end(.delegateDidEnterBackground, .wakeWindow, .voipCall, .bgschedExpire),
      .end(.delegateDidFinishLaunching, while: .phase([.background])),
      .on(.procResume, .bgtaskEnd, .bgschedComplete, .procAssertion, .sysRefreshChanged),
    ],
    after: .nanoseconds(5_000_000_000))

  static let rule = Rule(
    id: "LC622",
    slug: "background-mode/refresh-denied-work",
    severity: .warning,
    summary: """
      With Background App Refresh off an app does nothing in the background but what a background \
      task protects.
      """,
    rationale: """
      The user, or a restriction, has taken the background modes away. What is left is the moment \
      after the background was entered, and the time of background tasks.
      """,
    consequence: """
      The app is suspended as soon as it enters the background: what it had begun stands still, \
      and fetches, silent pushes and location don't wake it.
      """,
    advice: """
      Ask backgroundRefreshStatus at launch, finish work under a background task, and catch up \
      when the app comes to the front.
      """,
    sources: [.xamarin("Background App Refresh Settings")],
    needs: ["delegate"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: [left],
    clauses: [
      Clause(
        .warning, needs: ["wake"],
        .never(
          Never(
            .on(
              .wakeWindow,
              where: .isText(.reason, ["fetch", "remote_notification", "location"]),
              while: .isRefreshOff),
            per: .background)),
        message: "{what} came ({reason}) although Background App Refresh is off"),
      Clause(
        .warning, needs: ["proc", "bgtask", "voip", "ea", "bt", "wake", "bgsched"],
        .never(
          Never(
            EventPattern(
              .appWork, edge: .any,
              while: .all([.phase([.background]), .isRefreshOff, .not(.mayRun)])),
            per: .background, silentUnderDebugger: true)),
        evidence: .suspensionOrHeartbeat,
        message: "{what} ran on {thread}, {since}, although Background App Refresh is off"),
      Clause(
        .warning,
        needs: ["proc", "bgtask", "audio", "loc", "voip", "wake", "bgsched"],
        .never(
          Never(
            .any(
              .audioCallback, .locUpdate, .delegatePerformFetch,
              while: .all([
                .phase([.background]), .isRefreshOff, .fact("left"),
                .not(
                  .hasReason([.task, .uikitTask, .wake, .scheduledRun, .call, .assertion])),
              ])),
            per: .background, silentUnderDebugger: true)),
        evidence: .suspensionOrHeartbeat,
        message: "{what} came {since}, although Background App Refresh is off"),
    ],
    examples: violating + callbacks + holding + undecided)

  private static let denied =
    "header os_version=7.0 sdk_linked=7.0 refresh_status=denied background_modes=[fetch,audio]"

  private static let violating: [RuleExample] = [
    .violates(
      "The app is woken for a fetch that the user has forbidden.",
      """
      \(denied)
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    >wake.window reason=fetch  # here
      +1s     <wake.window
      """),
    .violates(
      "A parent has forbidden it; no wake-up is right then.", reasons: [nil, nil],
      """
      header os_version=8.0 sdk_linked=8.0 refresh_status=restricted background_modes=[location]
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=location
      +1ms    >wake.window reason=location  # here
      +1s     <wake.window
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=remote_notification
      +1ms    >wake.window reason=remote_notification  # here
      +1s     <wake.window
      """),
    .violates(
      "Twenty seconds after the background was entered a queue still works.",
      """
      \(denied)
      \(Step.launch)
      \(Step.toBackground)
      +20s @3 trace.marker text=sync  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "The setting is changed while the app runs; music is no reason any more.",
      """
      header os_version=7.0 sdk_linked=7.0 refresh_status=available background_modes=[audio]
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     sys.refresh_changed status=denied
      \(Step.toBackground)
      +5.000000001s @3  net.io socket=1 bytes=100  # here
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let callbacks: [RuleExample] = [
    .violates(
      "Nothing runs but the callbacks of the sound: they are background processing, too.",
      """
      \(denied)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +4s @3  audio.callback for 1ms stream=1
      +1.000000001s @3  audio.callback stream=1  # here
      +1s @3  audio.callback for 1ms stream=1
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A place that the app is told of, and a fetch that outlasts its time.", reasons: [nil, nil],
      """
      \(denied)
      \(Step.backgroundLaunch)
      +4s     loc.update for 1ms
      +4s     loc.update for 1ms  # here
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=fetch
      +1s     >delegate.perform_fetch completion_id=1
      +9s     <delegate.perform_fetch  # here
      """),
    .holds(
      "Under a task the callbacks are honoured, and so is the grace after it, and after others.",
      """
      \(denied)
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +20s @3 audio.callback for 1ms stream=1
      +1s     bgtask.end token=1
      +5s @3  audio.callback stream=1
      +10ms   bgtask.begin token=2 by=uikit
      +9s @3  audio.callback for 1ms stream=1
      +1s     bgtask.end token=2
      +5s @3  audio.callback stream=1
      +10ms   >wake.window reason=voip_socket
      +9s @3  audio.callback for 1ms stream=1
      +1ms    <wake.window
      +5s @3  audio.callback stream=1
      +10ms   >voip.call id=1
      +9s @3  audio.callback for 1ms stream=1
      +1ms    <voip.call
      +5s @3  audio.callback stream=1
      +10ms   proc.assertion op=acquire id=1
      +9s @3  audio.callback for 1ms stream=1
      +1ms    proc.assertion op=release id=1
      +5s @3  audio.callback stream=1
      +10ms   >bgsched.run identifier=a kind=processing
      +9s @3  audio.callback for 1ms stream=1
      +1ms    bgsched.complete identifier=a
      +5s @3  audio.callback stream=1
      +10ms   >bgsched.run identifier=b kind=processing
      +1ms    >bgsched.expire identifier=b
      +9s @3  audio.callback for 1ms stream=1
      +1ms    <bgsched.expire
      +5s @3  audio.callback stream=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The setting is changed in the background; in front, and at the end, callbacks may come.",
      """
      header os_version=7.0 sdk_linked=7.0 refresh_status=available background_modes=[audio]
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +60s    sys.refresh_changed status=denied
      +5s @3  audio.callback stream=1
      +10ms   >delegate.will_enter_foreground
      +9s @3  audio.callback for 1ms stream=1
      +1ms    <delegate.will_enter_foreground
      +10ms   delegate.did_become_active for 1ms
      +60s @3 audio.callback for 1ms stream=1
      \(Step.toBackground)
      +5s @3  audio.callback stream=1
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +5s @3  audio.callback stream=1
      +1ms    proc.suspend inferred=false
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Background tasks are honoured, whatever the setting says.",
      """
      \(denied)
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +20s @3 >work.span id=1 class=save protects_token=1
      +1s @3  <work.span
      +10ms   bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The last moment before the suspension is free.",
      """
      \(denied)
      \(Step.launch)
      \(Step.toBackground)
      +5s @3  trace.marker text=last
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Where the setting is on, other rules judge what the app does.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +20s @3 trace.marker text=sync
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=fetch
      +1ms    >wake.window reason=fetch
      +1s     <wake.window
      """),
    .holds(
      "The user switched it on again.",
      """
      \(denied)
      \(Step.launch)
      +1s     sys.refresh_changed status=available
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    >wake.window reason=fetch
      +1s     <wake.window
      """),
    .holds(
      "The setting doesn't touch accessories.",
      """
      \(denied)
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=external_accessory
      +1ms    >wake.window reason=external_accessory
      +6s     ea.data for 1ms accessory=1
      +1s     <wake.window
      """),
    .holds(
      "In the foreground the app may do what it likes.",
      """
      \(denied)
      \(Step.launch)
      +60s    trace.marker text=sync
      \(Step.toSuspended)
      """),
    .holds(
      "Under a debugger nothing is suspended.",
      """
      \(denied) debugger_attached=true
      \(Step.launch)
      \(Step.toBackground)
      +20s @3 trace.marker text=sync
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace holds neither a suspension nor a heartbeat.",
      """
      \(denied)
      \(Step.launch)
      \(Step.toBackground)
      +20s @3 trace.marker text=sync
      """),
    .unknown(
      "The header is silent about the setting.",
      """
      header os_version=7.0 sdk_linked=7.0 background_modes=[fetch]
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    >wake.window reason=fetch
      +1s     <wake.window
      """),
  ]
}
