// LC602: an app stays awake in the background by playing silence.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC602 {
  private static let isStart: FieldTest = .isText(.op, ["start"])
  private static let isStop: FieldTest = .isText(.op, ["stop"])
  private static let isSilent: FieldTest = .isFalse(.audible)

  /// Nothing can be heard since so long ago, but for pauses; in the background.
  private static let stretch = Fact(
    "long silence",
    set: [
      .on(
        .audioPlay, where: .all([isStart, isSilent]),
        while: .not(.any([.anyFact("silent"), .fact("paused")]))),
      .on(.audioPlay, while: .anyFact("audible")), .on(.audioRecord),
      .end(.delegateDidEnterBackground), .on(.procResume),
    ], after: .parameter("limit"))

  /// The last silent stream was stopped, no longer ago than the grace: then the mode is still in
  /// service when it goes on.
  private static let paused = Fact(
    "paused", set: [.on(.audioPlay, where: isStop, while: .anyFact("silent"))],
    lasts: .nanoseconds(5_000_000_001))

  /// A stream is played that was silent at some time.
  private static let silent = Fact(
    "silent", set: [.on(.audioPlay, where: .all([isStart, isSilent]))],
    clear: [.on(.audioPlay, where: isStop)], key: [.argument(.stream)])

  /// A stream is played that isn't known to be silent now.
  private static let audible = Fact(
    "audible", set: [.on(.audioPlay, where: .all([isStart, .not(isSilent)]))],
    clear: [
      .on(.audioPlay, where: isStop), .on(.audioPlay, where: .all([isStart, isSilent])),
    ], key: [.argument(.stream)])

  static let rule = Rule(
    id: "LC602",
    slug: "background-mode/silent-audio",
    severity: .warning,
    summary: "What an app plays in the background under the mode audio can be heard.",
    rationale: """
      The mode keeps the app running for its listener. Silence, played to keep the app from being \
      suspended, uses the battery for work that the mode isn't meant for.
      """,
    consequence: "The review rejects the app; the system doesn't end it.",
    advice: """
      Stop the stream when nothing is to be heard, and use a background task, a fetch or a push \
      for other work.
      """,
    sources: [.appStates("Playing and Recording Background Audio")],
    needs: ["audio", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 10_000_000_000, .toolDefault)],
    facts: [
      stretch, paused, silent, audible, .recording,
      Fact(
        "in the background",
        set: [
          .end(.delegateDidEnterBackground), .on(.procResume),
          .end(.delegateDidFinishLaunching, while: .phase([.background])),
        ],
        clear: [.on(.delegateWillEnterForeground, .delegateWillTerminate, .procSuspend)]),
    ],
    clauses: [
      Clause(
        .warning, applies: .has(.backgroundModes, "audio"),
        .lasts(
          Lasts(
            .condition(
              .all([
                .fact("in the background"), .anyFact("silent"), .not(.anyFact("audible")),
                .not(.anyFact("recording")),
              ])),
            max: .parameter("limit"), per: .background)),
        message: "the app played nothing but silence in the background for more than {limit}"),
      Clause(
        .warning, applies: .has(.backgroundModes, "audio"),
        .never(
          Never(
            .on(
              .audioPlay, where: .all([isStart, isSilent]),
              while: .all([
                .fact("in the background"), .fact("long silence"), .not(.anyFact("audible")),
                .not(.anyFact("recording")),
              ])),
            per: .background)),
        message: "the app played nothing but silence in the background, with short pauses"),
    ],
    examples: violating + holding + [
      .unknown(
        "The trace stops before the time is over.",
        """
        \(audio)
        \(Step.launch)
        +1s     audio.play op=start stream=1 audible=false
        \(Step.toBackground)
        +5s     trace.marker text=last
        """)
    ])

  private static let audio = "header os_version=8.0 sdk_linked=8.0 background_modes=[audio]"

  private static let violating: [RuleExample] = [
    .violates(
      "A minute of silence.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +60s    audio.callback for 1ms stream=1  # here
      """),
    .violates(
      "A nanosecond too long; what could be heard is over.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      +1s     audio.record op=start stream=2
      \(Step.toBackground)
      +1s     audio.record op=stop stream=2
      +1s     audio.play op=start stream=3 audible=false
      +1s     audio.play op=stop stream=1
      +10.000000001s  trace.marker text=later  # here
      """),
    .violates(
      "A launch into the background, and a way back from suspension.", reasons: [nil, nil],
      """
      \(audio)
      \(Step.backgroundLaunch)
      +200ms  audio.play op=start stream=1 audible=false
      +11s    audio.play op=stop stream=1  # here
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=audio
      +1s     audio.play op=start stream=1 audible=false
      +11s    trace.marker text=later  # here
      """),
    .violates(
      "A pause of a millisecond now and then doesn't make it audible.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +5s     audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +4.999s audio.play op=stop stream=1
      +1ns    audio.play op=start stream=1 audible=false  # here
      +5s     audio.play op=stop stream=1
      """),
    .violates(
      "A pause as long as the grace; the silence began when a sound, or a recording, was over.",
      reasons: [nil, nil],
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +60s    audio.play op=start stream=1 audible=false
      +6s     audio.play op=stop stream=1
      +5s     audio.play op=start stream=2 audible=false  # here
      +1s     audio.play op=stop stream=2
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=audio
      +1s     audio.record op=start stream=3
      +1s     audio.play op=start stream=1 audible=false
      +1s     audio.record op=stop stream=3
      +6s     audio.play op=stop stream=1
      +5s     audio.play op=start stream=2 audible=false  # here
      +1s     audio.play op=stop stream=2
      """),
    .violates(
      "The same stream falls silent.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +60s    audio.play op=start stream=1 audible=false
      +11s    trace.marker text=later  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Music with pauses of three seconds between the tracks.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +60s    audio.play op=start stream=1 audible=false
      +3s     audio.play op=start stream=1 audible=true
      +60s    trace.marker text=later
      """),
    .holds(
      "Each time the sound was over for longer than the grace, or something could be heard.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +9s     audio.play op=stop stream=1
      +5.000000001s  audio.play op=start stream=1 audible=false
      +4s     audio.play op=stop stream=1
      +1ms    audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +4s     audio.play op=start stream=2 audible=true
      +1s     audio.play op=stop stream=2
      +9s     audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +0.5s   audio.record op=start stream=3
      +60s    audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +1s     audio.record op=stop stream=3
      +9s     audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +0.9s   audio.play op=stop stream=1
      """),
    .holds(
      "Silence that is taken up again on the screen, or with something to hear beside it.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +9s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      +5s     audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +1s     audio.play op=start stream=2 audible=true
      \(Step.toBackground)
      +20s    audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      """),
    .holds(
      "What was silent on the screen, or before a suspension, is no silence of this stretch.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      +60s    audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +5s     audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +4s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=audio
      +5s     audio.play op=stop stream=1
      +1ms    audio.play op=start stream=1 audible=false
      +1s     audio.play op=stop stream=1
      """),
    .holds(
      "Ten seconds of silence are allowed.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +10s    audio.play op=stop stream=1
      +60s    trace.marker text=later
      """),
    .holds(
      "One stream can be heard, or isn't known to be silent.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      +1s     audio.play op=start stream=2
      \(Step.toBackground)
      +60s    trace.marker text=later
      """),
    .holds(
      "The app records while it plays silence.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      +1s     audio.record op=start stream=2
      \(Step.toBackground)
      +60s    trace.marker text=later
      """),
    .holds(
      "In the foreground silence is the app's own affair, and so is the end.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      +60s    trace.marker text=later
      \(Step.toBackground)
      +9s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      +60s    trace.marker text=later
      \(Step.toBackground)
      +9s     >delegate.will_terminate
      +3s     <delegate.will_terminate
      +1s     proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "A suspension breaks the stretch of time.",
      """
      \(audio)
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +9s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +5s     delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "Without the mode the system stops the sound.",
      """
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=false
      \(Step.toBackground)
      +60s    trace.marker text=later
      """),
  ]
}
