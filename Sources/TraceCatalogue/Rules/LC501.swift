// LC501: a callback or a turn of the process that the life cycle doesn't have at this point.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC501 {
  /// The rules that say more exactly what is wrong with a transition.
  private static let specific: [Yield] = (502...522).map { Yield(to: "LC\($0)", same: .event) }

  static let rule = Rule(
    id: "LC501",
    slug: "transition/illegal",
    severity: .warning,
    summary: "Each callback of the life cycle comes in a state in which the system makes it.",
    rationale: """
      Which callback may follow which depends on the system, the SDK and the device, and is laid \
      down in a table of transitions. A callback without a place in it wasn't made by the system, \
      or the recording lacks the one before it. After a finding the state is the one that the \
      callback implies, so that one fault is told once.
      """,
    consequence: """
      Code that undoes or repeats a step runs at the wrong time: timers are started twice, or a \
      resource is released that was never taken.
      """,
    advice: """
      Don't call or forward the delegate's methods yourself; put the shared code into a method of \
      your own. If the app doesn't, look for callbacks that the recorder misses.
      """,
    sources: [
      .appStates("Managing App State Changes"), .xamarin("Application Lifecycle Methods"),
    ],
    needs: ["delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .handWritten(
          .transitions, because: "the table of transitions decides, by profile and state"),
        message: "")
    ],
    isLoweredWhereSystemIsAssumed: true,
    yields: specific,
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "One line after a callback is over is no echo of an earlier one whose return was lost.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1s     >delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      +1s     delegate.will_resign_active  # here
      """),
    .violates(
      "An active app can't become active.",
      """
      \(Step.launch)
      +1s     delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "An inactive app can't resign.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     delegate.will_resign_active for 1ms  # here
      """),
    .violates(
      "In the background there is nothing to resign, and the background can't be entered again.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_resign_active for 1ms  # here
      +10ms   delegate.did_enter_background for 1ms
      +1s     delegate.did_enter_background for 1ms  # here
      """),
    .violates(
      "From the background an app becomes active by way of applicationWillEnterForeground:.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "After applicationWillTerminate: nothing comes but the end.",
      """
      \(Step.launch)
      +1s     delegate.will_terminate for 1ms
      +10ms   delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "A launch is finished once.",
      """
      \(Step.launch)
      +1s     delegate.did_finish_launching for 1ms  # here
      """),
    .violates(
      "The system doesn't suspend an app that is on the screen.",
      """
      \(Step.launch)
      +1s     proc.suspend inferred=false  # here
      +1s     proc.resume inferred=false reason=unknown
      \(Step.end)
      """),
    .violates(
      "A suspended app isn't suspended again without a resume.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "A process that has ended gets no callbacks; that it does is told once.",
      """
      \(Step.launch)
      +1s     proc.kill cause=crash
      +50.000001ms  delegate.will_resign_active for 1ms  # here
      +10ms   delegate.did_enter_background for 1ms
      """),
    .violates(
      "Nor is it suspended or resumed; each process that ends is told of.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      \(Step.toSuspended)
      +1s     proc.kill cause=jetsam
      +1s     proc.resume inferred=false reason=user_icon  # here
      +1s     proc.start into=foreground reason=user_icon
      +1s     proc.kill cause=crash
      +1s     proc.suspend inferred=false  # here
      +1s     proc.start into=foreground reason=user_icon
      +1s     proc.kill cause=crash
      +1s     >proc.main argc=1  # here
      """),
    .violates(
      "Before iOS 4 there was no background to enter.",
      """
      header os_version=3.1 sdk_linked=3.0
      \(Step.launch)
      \(Step.resign)
      +10ms   delegate.did_enter_background for 1ms  # here
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .violates(
      "A launch that is finished isn't finished again before the app is active either.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 1ms
      +10ms   delegate.did_finish_launching for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "An app that is on the screen can't be resumed.",
      """
      \(Step.launch)
      +1s     proc.resume inferred=false reason=unknown  # here
      """),
    .violates(
      "The system exits for the app only after applicationWillTerminate:.",
      """
      \(Step.launch)
      +1s     proc.exit by=uikit_after_will_terminate  # here
      """),
    .violates(
      "Where there is no background, no app is launched into it.",
      """
      header os_version=4.2 sdk_linked=4.2 multitasking_supported=false
      +0s     proc.start into=background reason=location  # here
      +10ms   delegate.did_finish_launching for 1ms
      """),
    .violates(
      "One callback was missed: one finding, and the state is right again.",
      """
      \(Step.launch)
      \(Step.resign)
      \(Step.resign)  # here
      \(Step.becomeActive)
      \(Step.toBackground)
      \(Step.toForeground)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A return of a callback that was never entered says nothing.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +5ms    <delegate.did_finish_launching
      +5ms    delegate.did_finish_launching for 100ms
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "To the background, into suspension and back.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      \(Step.toForeground)
      \(Step.resign)
      \(Step.becomeActive)
      """),
    .holds(
      "Dialogs of a purchase give three pairs in a row.",
      """
      \(Step.launch)
      \(Step.resign)
      \(Step.becomeActive)
      \(Step.resign)
      \(Step.becomeActive)
      \(Step.resign)
      \(Step.becomeActive)
      """),
    .holds(
      "An app that was launched into the background is opened by its user.",
      """
      \(Step.backgroundLaunch)
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      \(Step.toForeground)
      """),
    .holds(
      "A launch may be cut short by an interruption, or by the Home button.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 1ms
      +10ms   delegate.will_resign_active for 1ms
      +10ms   delegate.did_enter_background for 1ms
      +1s     proc.suspend inferred=false
      +60s    proc.kill cause=jetsam
      +1s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 1ms
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "The app may be ended while active, inactive, or running in the background.",
      """
      \(Step.launch)
      +1s     delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      \(Step.launch)
      \(Step.resign)
      +1s     delegate.will_terminate for 1ms
      +10ms   proc.kill cause=user_force_quit
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "A suspended app is resumed in order to be ended, or killed without a word.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      """),
    .holds(
      "An iPhone 3G with iOS 4 skips one callback and ends the app.",
      """
      header os_version=4.2 sdk_linked=4.2 device_model="iPhone1,2" multitasking_supported=false
      \(Step.launch)
      +1s     sys.home_button
      +10ms   delegate.did_enter_background for 1ms
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "An app that opts out of the background may be told of it before it is ended.",
      """
      header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true
      \(Step.launch)
      +1s     sys.home_button
      +10ms   delegate.will_resign_active for 1ms
      +10ms   delegate.did_enter_background for 1ms
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "An app of the time before iOS 4 is ended when it is left.",
      """
      header os_version=3.1 sdk_linked=3.0
      \(Step.launch)
      +1s     sys.home_button
      +10ms   delegate.will_resign_active for 1ms
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "The same app on iOS 4 passes through a short stage in the background.",
      """
      header os_version=4.0 sdk_linked=3.2
      \(Step.launch)
      +1s     sys.home_button
      +10ms   delegate.will_resign_active for 1ms
      +10ms   delegate.did_enter_background for 1ms
      +10ms   delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "The line of a notification inside the callback of the same name is its echo.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      """),
    .holds(
      "Silence on the screen is a debugger or a busy device, whatever was inferred from it.",
      """
      \(Step.launch)
      +1s     proc.suspend inferred=true evidence=heartbeat_gap
      +5s     proc.resume inferred=true reason=unknown
      \(Step.resign)
      """),
    .holds(
      "Two observers tell of a suspension, and one of them of the end a little too early.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +50ms   proc.suspend inferred=false
      \(Step.resumed)
      +1s     >delegate.will_terminate
      +10ms   proc.kill cause=user_force_quit
      +10ms   proc.exit by=uikit_after_will_terminate
      +40ms   delegate.did_become_active
      +60s    <delegate.will_terminate
      +1s     proc.suspend inferred=true evidence=heartbeat_gap
      """),
    .holds(
      "After the end the recorder is attached to another process.",
      """
      \(Step.launch)
      +1s     proc.kill cause=crash
      +60s    trace.start reason=attach
      +1s     delegate.will_resign_active for 1ms
      """),
    .holds(
      "A callback that never returns: its return was lost, and with it the certainty.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1s     delegate.did_enter_background for 1ms
      \(Step.toForeground)
      """),
    .holds(
      "With scenes the delegate's callbacks are echoes that somebody forwards by hand.",
      """
      header os_version=15.0 sdk_linked=15.0 scene_manifest=true background_modes=[]
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 1ms
      +10ms   scene.will_connect for 1ms scene=main
      +10ms   scene.will_enter_foreground for 1ms scene=main
      +10ms   delegate.will_enter_foreground for 1ms
      +10ms   scene.did_become_active for 1ms scene=main
      +10ms   delegate.did_become_active for 1ms
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "A gap: what the callback follows isn't known.",
      """
      \(Step.launch)
      +1s     trace.lost count=3
      +1s     delegate.did_become_active for 1ms
      """),
  ]

}
