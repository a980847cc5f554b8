// LC403: OpenGL ES drawing goes on while applicationDidEnterBackground: runs.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC403 {
  private static let drawing = EventPattern.on(
    .glCall, where: .isText(.kind, ["draw", "clear", "upload", "present"]),
    while: .phase([.enteringBackground]))

  private static let creating = EventPattern.on(
    .glContextCreate, while: .phase([.enteringBackground]))

  private static let lateDrawing = EventPattern.on(
    .glCall, where: .isText(.kind, ["draw", "clear", "upload", "present"]),
    while: .phase([.background]))

  private static let lateCreating = EventPattern.on(
    .glContextCreate, while: .phase([.background]))

  private static func during(_ event: EventPattern) -> Clause {
    Clause(
      .warning,
      .never(
        Never(event, per: .background, max: .parameter("calls"), countArgument: .count)),
      message: "{what} was called on {thread} while the app was entering the background")
  }

  private static func after(_ event: EventPattern) -> Clause {
    Clause(
      .warning,
      .never(
        Never(
          event, per: .background, max: .parameter("calls"), lateNanoseconds: 5_000_000,
          isLateOnly: true, countArgument: .count)),
      message: "{what} was called on {thread}, {since}")
  }

  static let rule = Rule(
    id: "LC403",
    slug: "graphics/gl-draw-during-entry",
    severity: .warning,
    summary: "No OpenGL ES drawing once applicationDidEnterBackground: has been entered.",
    rationale: """
      At the return of this callback the right to draw is gone. A thread that still draws while \
      it runs races with that moment. Objects may be deleted here and commands finished; nothing \
      new may be drawn, uploaded or created. Calls that another thread makes just after the return \
      lost the race by so little that they belong here.
      """,
    consequence: """
      As long as the race is won nothing happens. A frame that comes a little later gets the app \
      killed.
      """,
    advice: """
      Stop the display link or render thread in applicationWillResignActive:, and wait there \
      until its last frame is out.
      """,
    sources: [.appStates("What to Do When Moving to the Background")],
    needs: ["gl", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("calls", .count, 0, .documented)],
    clauses: [during(drawing), during(creating), after(lateDrawing), after(lateCreating)],
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "Another callback is nested in it: its own return comes later.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    >delegate.should_save_state
      +1ms    <delegate.should_save_state
      +1ms    gl.call context=1 kind=present  # here
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "A late call of one launch and a call of the next are two findings.", reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.toBackground)
      +3ms @9 gl.call context=1 kind=draw  # here
      +1s     proc.suspend inferred=false
      +10s    proc.kill cause=jetsam
      +10s    proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +200ms  delegate.did_become_active for 1ms
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    gl.call context=1 kind=draw  # here
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "A last frame is presented inside the callback.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    gl.call context=1 kind=present  # here
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "The render thread doesn't know of the callback.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms @7 gl.call context=1 kind=draw count=40  # here
      +1ms @7 gl.call context=1 kind=present
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "Clearing, uploading and creating a context in three stays in the background.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    gl.call context=1 kind=clear  # here
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    gl.call context=1 kind=upload  # here
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    gl.context_create context=2 api=2  # here
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "A call of another thread five milliseconds after the return.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +5ms @7 gl.call context=1 kind=draw  # here
      """),
    .violates(
      "A context that another thread creates five milliseconds after the return.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +5ms @7 gl.context_create context=2 api=2  # here
      """),
    .violates(
      "With scenes the callback of the last scene on the screen is meant.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   >scene.did_enter_background scene=main
      +1ms @7 gl.call context=1 kind=draw  # here
      +1ms    <scene.did_enter_background
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Objects are deleted and commands finished: the callback is the place for it.",
      """
      \(Step.launch)
      \(Step.resign)
      +1ms    gl.call context=1 kind=draw
      +10ms   >delegate.did_enter_background
      +1ms    gl.call context=1 kind=state
      +1ms    gl.call context=1 kind=delete
      +1ms    gl.call context=1 kind=flush
      +1ms    gl.call context=1 kind=finish
      +1ms    <delegate.did_enter_background
      """),
    .holds(
      "A late call that deletes or finishes is no drawing.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1ms @7 gl.call context=1 kind=delete
      +1ms @7 gl.call context=1 kind=finish
      """),
    .holds(
      "More than five milliseconds after the return it is a call in the background.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +5.000001ms @7  gl.call context=1 kind=draw
      +0ms @7         gl.context_create context=2 api=2
      """),
    .holds(
      "So is any call of the main thread after the return.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1ms    gl.call context=1 kind=draw
      +1ms    gl.context_create context=2 api=2
      """),
    .holds(
      "Drawing again as soon as the app comes back.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +1ms @7 gl.context_create context=2 api=2
      +1ms @7 gl.call context=2 kind=draw
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "Another scene is still on the screen.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 100ms
      +150ms  scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   scene.did_become_active for 1ms scene=main
      +10ms   scene.will_connect for 1ms scene=second
      +10ms   scene.will_enter_foreground for 1ms scene=second
      +10ms   scene.did_become_active for 1ms scene=second
      +1s     scene.will_resign_active for 1ms scene=main
      +10ms   >scene.did_enter_background scene=main
      +1ms    gl.call context=1 kind=draw
      +1ms    <scene.did_enter_background
      """),
  ]
}
