// LC004: OpenGL ES is used while the app is in the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC004 {
  private static let harmless = FieldTest.isText(.kind, ["state", "delete"])

  private static let inBackground = Condition.phase([
    .background, .suspended, .launchingBackground,
  ])

  private static func clause(_ severity: Severity, _ event: EventPattern) -> Clause {
    Clause(
      severity,
      .never(
        Never(
          event, per: .background, max: .parameter("calls"), lateNanoseconds: 5_000_000,
          countArgument: .count, yieldsWhileSuspendedTo: LC002.rule.id)),
      message: "{what} was called on {thread}, {since}")
  }

  static let rule = Rule(
    id: "LC004",
    slug: "graphics/gl-in-background",
    severity: .error,
    summary: "No OpenGL ES call and no EAGLContext creation while the app is in the background.",
    rationale: """
      The graphics processor belongs to the app on the screen. From the return of the \
      background-entry callback, or from the start of a launch into the background, to the first \
      callback of the foreground no command may be issued, on any thread.
      """,
    consequence: "The system kills the app at once, inside the call.",
    advice: """
      Stop the animation timer in applicationWillResignActive:, finish what was submitted before \
      applicationDidEnterBackground: returns, and guard every render path with the application \
      state.
      """,
    sources: [
      RuleSource(
        "App Programming Guide for iOS, App States and Multitasking",
        "Being a Responsible Background App"),
      RuleSource(
        "Understanding iOS 4 Backgrounding and Delegate Messaging (Cocoanetics)",
        "the article's part on background mode"),
    ],
    needs: ["gl", "delegate"],
    profiles: Profile.ios4Plus + [.nomt, .optout],
    parameters: [RuleParameter("calls", .count, 0, .documented)],
    clauses: [
      clause(.error, .on(.glCall, .glContextCreate, where: .not(harmless), while: inBackground)),
      clause(.warning, .on(.glCall, where: harmless, while: inBackground)),
      .kill(
        .error, "gpu-in-background",
        message: "the system killed the app: it used OpenGL ES in the background"),
    ],
    explains: ["gpu-in-background"],
    examples: [
      .violates(
        "A frame is drawn after the background was entered.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     gl.call context=1 kind=draw  # here
        """),
      .violates(
        "A render thread that nobody stopped, a nanosecond too late to be excused.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +5.000001ms @7  gl.call context=1 kind=present submit_id=4  # here
        """),
      .violates(
        "The main thread has no excuse for a late call.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1ms    gl.call context=1 kind=draw  # here
        """),
      .violates(
        "A context is created in a launch for a background fetch.",
        """
        \(Step.backgroundLaunch)
        +1s     gl.context_create context=1 api=2  # here
        """),
      .violates(
        "A call inside a background launch's own callback counts, too.",
        """
        +0s     proc.start into=background reason=fetch
        +10ms   >delegate.did_finish_launching
        +10ms   gl.call context=1 kind=clear  # here
        +10ms   <delegate.did_finish_launching
        """),
      .violates(
        "Calls of one stay in the background are one finding; the gravest decides.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     gl.call context=1 kind=state
        +1s     gl.call context=1 kind=draw count=12  # here
        +1s     gl.call context=1 kind=draw
        \(Step.toForeground)
        """),
      .violates(
        "Two stays in the background are two findings.", reasons: [nil, nil],
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     gl.call context=1 kind=state  # here
        \(Step.toForeground)
        \(Step.toBackground)
        +1s     gl.call context=1 kind=draw  # here
        """),
      .violates(
        "Deleting alone is a warning: late on another thread, and in a launch into the background.",
        reasons: [nil, nil], severities: [.warning, .warning],
        """
        \(Step.launch)
        \(Step.toBackground)
        +5.000001ms @7  gl.call context=1 kind=delete  # here
        +1s     proc.kill cause=jetsam
        +60s    proc.start into=background reason=fetch
        +10ms   >delegate.did_finish_launching
        +10ms   gl.call context=1 kind=delete  # here
        +10ms   <delegate.did_finish_launching
        """),
      .violates(
        "Woken in the background, the app draws.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.resume inferred=false reason=location
        +1s     gl.call context=1 kind=upload  # here
        """),
      .holds(
        "Inactive is still the foreground: drawing is only to be throttled.",
        """
        \(Step.launch)
        \(Step.resign)
        +1s     gl.call context=1 kind=draw
        +1s     delegate.did_become_active for 1ms
        """),
      .holds(
        "Everything is finished before the background, and drawn again after it.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   gl.call context=1 kind=finish
        +1s     delegate.did_enter_background for 20ms
        \(Step.toForeground)
        +10ms   gl.call context=1 kind=draw
        """),
      .holds(
        "Calls inside the callback are another rule's business.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +10ms   gl.call context=1 kind=draw
        +10ms   <delegate.did_enter_background
        """),
      .holds(
        "Calls of another thread recorded 5 ms after the return are late ones.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +5ms @7 gl.call context=1 kind=draw
        +0ms @7 gl.call context=1 kind=delete
        """),
      .holds(
        "From the first callback of the foreground on, drawing is right.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     >delegate.will_enter_foreground
        +10ms   gl.call context=1 kind=draw
        +10ms   <delegate.will_enter_foreground
        """),
      .holds(
        "The app is being ended: other rules apply.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     >delegate.will_terminate
        +10ms   gl.call context=1 kind=delete
        +10ms   <delegate.will_terminate
        """),
      .holds(
        "A scene on an external display keeps the app in the foreground.",
        """
        header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  scene.will_connect for 1ms scene=main role=application
        +10ms   scene.will_enter_foreground for 1ms scene=main
        +10ms   scene.did_become_active for 1ms scene=main
        +10ms   scene.will_connect for 1ms scene=tv role=external
        +10ms   scene.will_enter_foreground for 1ms scene=tv
        +10ms   scene.did_become_active for 1ms scene=tv
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms   scene.did_enter_background for 10ms scene=main
        +1s     gl.call context=1 kind=draw
        """),
      .violates(
        "While the app is suspended; where the rule on suspended work is on, that one speaks.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +10s @7 gl.call context=1 kind=draw  # here
        +10s    proc.resume inferred=false reason=user_icon
        \(Step.toForeground)
        """),
      .holds(
        "A trace that begins in mid-life: nothing is known of the state.",
        """
        +0s     trace.start reason=attach
        +1s     gl.call context=1 kind=draw
        """),
      .violates(
        "A report of the kill is enough: it was ended inside the call.",
        """
        \(Report.of("11.0"))
        +0s     proc.kill cause=gpu_in_background signal=11  # here
        """),
      .violates(
        "A call that a trace shows in mid-life, and the kill that follows says nothing new.",
        """
        +0s     trace.start reason=attach
        +1s     delegate.did_enter_background
        +1s     gl.call context=1 kind=draw  # here
        +1ms    proc.kill cause=gpu_in_background signal=11
        """),
      .holds(
        "A launch that was recorded is judged by its calls.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     proc.kill cause=gpu_in_background signal=11
        """),
      .holds(
        "Other reports have other reasons.",
        """
        \(Report.of("11.0"))
        +0s     proc.kill cause=crash signal=11
        """),
    ])
}
