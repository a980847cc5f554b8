// LC517: the system launches an app into the background that the user forced to quit.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC517 {
  private static let everywhere = ["prewarm", "pushkit"]

  private static func clause(_ applies: HeaderTest, exempt: [String]) -> Clause {
    Clause(
      .note, applies: applies,
      .never(
        Never(
          .on(
            .procStart,
            where: .all([.isText(.into, ["background"]), .not(.isText(.reason, exempt))]),
            while: .fact("forced to quit")))),
      message: "the app was launched into the background although the user had forced it to quit")
  }

  private static let relaunches: HeaderTest = .profile([.ios8, .ios13, .scene])

  static let rule = Rule(
    id: "LC517",
    slug: "transition/relaunch-after-force-quit",
    severity: .note,
    summary: """
      After a forced quit nothing launches the app into the background until the user has opened \
      it or the device was restarted.
      """,
    rationale: """
      A forced quit tells the system that the user wants the app gone. Fetches, pushes and \
      transfers no longer start it; from iOS 8 on only location and regions do, and PushKit.
      """,
    consequence: """
      Either the trace is wrong about what happened, or the system does something that no document \
      promises and that the app shouldn't build on.
      """,
    advice: """
      Look at the reason of the launch and at what the recorder took for a forced quit; never \
      count on being started again.
      """,
    sources: [
      .backgroundExecution("Understanding When Your App Gets Launched into the Background"),
      .appStates("App Termination"),
    ],
    needs: ["proc", "sys"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      Fact(
        "forced to quit", set: [.on(.sysForceQuit)],
        clear: [
          .on(.sysUserLaunch, .sysBoot, .delegateDidBecomeActive),
          .on(
            .procStart,
            where: .not(.any([.isText(.into, ["background"]), .isText(.reason, ["prewarm"])]))),
        ], life: .trace)
    ],
    clauses: [
      clause(.not(relaunches), exempt: everywhere),
      clause(relaunches, exempt: everywhere + ["location", "region"]),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + [
      .unknown(
        "Events are missing: the user may have opened the app meanwhile.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +10s    sys.force_quit state=suspended
        +10ms   proc.kill cause=user_force_quit
        +1s     trace.lost count=3
        +60s    proc.start into=background reason=fetch
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "A fetch starts the app that was thrown out.",
      """
      header os_version=7.1 sdk_linked=7.1 background_modes=[fetch]
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill
      +60s    proc.start into=background reason=fetch  # here
      """),
    .violates(
      "Before iOS 8 location is no exception, and each launch counts.", reasons: [nil, nil],
      """
      header os_version=7.1 sdk_linked=7.1 background_modes=[location]
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    proc.start into=background reason=location  # here
      +10s    proc.kill cause=jetsam
      +60s    proc.start into=background reason=region  # here
      """),
    .violates(
      "On iOS 8 a push is no exception.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    proc.start into=background reason=remote_notification  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "From iOS 8 on location and regions start the app again.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    proc.start into=background reason=location
      +10s    proc.kill cause=jetsam
      +60s    proc.start into=background reason=region
      """),
    .holds(
      "PushKit starts the app again for a call.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    proc.start into=background reason=pushkit
      """),
    .holds(
      "The user tapped the icon; a crash and a fetch follow.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    sys.user_launch from=icon
      +60s    proc.start into=background reason=fetch
      """),
    .holds(
      "A launch into the foreground is the user's.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    proc.start into=foreground reason=user_icon
      +1s     proc.kill cause=crash
      +60s    proc.start into=background reason=fetch
      """),
    .holds(
      "The device was restarted.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    sys.boot
      +60s    proc.start into=background reason=fetch
      """),
    .holds(
      "A start ahead of time isn't judged, and who becomes active was opened by the user.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=false background_modes=[fetch]
      \(Step.launch)
      \(Step.toSuspended)
      +10s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      +60s    proc.start into=background reason=prewarm
      +10s    delegate.did_finish_launching for 10ms
      +100ms  delegate.did_become_active for 1ms
      +1s     proc.kill cause=crash
      +60s    proc.start into=background reason=fetch
      """),
    .holds(
      "Without a forced quit a background launch is ordinary.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      +60s    proc.start into=background reason=fetch
      """),
  ]
}
