// LC503: the background is entered without applicationWillResignActive: before it.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC503 {
  private static let message: MessageTemplate =
    "applicationDidEnterBackground: came before applicationWillResignActive: had returned"

  /// The background was entered inside will_resign_active, unless the return of that was lost. The
  /// return of another call of it tells nothing.
  private static let insideResigning = Fact(
    "inside",
    set: [.on(.delegateDidEnterBackground, while: .wasPhase([.resigning]))],
    clear: [.on(.delegateWillResignActive)])

  static let rule = Rule(
    id: "LC503",
    slug: "delegate-order/background-without-resign",
    severity: .warning,
    summary:
      "applicationDidEnterBackground: comes after applicationWillResignActive: has returned.",
    rationale: """
      An app that leaves the screen is made inactive first and then sent to the background, each \
      step with its callback. Apps without a background of their own are exempt: some systems \
      leave the first step out for them.
      """,
    consequence: """
      What the app pauses when it resigns goes on into the background: timers, drawing, a game.
      """,
    advice: """
      Don't call applicationDidEnterBackground: from your own code. If nobody does, find out why \
      the recorder didn't see applicationWillResignActive:.
      """,
    sources: [.appStates("Moving to the Background")],
    needs: ["delegate"],
    profiles: [.ios4, .ios5, .ios7, .ios8, .ios13],
    parameters: [],
    facts: [insideResigning],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(.on(.delegateDidEnterBackground, while: .wasPhase([.active])), per: .event)),
        message: message),
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [.on(.delegateDidEnterBackground, while: .wasPhase([.resigning]))],
            reopening: .replace,
            due: [
              .at([.end(.delegateWillResignActive, while: .fact("inside"))]),
              // Without that return it was lost, and nobody knows when it came.
              .processEnd([], orNewStart: false, while: nil),
            ], per: .event, isUndecidedIfCutOff: true)),
        message: message),
    ],
    isLoweredWhereSystemIsAssumed: true,
    yields: [Yield(to: "LC520", same: .event)],
    examples: [
      .violates(
        "From active straight to the background.",
        """
        \(Step.launch)
        +1s     delegate.did_enter_background for 1ms  # here
        """),
      .violates(
        "The one callback begins inside the other.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    delegate.did_enter_background for 1ms
        +10ms   <delegate.will_resign_active  # here
        """),
      .violates(
        "A callback that was lost once is told once.",
        """
        \(Step.launch)
        +1s     delegate.did_enter_background for 1ms  # here
        \(Step.toForeground)
        \(Step.toBackground)
        """),
      .violates(
        "One line for each callback is enough to tell the order.",
        """
        \(Step.launch)
        +1s     delegate.did_enter_background  # here
        """),
      .holds(
        "Both callbacks in their order.",
        """
        \(Step.launch)
        \(Step.toBackground)
        """),
      .holds(
        "An app that opts out of the background may get the second one only.",
        """
        header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true
        \(Step.launch)
        +1s     sys.home_button
        +10ms   delegate.did_enter_background for 1ms
        +10ms   delegate.will_terminate for 1ms
        """),
      .holds(
        "An app may reach the background before it was ever active.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 1ms
        +10ms   sys.home_button
        +10ms   delegate.did_enter_background for 1ms
        """),
      .holds(
        "The line of a notification inside the callback is its echo.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    delegate.did_enter_background
        +1ms    <delegate.did_enter_background
        """),
      .unknown(
        "The first callback returned at some time: its return was lost.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    delegate.did_enter_background for 1ms
        \(Step.end)
        """),
      .unknown(
        "The return of another callback of the same kind doesn't tell when that one returned.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    delegate.did_enter_background for 1ms
        \(Step.toForeground)
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        """),
      .unknown(
        "A trace that stops there tells as little.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    delegate.did_enter_background for 1ms
        \(Step.toForeground)
        """),
      .unknown(
        "What came before the gap isn't known.",
        """
        \(Step.launch)
        +1s     trace.lost count=3
        +1s     delegate.did_enter_background for 1ms
        """),
    ])
}
