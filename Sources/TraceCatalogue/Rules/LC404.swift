// LC404: OpenGL ES draws before the app is active for the first time.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC404 {
  private static func clause(_ event: EventPattern) -> Clause {
    Clause(
      .warning, .never(Never(event)),
      message: "{what} was called on {thread} before the app was active for the first time")
  }

  static let rule = Rule(
    id: "LC404",
    slug: "graphics/gl-before-active",
    severity: .warning,
    summary: "OpenGL ES is set up and drawn with only from applicationDidBecomeActive: on.",
    rationale: """
      The launch methods run in every launch, also in one into the background, where drawing is \
      fatal. applicationDidBecomeActive: runs only when there is something to be seen.
      """,
    consequence: """
      The launch takes longer than it needs to, and the same code kills the app on the day the \
      system launches it into the background.
      """,
    advice: """
      Create the context and draw the first frame in applicationDidBecomeActive:; upload what the \
      scene needs after that.
      """,
    sources: [.appStates("What to Do at Launch Time")],
    needs: ["gl", "delegate"],
    profiles: Profile.ios4Plus + [.os3],
    parameters: [],
    clauses: [
      clause(
        .on(
          .glCall, where: .isText(.kind, ["draw", "clear", "present"]),
          while: .phase([.launchingForeground]))),
      clause(.on(.glContextCreate, while: .phase([.launchingForeground]))),
    ],
    examples: [
      .violates(
        "The first frame is drawn in application:didFinishLaunchingWithOptions:.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   gl.call context=1 kind=draw  # here
        +1ms    gl.call context=1 kind=present
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "The context is created there.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   gl.context_create context=1 api=2  # here
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "Another thread clears the screen between the two callbacks.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 10ms
        +20ms @7  gl.call context=1 kind=clear  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "On a system without multitasking the launch is delayed all the same.",
        """
        header os_version=3.1 sdk_linked=3.0
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   gl.call context=1 kind=present  # here
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "The context is created and the first frame drawn when the app becomes active.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 10ms
        +20ms   >delegate.did_become_active
        +1ms    gl.context_create context=1 api=2
        +1ms    gl.call context=1 kind=clear
        +1ms    gl.call context=1 kind=draw
        +1ms    gl.call context=1 kind=present
        +1ms    <delegate.did_become_active
        """),
      .holds(
        "Textures may be uploaded and state be set before that.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   gl.call context=1 kind=upload
        +1ms    gl.call context=1 kind=state
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "Drawing in a launch into the background is told by a graver rule.",
        """
        +0s     proc.start into=background reason=fetch
        +10ms   >delegate.did_finish_launching
        +10ms   gl.context_create context=1 api=2
        +10ms   gl.call context=1 kind=draw
        +10ms   <delegate.did_finish_launching
        +1s     proc.suspend inferred=false
        """),
    ])
}
