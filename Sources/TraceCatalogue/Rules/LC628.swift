// LC628: a call goes on without an audio session.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC628 {
  private static let session = EventPattern.on(
    .audioSession, where: .isText(.op, ["configure", "activate"]))

  static let rule = Rule(
    id: "LC628",
    slug: "background-mode/voip-no-audio-session",
    severity: .warning,
    summary: """
      A VoIP app configures or activates its audio session before a call, or within two seconds of \
      its beginning.
      """,
    rationale: """
      The default session falls silent with the ringer switch, doesn't record, and knows nothing \
      of other calls. A call needs a category for both directions, and hears of interruptions by \
      the session only.
      """,
    consequence: """
      The call has no sound, or ends up on top of the music of another app; interruptions aren't \
      handled.
      """,
    advice: """
      Set the category playAndRecord when the call begins, activate the session, and deactivate it \
      when the call is over.
      """,
    sources: [.appStates("Implementing a VoIP App")],
    needs: ["voip", "audio"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 2_000_000_000, .toolDefault)],
    facts: [Fact("configured", set: [session])],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(
                .voipCall,
                while: .all([
                  .header(.has(.backgroundModes, "voip")), .not(.fact("configured")),
                ]))
            ],
            closes: [session, .end(.voipCall)], due: [.within(.parameter("limit"))],
            per: .launch)),
        message: "A call had gone on for {limit}, and the audio session wasn't configured")
    ],
    examples: [
      .violates(
        "The whole call has no audio session.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]
        \(Step.launch)
        +1s     >voip.call id=1
        +5s     <voip.call  # here
        """),
      .violates(
        "The session comes a nanosecond late.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]
        \(Step.launch)
        +1s     audio.session op=deactivate
        +1s     >voip.call id=1 incoming=true
        +2.000000001s  audio.session op=activate  # here
        +60s    <voip.call
        """),
      .holds(
        "The call activates the session.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]
        \(Step.launch)
        +1s     >voip.call id=1
        +2s     audio.session op=activate
        +60s    <voip.call
        """),
      .holds(
        "The session was configured at launch.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]
        \(Step.launch)
        +1s     audio.session op=configure category=playAndRecord
        +60s    >voip.call id=1
        +60s    <voip.call
        """),
      .holds(
        "A call that is over after a second carried no sound.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]
        \(Step.launch)
        +1s     >voip.call id=1 incoming=true
        +1s     <voip.call
        +60s    trace.marker text=later
        """),
      .holds(
        "An app without the mode is judged by nobody here.",
        """
        \(Step.launch)
        +1s     >voip.call id=1
        +60s    <voip.call
        """),
      .unknown(
        "In mid-life the session may be older than the recording.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]
        +0s     trace.start reason=attach
        +1s     >voip.call id=1
        +60s    <voip.call
        """),
    ])
}
