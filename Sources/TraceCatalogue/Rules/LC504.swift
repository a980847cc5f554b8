// LC504: applicationWillEnterForeground: comes to an app that is in the foreground.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC504 {
  static let rule = Rule(
    id: "LC504",
    slug: "delegate-order/foreground-without-background",
    severity: .warning,
    summary: "applicationWillEnterForeground: comes only to an app that is in the background.",
    rationale: """
      The callback undoes what was done on the way to the background. A launch doesn't have it, \
      and neither has the end of an interruption; an app that was launched into the background \
      gets it when its user opens it.
      """,
    consequence: "State is restored, or connections are opened, a second time.",
    advice: """
      Do what belongs to every activation in applicationDidBecomeActive:, and don't call this \
      callback from your own code.
      """,
    sources: [.xamarin("Application Lifecycle Methods")],
    needs: ["delegate"],
    profiles: [.ios4, .ios5, .ios7, .ios8, .ios13],
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .delegateWillEnterForeground,
              while: .wasPhase([.launchingForeground, .active, .resigning, .inactive])),
            per: .event)),
        message: "applicationWillEnterForeground: came to an app that was not in the background")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "After an interruption the app only becomes active again.",
        """
        \(Step.launch)
        \(Step.resign)
        +1s     delegate.will_enter_foreground for 1ms  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "An active app is in the foreground.",
        """
        \(Step.launch)
        +1s     delegate.will_enter_foreground for 1ms  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "A launch doesn't have this callback.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 1ms
        +10ms   delegate.will_enter_foreground for 1ms  # here
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "The app calls it from applicationWillResignActive:.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    delegate.will_enter_foreground for 1ms  # here
        +10ms   <delegate.will_resign_active
        +1s     delegate.did_become_active for 1ms
        """),
      .holds(
        "From suspension, and from the background.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        \(Step.toForeground)
        \(Step.toBackground)
        \(Step.toForeground)
        """),
      .holds(
        "The user opens an app that was launched into the background.",
        """
        \(Step.backgroundLaunch)
        +1s     delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "A scene has this callback at launch, also where the header doesn't tell of scenes.",
        """
        header os_version=15.0 sdk_linked=15.0
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  scene.will_connect for 1ms scene=main
        +10ms   scene.will_enter_foreground for 1ms scene=main
        +10ms   scene.did_become_active for 1ms scene=main
        """),
      .unknown(
        "What came before the gap isn't known.",
        """
        \(Step.launch)
        +1s     trace.lost count=3
        +1s     delegate.will_enter_foreground for 1ms
        """),
    ])
}
