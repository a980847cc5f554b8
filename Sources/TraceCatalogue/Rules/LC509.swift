// LC509: a touch reaches an app that isn't active.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC509 {
  private static let isAttached = FieldTest.isText(.reason, ["attach", "resume_of_recording"])

  /// The process ended; who observes it may be a little early.
  private static let ended = Fact(
    "ended", set: [.on(.procExit, .procKill)],
    after: .nanoseconds(50_000_000, on: .continuous), life: .trace)

  static let rule = Rule(
    id: "LC509",
    slug: "transition/touch-while-not-active",
    severity: .warning,
    summary: "Touches reach the app only while it is active.",
    rationale: """
      An inactive app shows itself behind an alert, and one in the background shows nothing: the \
      system gives their touches to others. A touch that was on its way while the app resigned is \
      excused. Motion and other events are not touches.
      """,
    consequence: """
      Either the trace misses the callback that made the app active, or the app feeds touches to \
      itself and reacts behind an alert.
      """,
    advice: """
      Check that the recorder sees every callback of the life cycle. Don't replay or synthesise \
      touches while the app is inactive.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["ui", "delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("touches", .count, 0, .documented)],
    facts: [ended],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .uiTouch,
              while: .phase([
                .launchingForeground, .launchingBackground, .inactive, .enteringBackground,
                .background, .suspended, .enteringForeground, .terminating,
              ])),
            max: .parameter("touches"))),
        message: "A touch reached the app while it was not active"),
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [.on(.procExit, .procKill)],
            closesAll: [.on(.procStart), .on(.traceStart, where: isAttached)],
            due: [.at([.on(.uiTouch, while: .fact("ended"))])], per: .launch,
            outlivesLaunch: true)),
        message: "A touch reached the app after its process had ended"),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding)

  private static let violating: [RuleExample] = [
    .violates(
      "A process that has called exit gets no touches.",
      """
      \(Step.launch)
      +1s     proc.exit code=0 by=app
      +1s     ui.touch  # here
      """),
    .violates(
      "A touch behind an alert, and two more: one finding.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     ui.touch  # here
      +1s     ui.touch
      \(Step.becomeActive)
      \(Step.resign)
      +1s     ui.touch
      """),
    .violates(
      "A touch before the app was told that it is active.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   delegate.did_finish_launching for 1ms
      +1s     ui.touch  # here
      """),
    .violates(
      "A launch into the background has nothing to touch.",
      """
      +0s     proc.start into=background reason=fetch
      +10ms   ui.touch  # here
      +10ms   delegate.did_finish_launching for 1ms
      """),
    .violates(
      "An app in the background isn't on the screen.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     ui.touch  # here
      """),
    .violates(
      "A suspended app can't be touched.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +1s     ui.touch  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "A thread of its own delivers touches while the background is entered.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms @3 ui.touch  # here
      +1ms    <delegate.did_enter_background
      """),
    .violates(
      "The same on the way back to the screen.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     >delegate.will_enter_foreground
      +1ms @3 ui.touch  # here
      +1ms    <delegate.will_enter_foreground
      +1ms    delegate.did_become_active for 1ms
      """),
    .violates(
      "A process that has ended gets no touches; there is one finding for each.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     proc.kill cause=crash
      +50.000001ms  ui.touch  # here
      +1s     ui.touch
      +60s    proc.start into=foreground reason=user_icon
      +150ms  delegate.did_become_active for 1ms
      +1s     proc.exit code=0 by=app
      +1s     ui.touch  # here
      """),
    .violates(
      "An app that is being ended gets no touches.",
      """
      \(Step.launch)
      +1s     delegate.will_terminate for 1ms
      +10ms   ui.touch  # here
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "What is recorded just after the end was on its way, or comes from the next process.",
      """
      \(Step.launch)
      +1s     proc.exit code=0 by=app
      +50ms   ui.touch
      +60s    proc.start into=foreground reason=user_icon
      +150ms  delegate.did_become_active for 1ms
      +1s     ui.touch
      +1s     proc.kill cause=crash
      +60s    trace.start reason=attach
      +1s     delegate.did_become_active for 1ms
      +1s     ui.touch
      """),
    .holds(
      "Touches of an active app.",
      """
      \(Step.launch)
      +1s     ui.touch
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     ui.touch
      """),
    .holds(
      "Other events reach an inactive app as well.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     ui.event kind=accelerometer
      +1s     note.deliver for 1ms name=NSUserDefaultsDidChangeNotification
      """),
    .holds(
      "A touch that was on its way while the app resigned.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms @3 ui.touch
      +1ms    <delegate.will_resign_active
      """),
  ]
}
