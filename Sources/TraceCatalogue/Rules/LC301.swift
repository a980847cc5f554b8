// LC301: the launch takes longer than five seconds.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC301 {
  static let rule = Rule(
    id: "LC301",
    slug: "launch/over-5s",
    severity: .error,
    summary: "The app is launched and handles events within 5 seconds.",
    rationale: """
      From the start of the process until it is active an app shows nothing but its launch image \
      and answers to nobody. A launch into the background is waited for in the same way until \
      application:didFinishLaunchingWithOptions: has returned. A process that was started ahead is \
      measured from when the user asked for it; where nobody recorded that, it isn't judged.
      """,
    consequence: """
      The watchdog kills the app as unresponsive (0x8badf00d), and the user sees it vanish.
      """,
    advice: """
      Do only what the first screen needs. Hand the network, migrations and large files to other \
      threads, and begin them after the launch methods have returned.
      """,
    sources: [
      .appStates("What to Do at Launch Time"), .appStates("Concurrency and Secondary Threads"),
    ],
    needs: ["proc", "delegate"],
    profiles: Profile.allCases,
    parameters: [
      RuleParameter("limit", .nanoseconds, 5_000_000_000, .documented, limits: .launch)
    ],
    clauses: [
      Clause(
        .error,
        .lasts(
          Lasts(
            .launch, max: .parameter("limit", on: .watchdog), killCauses: ["watchdog"],
            killCodes: [0x8bad_f00d],
            openMessage: "the launch was not over after at least {duration}; the limit is {limit}"
          )),
        message: "the launch took {duration}; the limit is {limit}"),
      .kill(
        .error, "watchdog-launch", where: .watchdog("watchdog-launch"),
        applies: .not(.profile([.ios13, .scene])),
        message: "the watchdog killed the app: its launch took too long{weighing}"),
    ],
    isLoweredUnderDebugger: true,
    allowance: .documented,
    explains: ["watchdog-launch", "watchdog", "watchdog-code"],
    examples: violating + reported + holding + undecided)

  private static let reported: [RuleExample] = [
    .violates(
      "A report of a launch that was too slow, before iOS 13.", reasons: [nil, nil, nil],
      """
      \(Report.of("8.0"))
      +20s    proc.kill cause=watchdog description="org.x failed to launch in time"  # here
      +0s     trace.start reason=attach
      +20s    proc.kill cause=watchdog description="scene-create watchdog transgression"  # here
      +0s     trace.start reason=attach
      +20s    proc.kill code=2343432205 description="process-launch watchdog"  # here
      """),
    .holds(
      "From iOS 13 on such a report is another rule's.",
      """
      \(Report.of("13.0"))
      +20s    proc.kill cause=watchdog description="scene-create watchdog transgression"
      """),
    .holds(
      "A kill that says no more than who killed.",
      """
      \(Report.of("12.0"))
      +20s    proc.kill cause=watchdog code=2343432205
      """),
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "A database is migrated in the launch method.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +6s     <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "One nanosecond too long, until the app becomes active.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +4.990000001s  delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "A launch into the background lasts until the launch method has returned.",
      """
      +0s     proc.start into=background reason=fetch
      +10ms   >delegate.did_finish_launching
      +4.990000001s  <delegate.did_finish_launching  # here
      """),
    .violates(
      "The watchdog's kill is proof enough, by its cause or by its code.", reasons: [nil, nil],
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +3s     proc.kill cause=watchdog  # here
      +60s    trace.marker text=second
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +3s     proc.kill code=2343432205  # here
      """),
    .violates(
      "The launch never ends, and another thread is seen working six seconds after the start.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +6s @4  trace.marker text="still here"  # here
      """),
    .violates(
      "A call ended the launch, but the launch method alone had taken six seconds.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms @9  >sys.interruption kind=phone_call
      +6s     <delegate.did_finish_launching
      +10s @9 <sys.interruption outcome=accepted
      +10ms   delegate.did_enter_background for 20ms  # here
      """),
    .violates(
      "A process that was started ahead is launched when the user asks for it.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=false background_modes=[]
      +0s     proc.start reason=prewarm
      +600s   sys.user_launch from=icon
      +10ms   >proc.main
      +10ms   delegate.did_finish_launching for 100ms
      +6s     delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "Before iOS 4 the limit was the same.",
      """
      header os_version=3.2 sdk_linked=3.2
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +6s     <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The long work runs on another thread after the launch.",
      """
      \(Step.launch)
      +10ms @5  >work.span id=1 class=db
      +9s @5  <work.span
      """),
    .holds(
      "Exactly five seconds.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +4.99s  delegate.did_become_active for 1ms
      """),
    .holds(
      "Exactly five seconds into the background; what follows is no launch any more.",
      """
      +0s     proc.start into=background reason=fetch
      +10ms   >delegate.did_finish_launching
      +4.99s  <delegate.did_finish_launching
      +20s    trace.marker text=later
      """),
    .holds(
      "A call ends the launch: it lasted until the launch method returned.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms @9  >sys.interruption kind=phone_call
      +100ms  <delegate.did_finish_launching
      +10s @9 <sys.interruption outcome=accepted
      +10ms   delegate.did_enter_background for 20ms
      +60s    delegate.will_enter_foreground for 1ms
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "What a process that was started ahead waited for the user is no launch.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=false background_modes=[]
      +0s     proc.start reason=prewarm
      +600s   sys.user_launch from=icon
      +10ms   >proc.main
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  delegate.did_become_active for 1ms
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Nobody recorded when the user asked for a process that was started ahead.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=false background_modes=[]
      +0s     proc.start reason=prewarm
      +10ms   >proc.main
      +600s   delegate.did_finish_launching for 100ms
      +150ms  delegate.did_become_active for 1ms
      """),
    .unknown(
      "The trace stops two seconds into the launch.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +2s @4  trace.marker text=last
      """),
    .unknown(
      "A crash ends the launch early.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +2s     proc.kill cause=crash
      """),
    .unknown(
      "Events of the launch were lost.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +1s     trace.lost count=3
      +9s     delegate.did_become_active for 1ms
      """),
  ]
}
