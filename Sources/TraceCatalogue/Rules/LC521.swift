// LC521: the app reads another state than the one it is in.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC521 {
  /// What the state was when the end began; it is read to the end.
  private static func before(_ state: LifecycleState) -> Fact {
    Fact(
      "\(state.symbol) before the end",
      set: [.on(.delegateWillTerminate, while: .wasPhase([state]))])
  }

  /// What the app read tells where it is, but is no callback that could contradict it; nor does
  /// the end tell where the app was before.
  private static let isTold = Fact(
    "a callback told where the app is",
    set: [
      .on(.procStart), .on(.delegateDidBecomeActive), .end(.delegateWillResignActive),
      .end(.delegateDidEnterBackground), .on(.delegateWillEnterForeground),
    ])

  private static let wasActive: Condition = .fact(before(.active).name)
  private static let wasInactive: Condition = .fact(before(.inactive).name)
  private static let wasBackground: Condition = .fact(before(.background).name)

  /// With scenes the value is that of the scene that is most active; a header of iOS 13 or later
  /// must rule them out.
  private static let hasNoScenes: Condition = .header(
    .any([.not(.profile([.ios13])), .declares(.sceneManifest)]))

  private static func clause(_ value: String, _ contradiction: Condition) -> Clause {
    Clause(
      .note,
      .never(
        Never(
          .on(
            .stateApplication, where: .isText(.value, [value]),
            while: .all([contradiction, hasNoScenes, .fact(isTold.name)])),
          per: .key, key: [.argument(.value)])),
      message: "the app read “{value}” on {thread}, which the callbacks before contradict")
  }

  static let rule = Rule(
    id: "LC521",
    slug: "transition/state-query-mismatch",
    severity: .note,
    summary: "What the app reads as its applicationState agrees with the callbacks it was sent.",
    rationale: """
      The property follows the callbacks: inactive while the app is launched into the foreground \
      or interrupted, active from applicationDidBecomeActive: on, background from \
      applicationDidEnterBackground: on; on a locked device it may say inactive there.
      """,
    consequence: """
      Either the app works with a value that it kept from earlier, or the trace lacks a callback \
      and every other judgement on it is in doubt.
      """,
    advice: """
      Read the property when it is needed, on the main thread, and don't keep it; if it was read \
      afresh, check that all callbacks are recorded.
      """,
    sources: [
      .appStates("Responding to Interruptions"), .appStates("The App Launch Cycle"),
    ],
    needs: ["state", "delegate"],
    profiles: [.ios4, .ios5, .ios7, .ios8, .ios13],
    parameters: [],
    facts: [before(.active), before(.inactive), before(.background), isTold],
    clauses: [
      clause(
        "active",
        .any([
          .phase([
            .launchingForeground, .launchingBackground, .inactive, .enteringForeground,
            .enteringBackground, .background,
          ]),
          .all([.phase([.terminating]), .any([wasInactive, wasBackground])]),
        ])),
      clause(
        "inactive",
        .any([
          .phase([.active]),
          .all([
            .phase([.launchingBackground, .enteringBackground, .background]), .not(.isLocked),
          ]),
          .all([
            .phase([.terminating]), .any([wasActive, .all([wasBackground, .not(.isLocked)])]),
          ]),
        ])),
      clause(
        "background",
        .any([
          .phase([
            .launchingForeground, .active, .resigning, .inactive, .enteringForeground,
          ]),
          .all([.phase([.terminating]), .any([wasActive, wasInactive])]),
        ])),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "In the background the app still takes itself for active.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     state.application value=active  # here
      +1s     state.application value=active
      """),
    .violates(
      "Neither active nor background while it is launched, and not inactive once it is active.",
      reasons: [nil, nil, nil],
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms   state.application value=active  # here
      +10ms   state.application value=background  # here
      +10ms   <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms
      +1s     state.application value=inactive  # here
      """),
    .violates(
      "A launch into the background is in the background from the first line.",
      reasons: [nil, nil],
      """
      +0s     proc.start into=background reason=fetch
      +10ms   >delegate.did_finish_launching
      +10ms   state.application value=active  # here
      +10ms   state.application value=inactive  # here
      +10ms   <delegate.did_finish_launching
      """),
    .violates(
      "Behind an alert the app is inactive, and in the next callback in the background.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      \(Step.resign)
      +1s     state.application value=active  # here
      +1s     state.application value=background  # here
      +1s     >delegate.did_enter_background
      +1ms    state.application value=inactive  # here
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "Inactive is wrong before the way back, active and background on it.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     state.application value=inactive  # here
      +1s     >delegate.will_enter_foreground
      +1ms    state.application value=active  # here
      +1ms    state.application value=background  # here
      +1ms    <delegate.will_enter_foreground
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "An active app isn't in the background, and one that enters it no longer active.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     state.application value=background  # here
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    state.application value=active  # here
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "Inside applicationWillResignActive: the background is still far.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    state.application value=background  # here
      +1ms    <delegate.will_resign_active
      """),
    .violates(
      "The end doesn't change what an active app reads.", reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +1ms    state.application value=background  # here
      +1ms    state.application value=inactive  # here
      +1ms    <delegate.will_terminate
      """),
    .violates(
      "Nor what an inactive app reads.", reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.resign)
      +1s     >delegate.will_terminate
      +1ms    state.application value=active  # here
      +1ms    state.application value=background  # here
      +1ms    <delegate.will_terminate
      """),
    .violates(
      "Nor what an app in the background reads.", reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     >delegate.will_terminate
      +1ms    state.application value=active  # here
      +1ms    state.application value=inactive  # here
      +1ms    <delegate.will_terminate
      """),
    .violates(
      "A recording that begins in mid-life knows no state before the first callback: active.",
      """
      +0s     state.application value=background
      +1s     delegate.did_become_active for 1ms
      +1s     state.application value=background  # here
      """),
    .violates(
      "The first callback of the recording says that the app is interrupted.",
      """
      +0s     trace.marker text=first
      +1s     delegate.will_resign_active for 1ms
      +1s     state.application value=active  # here
      """),
    .violates(
      "The first callback of the recording says that the app is in the background.",
      """
      +0s     trace.marker text=first
      +1s     delegate.did_enter_background for 1ms
      +1s     state.application value=active  # here
      """),
    .violates(
      "The first callback of the recording says that the app comes back.",
      """
      +0s     trace.marker text=first
      +1s     delegate.will_enter_foreground for 1ms
      +1s     state.application value=background  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The value follows the callbacks; inside applicationWillResignActive: it may be either.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   state.application value=inactive
      +10ms   delegate.did_finish_launching for 10ms
      +20ms   >delegate.did_become_active
      +1ms    state.application value=active
      +1ms    <delegate.did_become_active
      +1s     >delegate.will_resign_active
      +1ms    state.application value=active
      +1ms    state.application value=inactive
      +1ms    <delegate.will_resign_active
      +1s     state.application value=inactive
      +1s     >delegate.did_enter_background
      +1ms    state.application value=background
      +1ms    <delegate.did_enter_background
      +1s     state.application value=background
      +1s     >delegate.will_enter_foreground
      +1ms    state.application value=inactive
      +1ms    <delegate.will_enter_foreground
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "On a locked device the background may read inactive, to the end.",
      """
      \(Step.launch)
      +1s     sys.lock cause=button
      \(Step.resign)
      +1s     >delegate.did_enter_background
      +1ms    state.application value=inactive
      +1ms    <delegate.did_enter_background
      +1s     state.application value=inactive
      +1s     state.application value=background
      +1s     >delegate.will_terminate
      +1ms    state.application value=inactive
      +1ms    <delegate.will_terminate
      """),
    .holds(
      "So may a launch into the background.",
      """
      +0s     sys.lock cause=auto
      \(Step.backgroundLaunch)
      +1s     proc.kill cause=jetsam
      +60s    proc.start into=background reason=fetch
      +10ms   >delegate.did_finish_launching
      +1ms    state.application value=inactive
      +1ms    state.application value=background
      +1ms    <delegate.did_finish_launching
      """),
    .holds(
      "The end keeps the value.",
      """
      \(Step.launch)
      +1s     >delegate.will_terminate
      +1ms    state.application value=active
      +1ms    proc.exit by=uikit_after_will_terminate
      \(Step.launch)
      \(Step.resign)
      +1s     >delegate.will_terminate
      +1ms    state.application value=inactive
      +1ms    proc.exit by=uikit_after_will_terminate
      \(Step.launch)
      \(Step.toBackground)
      +1s     >delegate.will_terminate
      +1ms    state.application value=background
      +1ms    proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "What is read during a suspension is told by the rule on suspended work.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +1s     state.application value=active
      +60s    proc.resume inferred=false reason=user_icon
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "After a gap nobody knows whether the device is locked.",
      """
      \(Step.launch)
      +1s     trace.lost count=3
      \(Step.toBackground)
      +1s     state.application value=inactive
      """),
    .unknown(
      "A header of iOS 13 that doesn't speak of scenes leaves the value open.",
      """
      header os_version=13.1 sdk_linked=13.0 background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms   state.application value=background
      +10ms   <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms
      """),
  ]
}
