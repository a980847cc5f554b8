// LC605: an audio interruption begins, and the app goes on as if nothing had happened.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC605 {
  static let rule = Rule(
    id: "LC605",
    slug: "background-mode/audio-interruption-unhandled",
    severity: .note,
    summary: "An app whose audio is interrupted stops its streams or lets its session go.",
    rationale: """
      When a call or an alarm takes the sound, the system has stopped the app's session already. \
      An app that doesn't notice shows a player that runs and starts again at the wrong moment.
      """,
    consequence: "After the interruption the player is out of step, and often silent.",
    advice: """
      Observe AVAudioSessionInterruptionNotification: stop at its beginning, and start again at \
      its end if the system says that you should.
      """,
    sources: [.appStates("Playing and Recording Background Audio")],
    needs: ["audio"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 2_000_000_000, .toolDefault)],
    facts: [.playing, .recording],
    clauses: [
      Clause(
        .note,
        .expect(
          Expect(
            opens: [
              .on(
                .audioInterruption,
                where: .all([
                  .not(.isText(.phase, ["ended"])), .not(.isText(.kind, ["route_change"])),
                ]),
                while: .any([.anyFact("playing"), .anyFact("recording")]))
            ],
            closes: [
              .on(.audioPlay, .audioRecord, where: .isText(.op, ["stop"])),
              .on(.audioSession, where: .isText(.op, ["deactivate"])),
              .end(.audioInterruption),
            ],
            due: [.within(.parameter("limit"))], per: .event)),
        message: "{limit} after the interruption began the app's audio was still active")
    ],
    examples: violating + holding + [
      .unknown(
        "The trace stops before the time is over.",
        """
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        +1s     >audio.interruption phase=began
        +1s     trace.marker text=last
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "The player runs on for five seconds.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     >audio.interruption phase=began
      +5s     trace.marker text=later  # here
      """),
    .violates(
      "A recording is stopped a nanosecond too late; every interruption counts.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     audio.record op=start stream=1
      +1s     audio.interruption phase=began kind=interruption
      +2.000000001s  audio.record op=stop stream=1  # here
      +1s     audio.interruption phase=ended kind=interruption
      +1s     audio.record op=start stream=1
      +1s     audio.interruption phase=began kind=interruption
      +3s     audio.interruption phase=ended kind=interruption  # here
      """),
    .violates(
      "Another session operation isn't a way to let go.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     >audio.interruption
      +1s     audio.session op=configure category=playback
      +2s     <audio.interruption  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The app stops at the beginning and starts again at the end.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     >audio.interruption
      +1s     audio.play op=stop stream=1
      +9s     <audio.interruption
      +1s     audio.play op=start stream=1 audible=true
      +9s     trace.marker text=later
      """),
    .holds(
      "A recording is stopped after exactly two seconds.",
      """
      \(Step.launch)
      +1s     audio.record op=start stream=1
      +1s     >audio.interruption phase=began
      +2s     audio.record op=stop stream=1
      +9s     <audio.interruption
      """),
    .holds(
      "The session is let go.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     >audio.interruption phase=began
      +1s     audio.session op=deactivate
      +9s     <audio.interruption
      """),
    .holds(
      "The interruption is over in time, as a span or in two lines.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     >audio.interruption phase=began
      +1s     <audio.interruption
      +9s     audio.interruption phase=began kind=interruption
      +1s     audio.interruption phase=ended kind=interruption
      +9s     trace.marker text=later
      """),
    .holds(
      "Nothing was played or recorded.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     audio.record op=start stream=2
      +1s     audio.play op=stop stream=1
      +1s     audio.record op=stop stream=2
      +1s     >audio.interruption phase=began
      +9s     <audio.interruption
      """),
    .holds(
      "Who plugs in headphones goes on listening.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     audio.interruption phase=began kind=route_change
      +9s     trace.marker text=later
      """),
  ]
}
