// LC622: the app works in the background although Background App Refresh is off.

import TraceLifecycle
import TraceModel

enum LC622 {
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
    ],
    examples: violating + holding + undecided)

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
