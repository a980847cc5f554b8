// LC608: a VoIP app doesn't declare the mode audio.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC608 {
  private static let lacksAudio: HeaderTest = .all([
    .has(.backgroundModes, "voip"), .not(.has(.backgroundModes, "audio")),
  ])

  private static let audio: EventPattern = .on(.audioSession, .audioPlay, .audioRecord)

  static let rule = Rule(
    id: "LC608",
    slug: "background-mode/voip-without-audio",
    severity: .warning,
    summary: "An app that declares voip and uses audio declares audio, too.",
    rationale: """
      The mode voip keeps a connection; it doesn't let the app be heard. A call that goes on while \
      the user looks at another app needs the mode audio.
      """,
    consequence: "In the background the app can neither play nor record: the call falls silent.",
    advice: "Add audio to UIBackgroundModes beside voip.",
    sources: [.appStates("Implementing a VoIP App")],
    needs: ["audio"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [Fact("audio used", set: [audio], life: .trace)],
    clauses: [
      Clause(
        .warning, applies: lacksAudio, .never(Never(audio, per: .trace)),
        message: "{what} in an app with the mode voip and without the mode audio"),
      Clause(
        .note, applies: .all([lacksAudio, .isText(.appKind, ["voip"])]),
        .expect(
          Expect(
            opens: [.on(.procStart, while: .not(.fact("audio used")))], closes: [audio],
            due: [.recordingEnd], per: .trace, outlivesLaunch: true)),
        message: "an app that makes calls declares the mode voip without the mode audio"),
    ],
    examples: [
      .violates(
        "The app plays.",
        """
        header os_version=8.0 sdk_linked=8.0 app_kind=app background_modes=[voip]
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true  # here
        """),
      .violates(
        "The app records, in an app that says what it is; one report for the trace.",
        """
        \(caller)
        \(Step.launch)
        +1s     audio.record op=start stream=1  # here
        +1s     proc.kill cause=crash
        +60s    sys.user_launch from=icon
        \(Step.launch)
        +1s     audio.record op=start stream=1
        """),
      .violates(
        "The app sets up its audio session.",
        """
        header os_version=13.0 sdk_linked=13.0 app_kind=app background_modes=[voip]
        \(Step.launch)
        +1s     audio.session op=configure category=play_and_record  # here
        """),
      .violates(
        "A launch without sound says nothing more, after one that played …",
        """
        \(caller)
        \(Step.launch)
        +1s     audio.play op=start stream=1  # here
        +1s     proc.kill cause=crash
        +60s    sys.user_launch from=icon
        \(Step.launch)
        """),
      .violates(
        "… that recorded …",
        """
        \(caller)
        \(Step.launch)
        +1s     audio.record op=start stream=1  # here
        +1s     proc.kill cause=crash
        +60s    sys.user_launch from=icon
        \(Step.launch)
        """),
      .violates(
        "… or that set up its audio session.",
        """
        \(caller)
        \(Step.launch)
        +1s     audio.session op=configure category=play_and_record  # here
        +1s     proc.kill cause=crash
        +60s    sys.user_launch from=icon
        \(Step.launch)
        """),
      .violates(
        "No sound in the whole recording, but the app says that it makes calls.",
        severities: [.note],
        """
        \(caller)
        \(Step.launch)
        +1s     proc.kill cause=crash
        +60s    sys.user_launch from=icon
        \(Step.launch)
        +1s     trace.end reason=clean  # here
        """),
      .holds(
        "Both modes are declared.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip,audio]
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.end)
        """),
      .holds(
        "Without the mode voip there is nothing to add.",
        """
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=true
        \(Step.end)
        """),
      .holds(
        "An app without sound that doesn't say that it makes calls may want the connection only.",
        """
        header os_version=8.0 sdk_linked=8.0 app_kind=app background_modes=[voip]
        \(Step.launch)
        \(Step.end)
        """),
      .unknown(
        "What the app does after the end of the trace isn't known.",
        """
        \(caller)
        \(Step.launch)
        +1s     trace.marker text=last
        """),
    ])

  private static let caller =
    "header os_version=8.0 sdk_linked=8.0 app_kind=voip background_modes=[voip]"
}
