// LC515: the running app is ended and applicationWillTerminate: doesn't come.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC515 {
  /// The app is in front, or something is seen to keep it running in the background. Without that
  /// it may have been suspended unseen.
  private static let isRunning: Condition = .any([
    .phase([.active, .inactive]),
    .all([.phase([.background]), .hasReason([.task, .audio, .wake, .callback])]),
  ])

  static let rule = Rule(
    id: "LC515",
    slug: "termination/will-terminate-missing",
    severity: .note,
    summary: "An app that runs when the system ends it gets applicationWillTerminate:.",
    rationale: """
      The callback is the last chance to clean up, and it isn't sure to come: memory may be needed \
      too quickly, and before iOS 7 a forced quit sends nothing. What is saved only there is lost.
      """,
    consequence:
      "The code in applicationWillTerminate: didn't run: what it cleans up is left over.",
    advice: """
      Save state when the app is moved to the background, and treat applicationWillTerminate: as a \
      chance that may never come.
      """,
    sources: [
      .appStates("App Termination"),
      .cocoanetics("readers' comments"),
      .xamarin("Application Lifecycle Methods"),
    ],
    needs: ["proc", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    facts: [
      Fact(
        "forced to quit",
        set: [
          .on(.sysForceQuit), .on(.procKill, where: .isText(.cause, ["user_force_quit"])),
        ])
    ],
    clauses: [
      Clause(
        .note,
        .never(Never(.on(.procKill, where: .isText(.cause, ["jetsam"]), while: isRunning))),
        message: "the system took the running app's memory without applicationWillTerminate:"),
      Clause(
        .note, needs: ["sys"], applies: .profile(Profile.ios7Plus),
        .never(
          Never(
            .on(
              .procKill,
              where: .any([
                .isText(.cause, ["user_force_quit", "unknown"]), .not(.isPresent(.cause)),
              ]),
              while: .all([.fact("forced to quit"), isRunning])))),
        message:
          "the user forced the running app to quit, and applicationWillTerminate: didn't come"
      ),
    ],
    isLoweredWhereSystemIsAssumed: true,
    explains: ["force-quit"],
    examples: violating + holding + [
      .unknown(
        "A recording that begins in mid-life doesn't tell whether the app was suspended.",
        """
        +0s     trace.start reason=attach
        +1s     proc.kill cause=jetsam
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "A background task lets the app run, and its memory is taken.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    proc.kill cause=jetsam  # here
      """),
    .violates(
      "In the foreground the app is told no more than in the background.", reasons: [nil, nil],
      """
      \(Step.launch)
      +10s    proc.kill cause=jetsam  # here
      +60s    sys.user_launch from=icon
      \(Step.launch)
      \(Step.resign)
      +10s    proc.kill cause=jetsam  # here
      """),
    .violates(
      "Sound, a wake-up or an open callback prove that the app runs in the background.",
      reasons: [nil, nil, nil],
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio,location,fetch]
      \(Step.launch)
      +1s     audio.play op=start stream=1 audible=true
      \(Step.toBackground)
      +10s    proc.kill cause=jetsam  # here
      +60s    sys.user_launch from=icon
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=location
      +1ms    >wake.window id=1 reason=location
      +1s     proc.kill cause=jetsam  # here
      +60s    sys.user_launch from=icon
      \(Step.backgroundLaunch)
      +110ms  >delegate.perform_fetch completion_id=1
      +1s     proc.kill cause=jetsam  # here
      """),
    .violates(
      "From the app switcher the user throws the app out while it is on the screen.",
      """
      \(Step.launch)
      +1s     >sys.switcher
      +10ms   delegate.will_resign_active for 1ms
      +2s     sys.force_quit state=inactive
      +10ms   proc.kill cause=user_force_quit  # here
      """),
    .violates(
      "The recorder names no cause or doesn't know it; the forced quit before tells.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      +2s     sys.force_quit state=active
      +10ms   proc.kill  # here
      +60s    sys.user_launch from=icon
      \(Step.launch)
      +2s     sys.force_quit state=active
      +10ms   proc.kill cause=unknown  # here
      """),
    .violates(
      "An imported report knows of the forced quit by its code alone.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    proc.kill cause=user_force_quit  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A suspended app is told nothing, whoever ends it.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      +60s    sys.user_launch from=icon
      \(Step.launch)
      \(Step.toSuspended)
      +60s    sys.force_quit state=suspended
      +10ms   proc.kill cause=user_force_quit
      """),
    .holds(
      "The callback came.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    sys.force_quit state=background
      +10ms   delegate.will_terminate for 10ms
      +1s     proc.kill cause=user_force_quit
      """),
    .holds(
      "Nobody knows whether an app without a reason to run was suspended already.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +60s    proc.kill cause=jetsam
      """),
    .holds(
      "Location in the background lets the app run and lets the system suspend it.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location]
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +60s    proc.kill cause=jetsam
      """),
    .holds(
      "A punishment comes without a word.",
      """
      \(Step.launch)
      +10s    proc.kill cause=watchdog code=2343432205
      +60s    sys.user_launch from=icon
      \(Step.launch)
      +10s    sys.force_quit state=active
      +10ms   proc.kill cause=crash
      """),
    .holds(
      "Before iOS 7 a forced quit need not send anything.",
      """
      header os_version=6.1 sdk_linked=6.1 background_modes=[]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +10s    sys.force_quit state=background
      +10ms   proc.kill cause=user_force_quit
      """),
    .holds(
      "A kill of unknown cause that no forced quit explains proves nothing.",
      """
      \(Step.launch)
      +10s    proc.kill cause=unknown
      """),
  ]
}
