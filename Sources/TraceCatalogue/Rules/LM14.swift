// LM14: a launch or a scene update takes longer than the watchdog of today really allows.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM14 {
  private static let header = "header os_version=15.0 sdk_linked=15.0 background_modes=[]"

  private static func clause(
    _ subject: Lasts.Subject, _ parameter: String, message: MessageTemplate, open: MessageTemplate
  ) -> Clause {
    Clause(
      .error,
      .lasts(
        Lasts(
          subject, max: .parameter(parameter, on: .watchdog), killCauses: ["watchdog"],
          killCodes: [0x8bad_f00d], openMessage: open)),
      message: message)
  }

  static let rule = Rule(
    id: "LM14",
    slug: "watchdog/real-allowance",
    severity: .error,
    summary: "A launch takes at most 20 seconds, and a move to the background at most 10.",
    rationale: """
      Apple's guide speaks of five seconds. Reports of kills show that the system really waits \
      for about 20 seconds until a scene is made and 10 until it is updated, on the clock of the \
      wall. What takes longer doesn't just risk a kill: it gets one.
      """,
    consequence: "The watchdog kills the app (0x8badf00d, scene-create or scene-update).",
    advice: """
      Move work off the main thread, and put off what the first screen or the background doesn't \
      need.
      """,
    sources: [
      .apple("Addressing watchdog terminations"),
      .reports("the allowances in the termination descriptions of scene-create and scene-update"),
    ],
    needs: ["delegate"],
    profiles: [.ios13, .scene],
    parameters: [
      RuleParameter("launch", .nanoseconds, 20_000_000_000, .toolDefault),
      RuleParameter("scene-update", .nanoseconds, 10_000_000_000, .toolDefault),
    ],
    clauses: [
      clause(
        .launch, "launch", message: "the launch took {duration}; the watchdog allows {limit}",
        open: "the launch was not over after at least {duration}; the watchdog allows {limit}"),
      clause(
        .span([.on(.delegateDidEnterBackground)]), "scene-update",
        message: "{callback} took {duration}; the watchdog allows {limit}",
        open:
          "{callback} had not returned after at least {duration}; the watchdog allows {limit}"),
      .kill(
        .error, "watchdog-launch", where: .watchdog("watchdog-launch"),
        applies: .profile([.ios13, .scene]),
        message: "the watchdog killed the app: its launch took too long{weighing}"),
      .kill(
        .error, "watchdog-scene-update", where: .watchdog("watchdog-scene-update"),
        message: "the watchdog killed the app: its scene was not updated in time{weighing}"),
      .kill(
        .error, "watchdog-resume", where: .watchdogWithoutScene("watchdog-resume"),
        message: "the watchdog killed the app: it did not resume in time{weighing}"),
      .kill(
        .error, "watchdog-suspend", where: .watchdogWithoutScene("watchdog-suspend"),
        message: "the watchdog killed the app: it did not go to the background in time{weighing}"),
      .kill(
        .error, "watchdog", "watchdog-code", where: .wordlessWatchdog,
        message: "the watchdog killed the app: it did not answer in time{weighing}"),
    ],
    clausesAreIndependent: true,
    allowance: .real,
    explains: [
      "watchdog-launch", "watchdog-scene-update", "watchdog-resume", "watchdog-suspend", "watchdog", "watchdog-code",
    ],
    examples: violating + reported + holding + undecided)

  private static let reported: [RuleExample] = [
    .violates(
      "A report of a launch that was too slow, in each of its wordings.", reasons: [nil, nil, nil],
      """
      \(Report.of("15.0"))
      +0s     proc.kill cause=watchdog description="process-launch watchdog"  # here
      +0s     trace.start reason=attach
      +0s     proc.kill cause=watchdog description="scene-create watchdog transgression"  # here
      +0s     trace.start reason=attach
      +0s     proc.kill code=2343432205 description="org.x failed to launch in time"  # here
      """),
    .violates(
      "A report of a scene that was not updated, on any system.", reasons: [nil, nil, nil],
      """
      \(Report.of("11.2"))
      +0s     proc.kill code=2343432205 description="scene-update watchdog" allowance_s=10  # here
      +0s     trace.start reason=attach
      +0s     proc.kill cause=watchdog description="org.x failed to resume in time"  # here
      +0s     trace.start reason=attach
      +0s     proc.kill cause=watchdog description="org.x failed to suspend in time"  # here
      """),
    .violates(
      "The code of a watchdog is as good as its cause, whatever it waited for.",
      reasons: [nil, nil],
      """
      \(Report.of("15.0"))
      +0s     proc.kill code=2343432205 description="org.x failed to resume in time"  # here
      +0s     trace.start reason=attach
      +0s     proc.kill code=2343432205 description="org.x failed to suspend in time"  # here
      """),
    .violates(
      "A code alone says that the watchdog waited, and not for what.", reasons: [nil, nil],
      """
      \(Report.of("15.0"))
      +0s     proc.kill cause=watchdog code=2343432205  # here
      +0s     trace.start reason=attach
      +0s     proc.kill code=2343432205 description="unheard of"  # here
      """),
    .violates(
      "The callback lasts long, and the kill that follows says nothing new.",
      """
      header os_version=15.0 sdk_linked=15.0
      +0s     trace.start reason=attach
      +1s     >delegate.did_enter_background
      +12s    <delegate.did_enter_background  # here
      +1s     proc.kill cause=watchdog description="scene-update watchdog transgression"
      """),
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "A nanosecond more than 20 seconds until the app is active.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +50ms   >delegate.did_finish_launching
      +19s    <delegate.did_finish_launching
      +950.000001ms  delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "A launch into the background is over when its callback returns.",
      """
      \(header)
      +0s     proc.start into=background reason=fetch
      +50ms   >delegate.did_finish_launching
      +25s    <delegate.did_finish_launching  # here
      """),
    .violates(
      "The watchdog's own verdict on a launch, even where little time passed in the trace.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +50ms   >delegate.did_finish_launching
      +3s     proc.kill cause=watchdog  # here
      """),
    .violates(
      "A nanosecond more than 10 seconds until the background is entered.",
      """
      \(header)
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10.000000001s  <delegate.did_enter_background  # here
      """),
    .violates(
      "The code of the kill is as good as its cause.",
      """
      \(header)
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +3s     proc.kill code=2343432205  # here
      """),
    .violates(
      "So it is of a launch.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +50ms   >delegate.did_finish_launching
      +3s     proc.kill code=2343432205  # here
      """),
    .violates(
      "The callback never returns, and another thread is seen working eleven seconds later.",
      """
      \(header)
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +11s @4 trace.marker text="still here"  # here
      """),
    .violates(
      "A slow launch and a slow scene are two findings.", reasons: [nil, nil],
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 30s
      +31s    scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main  # here
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   >scene.did_enter_background scene=main
      +12s    <scene.did_enter_background scene=main  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Before iOS 13 a report of a slow launch is another rule's.",
      """
      \(Report.of("12.0"))
      +0s     proc.kill cause=watchdog description="scene-create watchdog transgression"
      """),
    .holds(
      "Other reports have other reasons.",
      """
      \(Report.of("15.0"))
      +0s     proc.kill cause=watchdog code=2343432205 description="process-exit watchdog"
      +0s     trace.start reason=attach
      +0s     proc.kill cause=bgtask_expired code=2343432205
      +0s     trace.start reason=attach
      +0s     proc.kill cause=crash code=6 description="scene-create and scene-update"
      """),
    .holds(
      "Where the callback was recorded from the launch on, its times count.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.kill cause=watchdog description="scene-update watchdog transgression"
      """),
    .holds(
      "Exactly 20 seconds, and exactly 10.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +50ms   >delegate.did_finish_launching
      +19s    <delegate.did_finish_launching
      +950ms  delegate.did_become_active for 1ms
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +10s    <delegate.did_enter_background
      """),
    .holds(
      "More than the five seconds of the guide is another rule's.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +50ms   delegate.did_finish_launching for 9s
      +9s     delegate.did_become_active for 1ms
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +8s     <delegate.did_enter_background
      """),
    .holds(
      "Once the app is active the launch is over.",
      """
      \(header)
      \(Step.launch)
      +60s    trace.marker text=later
      +1s     proc.kill cause=watchdog code=2343432205
      """),
    .holds(
      "The time in which the app was suspended doesn't count.",
      """
      \(header)
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +1s     <delegate.did_enter_background
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Jetsam ended the launch early.",
      """
      \(header)
      +0s     proc.start into=foreground reason=user_icon
      +50ms   >delegate.did_finish_launching
      +3s     proc.kill cause=jetsam
      """),
    .unknown(
      "The trace stops nine seconds into the callback.",
      """
      \(header)
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +9s @4  trace.marker text=last
      """),
    .unknown(
      "Events were lost inside the callback.",
      """
      \(header)
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1s     trace.lost count=3
      +20s    <delegate.did_enter_background
      """),
  ]
}
