// LC406: on iOS 4 an app draws behind the lock screen.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC406 {
  static let rule = Rule(
    id: "LC406",
    slug: "graphics/gl-while-locked",
    severity: .warning,
    summary: "On iOS 4, drawing stops within a second when the device is locked.",
    rationale: """
      Locking takes an app off the screen. iOS 4 tells it so with applicationWillResignActive: \
      alone, which an alert would send too, so that an app which only slows down there goes on \
      drawing into the dark. From iOS 5 on the background is entered and LC004 speaks.
      """,
    consequence: """
      The guide counts a locked app as one in the background, where a call is fatal; at best the \
      frames cost battery and are seen by nobody.
      """,
    advice: "Stop the render loop in applicationWillResignActive: rather than slowing it down.",
    sources: [
      .appStates("Responding to Interruptions"), .cocoanetics("readers' comments"),
    ],
    needs: ["gl", "delegate", "sys"],
    profiles: [.ios4],
    parameters: [RuleParameter("allowance", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [
      Fact(
        "inactive by the lock", set: [.end(.delegateWillResignActive, while: .isLocked)],
        clear: [.on(.delegateDidBecomeActive)], after: .parameter("allowance", on: .continuous))
    ],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .glCall, where: .isText(.kind, ["draw", "clear", "present"]),
              while: .all([.phase([.inactive]), .isLocked, .fact("inactive by the lock")])),
            per: .inactive, countArgument: .count)),
        message: "{what} was called on {thread} while the device was locked")
    ],
    examples: [
      .violates(
        "Three seconds after the lock the app still draws.",
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +3s     gl.call context=1 kind=draw  # here
        +1s     sys.unlock
        \(Step.becomeActive)
        """),
      .violates(
        "A nanosecond after the allowance; each time the device is locked is one finding.",
        reasons: [nil, nil],
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     sys.lock cause=auto
        +10ms   >delegate.will_resign_active
        +1ms    <delegate.will_resign_active
        +1.000000001s  gl.call context=1 kind=clear  # here
        +1s     gl.call context=1 kind=present
        +1s     sys.unlock
        \(Step.becomeActive)
        +1s     sys.lock cause=auto
        +10ms   delegate.will_resign_active for 1ms
        +2s @7  gl.call context=1 kind=present  # here
        """),
      .holds(
        "Behind a phone call slow drawing is allowed.",
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     >sys.interruption kind=phone_call
        +10ms   delegate.will_resign_active for 1ms
        +3s     gl.call context=1 kind=draw
        +1s     <sys.interruption outcome=dismissed
        \(Step.becomeActive)
        """),
      .holds(
        "The frames of the first second are on their way out.",
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     sys.lock cause=button
        +10ms   >delegate.will_resign_active
        +1ms    <delegate.will_resign_active
        +1s     gl.call context=1 kind=present
        +1s     gl.call context=1 kind=state
        """),
      .holds(
        "After the unlock the app may draw, even before it is active.",
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +3s     sys.unlock
        +10ms   gl.call context=1 kind=draw
        \(Step.becomeActive)
        """),
      .holds(
        "The app was inactive for another reason when the device was locked.",
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     sys.lock cause=button
        +10ms   delegate.will_resign_active for 1ms
        +1s     sys.unlock
        \(Step.becomeActive)
        \(Step.resign)
        +1s     sys.lock cause=auto
        +3s     gl.call context=1 kind=draw
        """),
      .holds(
        "An app that entered the background is the business of another rule.",
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     sys.lock cause=button
        \(Step.toBackground)
        +3s     gl.call context=1 kind=draw
        """),
      .unknown(
        "Between two recordings the device may have been unlocked.",
        """
        header os_version=4.2 sdk_linked=4.2
        \(Step.launch)
        +1s     sys.lock
        +1s     proc.kill cause=jetsam
        +60s    trace.start reason=resume_of_recording
        \(Step.resign)
        +3s     gl.call context=1 kind=draw
        """),
      .unknown(
        "A recording that begins in mid-life doesn't tell whether the device is locked.",
        """
        header os_version=4.2 sdk_linked=4.2
        +0s     trace.start reason=attach
        \(Step.resign)
        +3s     gl.call context=1 kind=draw
        """),
    ])
}
