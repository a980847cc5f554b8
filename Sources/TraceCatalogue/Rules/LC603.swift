// LC603: an app that runs in the background for sound or location does other work.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC603 {
  /// Nothing lets the app run but sound or location; a callback of the two is part of it.
  private static let runsForService: Condition = .all([
    .header(.declares(.backgroundModes)), .phase([.background]), .hasReason([.audio, .location]),
    .not(.hasReason([.task, .wake, .completion, .scheduledRun, .call, .assertion, .uikitTask])),
    .any([.not(.hasReason([.callback])), .anyFact("in a callback of the service")]),
  ])

  static let rule = Rule(
    id: "LC603",
    slug: "background-mode/extraneous-work",
    severity: .warning,
    summary: """
      An app that runs in the background only for sound or location does little else there.
      """,
    rationale: """
      The time is given for the service. Housekeeping, drawing and downloads that the stream or \
      the position doesn't need can wait for the foreground or for a background task.
      """,
    consequence: "The battery drains, and the system throttles the app or ends it.",
    advice: """
      Put such work off until the app is in front again, or do it under a background task of its \
      own.
      """,
    sources: [
      .appStates("Playing and Recording Background Audio"),
      .iOS4Guide("Being a Responsible, Multitasking-Aware Application"),
    ],
    needs: ["work", "audio", "loc", "bgtask", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 500_000_000, .toolDefault)],
    facts: [.inside("in a callback of the service", .audioCallback, .locUpdate)],
    clauses: [
      Clause(
        .warning,
        .sums(
          Sums(
            [
              .on(
                .workSpan, where: .isText(.class, ["noncritical", "housekeeping", "ui"]),
                while: runsForService),
              .on(
                .workSpan, where: .isText(.class, ["download"]),
                while: .all([runsForService, .not(.fact("in a callback of the service"))])),
            ], per: .background, max: .parameter("limit"))),
        message: """
          work that has nothing to do with sound or location took {duration} in the background; \
          {limit} is allowed
          """)
    ],
    examples: violating + holding + [
      .unknown(
        "The header doesn't say which modes the app declares.",
        """
        header os_version=8.0 sdk_linked=8.0
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        +1s     >work.span id=1 class=housekeeping
        +4s     <work.span
        """)
    ])

  private static let services =
    "header os_version=8.0 sdk_linked=8.0 background_modes=[audio,location]"

  private static let violating: [RuleExample] = [
    .violates(
      "Music plays, and the app tidies up for four seconds.",
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1ms    >work.span id=1 class=housekeeping
      +4s     <work.span  # here
      """),
    .violates(
      "A nanosecond too much in sum, on two threads.",
      """
      \(services)
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +1s     work.span for 250ms id=1 class=noncritical
      +1s @3  >work.span id=2 class=ui
      +250.000001ms @3  <work.span  # here
      """),
    .violates(
      "A download after the callbacks, which neither of them asked for.", reasons: [nil, nil],
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1s @3  audio.callback for 1ms stream=1
      +1s @3  >work.span id=1 class=download
      +4s @3  <work.span  # here
      \(Step.toForeground)
      \(Step.toBackground)
      +1s @3  loc.update for 1ms service=standard
      +1s @3  >work.span id=1 class=download
      +4s @3  <work.span  # here
      """),
    .violates(
      "Housekeeping inside the callbacks is housekeeping still.", reasons: [nil, nil],
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1s     >audio.callback stream=1
      +1ms    >work.span id=1 class=housekeeping
      +600ms  <work.span  # here
      +1ms    <audio.callback
      \(Step.toForeground)
      \(Step.toBackground)
      +1s     >loc.update service=standard
      +1ms    >work.span id=2 class=housekeeping
      +600ms  <work.span  # here
      +1ms    <loc.update
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The callback fills its buffer, and the stream's data is fetched.",
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1s     >audio.callback stream=1
      +1ms    >work.span id=1 class=audio_fill
      +600ms  <work.span
      +1ms    <audio.callback
      +1s @3  net.io socket=1 bytes=100000
      """),
    .holds(
      "Downloads inside the callbacks are what the service needs.",
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     loc.start service=standard
      \(Step.toBackground)
      +1s     >audio.callback stream=1
      +1ms    >work.span id=1 class=download
      +600ms  <work.span
      +1ms    <audio.callback
      +1s     >loc.update service=standard
      +1ms    >work.span id=2 class=download
      +600ms  <work.span
      +1ms    <loc.update
      """),
    .holds(
      "Half a second is allowed in each stay in the background.",
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1s     >work.span id=1 class=housekeeping
      +500ms  <work.span
      \(Step.toForeground)
      +1s     >work.span id=2 class=housekeeping
      +900ms  <work.span
      \(Step.toBackground)
      +1s     >work.span id=3 class=housekeeping
      +500ms  <work.span
      """),
    .holds(
      "A background task, a wake-up or a fetch lets the app run, too.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio,fetch]
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s     >work.span id=1 class=housekeeping
      +4s     <work.span
      +1s     bgtask.end token=1
      +1s     >wake.window id=1 reason=fetch
      +1s     >work.span id=2 class=housekeeping
      +4s     <work.span
      +1s     <wake.window
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     >work.span id=3 class=housekeeping
      +4s     <work.span
      +1s     completion.call completion_id=1 result=new_data
      """),
    .holds(
      "Inside another callback the app runs for that.",
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1s     >delegate.did_receive_memory_warning level=critical
      +1ms    >work.span id=1 class=housekeeping
      +900ms  <work.span
      +1ms    <delegate.did_receive_memory_warning
      """),
    .holds(
      "Without the service the app isn't kept awake by it.",
      """
      \(services)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1s     audio.play op=stop stream=1
      +1s     >work.span id=1 class=housekeeping
      +900ms  <work.span
      """),
  ]
}
