// LC508: applicationState at launch contradicts the way in which the app was launched.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC508 {
  private static let inLaunchMethod = Fact.inside(
    "in a launch method", .delegateWillFinishLaunching, .delegateDidFinishLaunching)

  /// Launching into the foreground. Scenes, of which a silent header may not tell, launch in the
  /// background state.
  private static func foreground(_ word: String) -> Condition {
    let launching = Condition.phase([.launchingForeground])
    if word == "active" { return launching }
    return .all([
      launching, .header(.any([.not(.profile([.ios13])), .declares(.sceneManifest)])),
    ])
  }

  /// Launching into the background. Of a locked device inactive is accepted.
  private static func background(_ word: String) -> Condition {
    let launching = Condition.phase([.launchingBackground])
    return word == "active" ? launching : .all([launching, .not(.isLocked)])
  }

  /// Told by the callback itself, and read inside it.
  private static func clauses(_ word: String, _ launch: Condition, _ message: MessageTemplate)
    -> [Clause]
  {
    let told = EventPattern.on(
      .delegateWillFinishLaunching, .delegateDidFinishLaunching,
      where: .isText(.applicationState, [word]), while: launch)
    let read = EventPattern.on(
      .stateApplication, where: .isText(.value, [word]),
      while: .all([launch, .fact(inLaunchMethod.name)]))
    return [
      Clause(.warning, .never(Never(told)), message: message),
      Clause(.warning, .never(Never(read)), message: message),
    ]
  }

  private static let inForeground: MessageTemplate =
    "The app was launched into the foreground, but applicationState was not inactive"
  private static let inBackground: MessageTemplate =
    "The app was launched into the background, but applicationState was not background"

  private static let foregroundClauses: [Clause] =
    clauses("active", foreground("active"), inForeground)
    + clauses("background", foreground("background"), inForeground)
  private static let backgroundClauses: [Clause] =
    clauses("active", background("active"), inBackground)
    + clauses("inactive", background("inactive"), inBackground)

  static let rule = Rule(
    id: "LC508",
    slug: "transition/launch-state-mismatch",
    severity: .warning,
    summary: """
      In the launch methods applicationState is inactive in a launch into the foreground, and \
      background in one into the background.
      """,
    rationale: """
      The launch methods run in both sorts of launch, and applicationState is how an app tells \
      them apart. Apps with scenes always read background there and aren't judged; on a locked \
      device a launch into the background may read inactive.
      """,
    consequence: """
      Launch code takes the wrong branch: it builds an interface that nobody sees, or skips it for \
      a user who waits.
      """,
    advice: """
      Read applicationState anew in each launch rather than keeping it. If it is the trace that is \
      wrong, correct what the recorder writes as proc.start's into.
      """,
    sources: [.appStates("The App Launch Cycle")],
    needs: ["delegate", "proc"],
    profiles: [.ios4, .ios5, .ios7, .ios8, .ios13],
    parameters: [],
    facts: [inLaunchMethod],
    clauses: foregroundClauses + backgroundClauses,
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + undecided)

  /// A launch of which a method is told this state.
  private static func launch(_ into: String, _ method: String, _ state: String) -> String {
    """
    +1s     proc.start into=\(into)
    +10ms   delegate.\(method) for 10ms application_state=\(state)  # here
    +1s     proc.kill cause=jetsam
    """
  }

  /// A launch of which a method reads this state.
  private static func reading(_ into: String, _ method: String, _ state: String) -> String {
    """
    +1s     proc.start into=\(into)
    +10ms   >delegate.\(method)
    +1ms    state.application value=\(state)  # here
    +1ms    <delegate.\(method)
    +1s     proc.kill cause=jetsam
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "A launch into the background that says it is inactive.",
      """
      +0s     proc.start into=background reason=location
      +10ms   delegate.did_finish_launching for 10ms application_state=inactive  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A launch into the foreground is inactive, in both of its methods.",
      reasons: [nil, nil, nil, nil],
      """
      \(launch("foreground", "will_finish_launching", "background"))
      \(launch("foreground", "did_finish_launching", "background"))
      \(launch("foreground", "will_finish_launching", "active"))
      \(launch("foreground", "did_finish_launching", "active"))
      """),
    .violates(
      "A launch into the background is in the background, in both of its methods.",
      reasons: [nil, nil, nil, nil],
      """
      \(launch("background", "will_finish_launching", "inactive"))
      \(launch("background", "did_finish_launching", "inactive"))
      \(launch("background", "will_finish_launching", "active"))
      \(launch("background", "did_finish_launching", "active"))
      """),
    .violates(
      "The app reads its state inside the launch methods, in four launches.",
      reasons: [nil, nil, nil, nil],
      """
      \(reading("foreground", "will_finish_launching", "background"))
      \(reading("foreground", "did_finish_launching", "active"))
      \(reading("background", "will_finish_launching", "inactive"))
      \(reading("background", "did_finish_launching", "active"))
      """),
    .violates(
      "On iOS 13 too, if the header says that there are no scenes.",
      """
      header os_version=13.0 sdk_linked=13.0 scene_manifest=false
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 10ms application_state=background  # here
      +20ms   delegate.did_become_active for 1ms
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Inactive on the way to the screen.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.will_finish_launching for 10ms application_state=inactive
      +20ms   >delegate.did_finish_launching application_state=inactive
      +1ms    state.application value=inactive
      +1ms    <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms application_state=active
      """),
    .holds(
      "Background on the way to the background.",
      """
      +0s     proc.start into=background reason=fetch
      +10ms   delegate.will_finish_launching for 10ms application_state=background
      +20ms   >delegate.did_finish_launching application_state=background
      +1ms    state.application value=background
      +1ms    <delegate.did_finish_launching
      """),
    .holds(
      "Between the two launch methods the value may be newer, too.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.will_finish_launching for 10ms application_state=inactive
      +20ms   state.application value=background
      +10ms   delegate.did_finish_launching for 10ms application_state=inactive
      +20ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "On a locked device a launch into the background may read inactive.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 10ms
      +20ms   delegate.did_become_active for 1ms
      +1s     sys.lock cause=button
      +1s     proc.kill cause=jetsam
      +1s     proc.start into=background reason=fetch
      +10ms   >delegate.did_finish_launching application_state=inactive
      +1ms    state.application value=inactive
      +1ms    <delegate.did_finish_launching
      """),
    .holds(
      "Outside of the launch methods, and on other threads, the value may be newer.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +1ms @3 state.application value=background
      +1ms    <delegate.did_finish_launching
      +1ms    state.application value=active
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "With scenes an app is launched in the background state.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 10ms application_state=background
      +20ms   scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "From iOS 13 on a header must say whether there are scenes.",
      """
      header os_version=15.0 sdk_linked=15.0
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 10ms application_state=background
      +20ms   delegate.did_become_active for 1ms
      """)
  ]
}
