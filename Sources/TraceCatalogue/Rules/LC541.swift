// LC541: a repeating timer fires while the app is inactive.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC541 {
  static let rule = Rule(
    id: "LC541",
    slug: "inactive/timer-running",
    severity: .warning,
    summary: "Repeating timers are stopped when the app resigns the active state.",
    rationale: """
      Behind a call or an alert the user sees little of the app and can't touch it. A timer that \
      goes on drives animations and games for nobody.
      """,
    consequence:
      "The battery pays for work that nobody sees, and a game goes on without its player.",
    advice: """
      Invalidate repeating timers and display links in applicationWillResignActive: and make new \
      ones in applicationDidBecomeActive:.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["work", "delegate"],
    profiles: Profile.allCases,
    parameters: [
      RuleParameter("allowance", .nanoseconds, 500_000_000, .toolDefault),
      RuleParameter("fires", .count, 0, .toolDefault),
    ],
    facts: [
      Fact(
        "repeating", set: [.on(.workTimerStart, where: .isTrue(.repeats))],
        clear: [.on(.workTimerStop), .on(.workTimerStart, where: .not(.isTrue(.repeats)))],
        key: [.argument(.timer)]),
      Fact(
        "resigned", set: [.end(.delegateWillResignActive)],
        clear: [.on(.delegateWillEnterForeground)],
        after: .parameter("allowance", on: .continuous)),
    ],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .workTimerFire,
              while: .all([.phase([.inactive]), .fact("resigned"), .fact("repeating")])),
            per: .inactive, key: [.argument(.timer)], max: .parameter("fires"))),
        message: "{what} ({key}) came on {thread} while the app was inactive")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "A timer that nobody stopped fires behind an alert.",
        """
        \(Step.launch)
        +1s     work.timer_start timer=1 interval_s=1 repeats=true
        \(Step.resign)
        +2s     work.timer_fire for 1ms timer=1  # here
        +1s     work.timer_fire for 1ms timer=1
        """),
      .violates(
        "A nanosecond after the allowance.",
        """
        \(Step.launch)
        +1s     work.timer_start timer=1 interval_s=1 repeats=true
        \(Step.resign)
        +501.000001ms  work.timer_fire for 1ms timer=1  # here
        """),
      .violates(
        "Each timer is told once for each stretch of inactivity.", reasons: [nil, nil, nil],
        """
        \(Step.launch)
        +1s     work.timer_start timer=1 interval_s=1 repeats=true
        +1s @3  work.timer_start timer=2 interval_s=1 repeats=true
        \(Step.resign)
        +2s     work.timer_fire for 1ms timer=1  # here
        +10ms @3  work.timer_fire for 1ms timer=2  # here
        \(Step.becomeActive)
        \(Step.resign)
        +2s     work.timer_fire for 1ms timer=1  # here
        """),
      .holds(
        "The timer is stopped in the callback; a fire that was on its way comes at once.",
        """
        \(Step.launch)
        +1s     work.timer_start timer=1 interval_s=1 repeats=true
        +1s     work.timer_start timer=2 interval_s=1 repeats=true
        +1s     >delegate.will_resign_active
        +1ms    work.timer_stop timer=1
        +1ms    <delegate.will_resign_active
        +500ms  work.timer_fire for 1ms timer=2
        +1ms    work.timer_stop timer=2
        +1s     work.timer_fire for 1ms timer=1
        """),
      .holds(
        "A timer that fires once is none that runs.",
        """
        \(Step.launch)
        +1s     work.timer_start timer=1 interval_s=5 repeats=false
        +1s     work.timer_start timer=2 interval_s=5 repeats=true
        +1s     work.timer_start timer=2 interval_s=5 repeats=false
        \(Step.resign)
        +2s     work.timer_fire for 1ms timer=1
        +1s     work.timer_fire for 1ms timer=2
        """),
      .holds(
        "Inactive on the way back from the background isn't meant.",
        """
        \(Step.launch)
        +1s     work.timer_start timer=1 interval_s=1 repeats=true
        \(Step.toBackground)
        +1s     work.timer_fire for 1ms timer=1
        +1s     delegate.will_enter_foreground for 1ms
        +2s     work.timer_fire for 1ms timer=1
        +1s     delegate.did_become_active for 1ms
        """),
      .holds(
        "Every stretch of inactivity has its own allowance.",
        """
        \(Step.launch)
        +1s     work.timer_start timer=1 interval_s=9 repeats=true
        \(Step.resign)
        +2s     delegate.did_become_active for 1ms
        \(Step.resign)
        +400ms  work.timer_fire for 1ms timer=1
        \(Step.becomeActive)
        """),
      .unknown(
        "What kind of timer it is was said before the recording began.",
        """
        +0s     trace.start reason=attach
        \(Step.resign)
        +2s     work.timer_fire for 1ms timer=1
        """),
    ])
}
