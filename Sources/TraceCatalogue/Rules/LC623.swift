// LC623: the app is suspended while it plays, records or, before iOS 7, follows the position.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC623 {
  private static func clause(
    mode: String, needs: String, applies: HeaderTest? = nil, starts: EventPattern,
    stops: EventPattern, key: [KeyField]
  ) -> Clause {
    var starts = starts
    starts.condition = .header(.has(.backgroundModes, mode))
    return Clause(
      .note, needs: [needs], applies: applies,
      .expect(
        Expect(
          opens: [starts], closes: [stops], key: key, due: [.suspension(inferred: false)],
          per: .background)),
      message: "The app was suspended {duration} after {what}, and nothing had stopped it")
  }

  private static func isStandard(_ kind: EventKind) -> EventPattern {
    .on(kind, where: .any([.not(.isPresent(.service)), .isText(.service, ["standard"])]))
  }

  static let rule = Rule(
    id: "LC623",
    slug: "background-mode/suspended-while-in-service",
    severity: .note,
    summary: """
      An app isn't suspended while it plays or records under the audio mode or, before iOS 7, \
      while it follows the position under the location mode.
      """,
    rationale: """
      These modes keep an app from being suspended as long as the service is in use. A suspension \
      in between says that the service had ended without a trace, or that the system took it away.
      """,
    consequence: """
      Sound stops and recordings have holes; or the trace lacks a stop, and what it says about the \
      background isn't reliable.
      """,
    advice: """
      Check that the recorder sees every stop, interruptions included. If it does, look for an \
      audio session that was deactivated while the app went on playing.
      """,
    sources: [
      .appStates("Playing and Recording Background Audio"),
      .iOS4Guide("Receiving Location Events in the Background"),
    ],
    needs: ["proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      clause(
        mode: "audio", needs: "audio", starts: .on(.audioPlay, where: .isText(.op, ["start"])),
        stops: .on(.audioPlay, where: .isText(.op, ["stop"])), key: [.argument(.stream)]),
      clause(
        mode: "audio", needs: "audio", starts: .on(.audioRecord, where: .isText(.op, ["start"])),
        stops: .on(.audioRecord, where: .isText(.op, ["stop"])), key: [.argument(.stream)]),
      clause(
        mode: "location", needs: "loc", applies: .profile([.ios4, .ios5]),
        starts: isStandard(.locStart), stops: isStandard(.locStop), key: []),
    ],
    examples: violating + holding + undecided)

  private static let audio = "header os_version=8.0 sdk_linked=8.0 background_modes=[audio]"
  private static let location = "header os_version=6.1 sdk_linked=6.1 background_modes=[location]"

  private static let violating: [RuleExample] = [
    .violates(
      "The music plays on, says the trace, and the app is suspended.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1s     audio.play op=stop stream=1
      """),
    .violates(
      "A recording is cut in two; of two streams one was stopped.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.record op=start stream=1
      +1s     audio.record op=start stream=2
      +1s     audio.record op=stop stream=1
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1s     audio.record op=stop stream=2
      """),
    .violates(
      "Before iOS 7 standard location kept an app running.",
      """
      \(location)
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1s     loc.stop service=standard
      """),
    .violates(
      "No service named means the standard one, and a stop of another service isn't its stop.",
      """
      header os_version=4.3 sdk_linked=4.3 background_modes=[location]
      \(Step.launch)
      +1s     loc.start
      +1s     loc.stop service=significant
      \(Step.toBackground)
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1s     loc.stop
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The music stops, then the app is suspended.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     audio.record op=start stream=2
      \(Step.toBackground)
      +60s    audio.play op=stop stream=1
      +1s     audio.record op=stop stream=2
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The observer's clock is 40 ms ahead: the stop counts as earlier.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +60s    proc.suspend inferred=false
      +40ms   audio.play op=stop stream=1
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .holds(
      "From iOS 7 on the location mode lets the app be woken, and be suspended.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location]
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toSuspended)
      """),
    .holds(
      "Before iOS 7 the service is stopped in time, and significant changes don't count.",
      """
      \(location)
      \(Step.launch)
      +1s     loc.start service=significant
      +1s     loc.start service=standard
      \(Step.toBackground)
      +60s    loc.stop service=standard
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Without the mode nothing keeps the app from suspension.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1
      +1s     audio.record op=start stream=2
      \(Step.toSuspended)
      """),
    .holds(
      "A suspension that was only inferred is no evidence: silence may have been music.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +60s    proc.suspend inferred=true
      +60s    proc.resume inferred=true reason=user_icon
      +1s     audio.play op=stop stream=1
      \(Step.toForeground)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The stop may lie in the gap.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1
      \(Step.toBackground)
      +1s     trace.lost count=2
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      """)
  ]
}
