// LC612: a VoIP app holds its audio session while nobody calls.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC612 {
  private static let activated = Fact(
    "session", set: [.on(.audioSession, where: .isText(.op, ["activate"]))],
    clear: [
      .on(.audioSession, where: .isText(.op, ["deactivate"])),
      .on(.audioInterruption, where: .not(.isText(.kind, ["route_change"]))),
    ])

  private static let calling = Fact(
    "call", set: [.on(.voipCall)], clear: [.end(.voipCall)], nests: true)

  private static let isVoIP = HeaderTest.any([
    .isText(.appKind, ["voip"]), .has(.backgroundModes, "voip"),
  ])

  static let rule = Rule(
    id: "LC612",
    slug: "background-mode/voip-audio-session-held",
    severity: .note,
    summary: """
      A VoIP app keeps its audio session active only for a call, or while it plays or records.
      """,
    rationale: """
      A telephone app is silent most of the time. A session that stays active in between keeps the \
      music of other apps off, or makes it quieter, for nothing.
      """,
    consequence: "Other apps can't play, or are ducked, until the session is deactivated.",
    advice: """
      Activate the session when a call or its ringing begins, and deactivate it, with \
      notifyOthersOnDeactivation, as soon as the call is over.
      """,
    sources: [.iOS4Guide("Configuring Your Application's Audio Session")],
    needs: ["audio", "voip"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 10_000_000_000, .toolDefault)],
    facts: [activated, calling, .playing, .recording],
    clauses: [
      Clause(
        .note,
        .lasts(
          Lasts(
            .condition(
              .all([
                .header(isVoIP), .fact("session"), .not(.fact("call")),
                .not(.anyFact("playing")), .not(.anyFact("recording")),
              ])),
            max: .parameter("limit"), per: .launch)),
        message: "The audio session was active for more than {limit} without a call or any sound")
    ],
    examples: violating + holding + undecided)

  private static let header = "header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]"

  private static let violating: [RuleExample] = [
    .violates(
      "The session is activated at launch and kept.",
      """
      \(header)
      \(Step.launch)
      +1s     audio.session op=activate category=playAndRecord
      +60s    trace.marker text=idle  # here
      \(Step.end)
      """),
    .violates(
      "A nanosecond too long.",
      """
      \(header)
      \(Step.launch)
      +1s     audio.session op=activate
      +10.000000001s  audio.session op=deactivate  # here
      """),
    .violates(
      "The call is over, the session isn't.",
      """
      \(header)
      \(Step.launch)
      +1s     >voip.call id=1
      +10ms   audio.session op=activate
      +300s   <voip.call
      +11s    audio.session op=deactivate  # here
      """),
    .violates(
      "The ringing has ended, and so has the recorded message.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[] app_kind=voip
      \(Step.launch)
      +1s     audio.session op=activate
      +10ms   audio.play op=start stream=1
      +10ms   audio.record op=start stream=2
      +60s    audio.play op=stop stream=1
      +1s     audio.record op=stop stream=2
      +11s    audio.session op=deactivate  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The session is held for a call and released after it.",
      """
      \(header)
      \(Step.launch)
      +1s     >voip.call id=1
      +10ms   audio.session op=activate
      +600s   <voip.call
      +1s     audio.session op=deactivate
      +60s    trace.marker text=idle
      """),
    .holds(
      "Exactly ten seconds are allowed.",
      """
      \(header)
      \(Step.launch)
      +1s     audio.session op=activate
      +10s    audio.session op=deactivate
      """),
    .holds(
      "Playing and recording need the session.",
      """
      \(header)
      \(Step.launch)
      +1s     audio.session op=activate
      +10ms   audio.play op=start stream=1
      +60s    audio.record op=start stream=2
      +10ms   audio.play op=stop stream=1
      +60s    audio.record op=stop stream=2
      +1s     audio.session op=deactivate
      """),
    .holds(
      "An interruption takes the session away.",
      """
      \(header)
      \(Step.launch)
      +1s     audio.session op=activate
      +1s     >audio.interruption kind=interruption phase=began
      +60s    <audio.interruption
      +60s    trace.marker text=idle
      """),
    .holds(
      "Two short stretches, before a call and after it, aren't one long one.",
      """
      \(header)
      \(Step.launch)
      +1s     audio.session op=activate
      +6s     >voip.call id=1
      +60s    <voip.call
      +6s     audio.session op=deactivate
      """),
    .holds(
      "A music app may hold its session.",
      """
      \(Step.launch)
      +1s     audio.session op=activate
      +60s    trace.marker text=paused
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "In mid-life a call may be in progress that began before the recording.",
      """
      \(header)
      +0s     trace.start reason=attach
      +1s     audio.session op=activate
      +60s    trace.marker text=later
      """)
  ]
}
