// LC604: audio is used in the background without a configured audio session.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC604 {
  static let rule = Rule(
    id: "LC604",
    slug: "background-mode/audio-session-not-configured",
    severity: .warning,
    summary: "An app configures its audio session before it takes its sound to the background.",
    rationale: """
      The system decides by the sessions of all apps who may play. The session that an app gets by \
      itself falls silent in the background and says nothing about mixing.
      """,
    consequence: "The app may not play in the background, or it cuts off other apps.",
    advice: """
      Set a category such as AVAudioSessionCategoryPlayback and activate the session before the \
      first sound.
      """,
    sources: [.appStates("Playing and Recording Background Audio")],
    needs: ["audio", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      .playing, .recording,
      Fact(
        "configured",
        set: [.on(.audioSession, where: .isText(.op, ["configure", "activate"]))]),
    ],
    clauses: [
      Clause(
        .warning,
        applies: .any([.has(.backgroundModes, "audio"), .has(.backgroundModes, "voip")]),
        .never(
          Never(
            .end(
              .delegateDidEnterBackground,
              while: .all([
                .any([.anyFact("playing"), .anyFact("recording")]), .not(.fact("configured")),
              ])))),
        message: "the app entered the background with active audio and no configured audio session")
    ],
    examples: [
      .violates(
        "Music goes to the background with the session that every app has.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)  # here
        """),
      .violates(
        "A call is recorded; a session that is let go isn't configured.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     audio.session op=deactivate
        +1s     audio.record op=start stream=1
        \(Step.toBackground)  # here
        """),
      .violates(
        "What was configured in the launch before is gone.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
        \(Step.launch)
        +1s     audio.session op=configure category=playback
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        +1s     proc.kill cause=crash
        +60s    sys.user_launch from=icon
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)  # here
        """),
      .holds(
        "The session is configured before the sound starts.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
        \(Step.launch)
        +1s     audio.session op=configure category=playback
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        """),
      .holds(
        "A session that is activated was configured, even if only on the way out.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    audio.session op=activate
        +1ms    <delegate.did_enter_background
        """),
      .holds(
        "The sound is stopped before the background.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        +1s     audio.record op=start stream=2
        +1s     audio.record op=stop stream=2
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    audio.play op=stop stream=1
        +1ms    <delegate.did_enter_background
        """),
      .holds(
        "Without a mode for it the sound stops anyhow.",
        """
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        """),
      .unknown(
        "The session may have been configured before the recording began.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
        +0s     trace.start reason=attach
        +1s     audio.play op=start stream=1 audible=true
        \(Step.toBackground)
        """),
    ])
}
