// LC543: new work is begun while the app is inactive.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC543 {
  /// From applicationWillResignActive: on, on the way to nowhere, and by nobody else's doing.
  private static let isIdle: Condition = .all([
    .phase([.resigning, .inactive]), .fact("resigned"), .not(.fact("leaving")),
    .not(.fact("in a notification")), .not(.fact("network reply")),
  ])

  private static func clause(_ kinds: [EventKind], where test: FieldTest? = nil) -> Clause {
    Clause(
      .warning,
      .never(
        Never(EventPattern(.kinds(kinds), where: test, while: isIdle), per: .inactive)),
      sparesInactivity: .parameter("exempt"),
      message: "{what} began new work on {thread} while the app was inactive")
  }

  static let rule = Rule(
    id: "LC543",
    slug: "inactive/new-task-started",
    severity: .warning,
    summary: "From applicationWillResignActive: on the app begins no new work that can wait.",
    rationale: """
      The system needs the processor for the call or alert in front, and the app may be about to \
      leave. What must be finished now is another matter: saving, critical work and network replies.
      """,
    consequence:
      "The work competes with what the user looks at, and may be cut off by a suspension.",
    advice: """
      Begin such work in applicationDidBecomeActive:, or mark it as critical if it can't wait.
      """,
    sources: [.appStates("What to Do When an Interruption Occurs")],
    needs: ["work", "delegate", "sys", "note", "net", "url"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("exempt", .nanoseconds, 500_000_000, .toolDefault)],
    facts: [
      .leaving,
      .inside("in a notification", .noteDeliver),
      Fact(
        "network reply",
        set: [.on(.netIo), .on(.urlTask, where: .isText(.op, ["finish", "error"]))],
        lasts: .nanoseconds(100_000_000)),
      Fact(
        "resigned", set: [.on(.delegateWillResignActive)],
        clear: [.on(.delegateWillEnterForeground)]),
    ],
    clauses: [
      clause(
        [.workSpan], where: .isText(.class, ["noncritical", "housekeeping", "download"])),
      clause([.workDispatch], where: .isFalse(.critical)),
      clause([.workQueryStart, .workTimerStart]),
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding + excused + [
      .unknown(
        "The way to the background may have begun before the recording.",
        """
        +0s     trace.start reason=attach
        \(Step.resign)
        +1s     work.dispatch queue=a critical=false work=1
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "Half a second of inactivity is long enough to be judged.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    <delegate.will_resign_active
      +1ms    work.dispatch queue=a critical=false work=1  # here
      +499ms  delegate.did_become_active for 1ms
      """),
    .violates(
      "A block that can wait is dispatched behind an alert.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     work.dispatch queue=a critical=false work=1  # here
      +1s     work.dispatch queue=a critical=false work=2
      """),
    .violates(
      "Each kind of work that can wait, in a stretch of inactivity of its own.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      \(Step.resign)
      +1s     work.span for 1ms id=1 class=noncritical  # here
      \(Step.becomeActive)
      \(Step.resign)
      +1s @3  work.span for 1ms id=2 class=housekeeping  # here
      \(Step.becomeActive)
      \(Step.resign)
      +1s @3  work.span for 1ms id=3 class=download  # here
      """),
    .violates(
      "There is no allowance: the callback itself is too late.", reasons: [nil, nil, nil],
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    work.dispatch queue=a critical=false work=1  # here
      +1ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +1s     >delegate.will_resign_active
      +1ms    work.span for 1ms id=1 class=noncritical  # here
      +2ms    <delegate.will_resign_active
      \(Step.becomeActive)
      +1s     >delegate.will_resign_active
      +1ms    work.query_start query=1  # here
      +1ms    <delegate.will_resign_active
      """),
    .violates(
      "A timer is started for later.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     work.timer_start timer=1 interval_s=5 repeats=false  # here
      """),
    .violates(
      "A tenth of a second after a reply the work is the app's own idea.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s @3  net.io socket=1 bytes=100
      +100ms  work.dispatch queue=a critical=false work=1  # here
      """),
    .violates(
      "The notification was handled, or is handled on another thread.", reasons: [nil, nil],
      """
      \(Step.launch)
      \(Step.resign)
      +1s     note.deliver for 1ms name=x
      +1s     work.dispatch queue=a critical=false work=1  # here
      \(Step.becomeActive)
      \(Step.resign)
      +1s     >note.deliver name=x
      +1ms @3 work.dispatch queue=a critical=false work=2  # here
      +1ms    <note.deliver
      """),
    .violates(
      "The app was away and is back; the way out of then excuses nothing.",
      """
      \(Step.launch)
      +1s     sys.home_button
      \(Step.toBackground)
      \(Step.toForeground)
      \(Step.resign)
      +1s     work.dispatch queue=a critical=false work=1  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "On the way to the background the app is inactive for a moment only, which isn't judged.",
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +1ms    work.dispatch queue=main critical=false
      +1ms    <delegate.will_resign_active
      +1ms    work.dispatch queue=main critical=false
      +9ms    delegate.did_enter_background for 1ms
      """),
    .holds(
      "Traffic that is under way may go on.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s @3  net.io socket=1 bytes=100
      """),
    .holds(
      "What saves data, and what can't wait, is in order.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     bgtask.begin token=1
      +1ms    work.span for 1ms id=1 class=save
      +2ms    work.span for 1ms id=2 class=db
      +2ms    work.span for 1ms id=3 class=critical
      +2ms    work.dispatch queue=a critical=true work=1
      +2ms    work.dispatch queue=a work=2
      +1ms    bgtask.end token=1
      """),
    .holds(
      "An active app begins what it likes.",
      """
      \(Step.launch)
      +1s     work.dispatch queue=a critical=false work=1
      +1s     work.timer_start timer=1 interval_s=5 repeats=false
      +1s     work.query_start query=1
      +1s     work.span for 1ms id=1 class=download
      """),
    .holds(
      "Inactive on the way back from the background isn't meant.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     delegate.will_enter_foreground for 1ms
      +1s     work.dispatch queue=a critical=false work=1
      +1s     delegate.did_become_active for 1ms
      """),
  ]

  private static let excused: [RuleExample] = [
    .holds(
      "The user leaves the app, which may use the time before the background.",
      """
      \(Step.launch)
      +1s     sys.home_button
      +1ms    delegate.will_resign_active for 1ms
      +2ms    work.dispatch queue=a critical=false work=1
      +600ms  delegate.did_enter_background for 1ms
      """),
    .holds(
      "So does who goes to another app or locks the device.",
      """
      \(Step.launch)
      +1s     sys.app_switch target=phone
      +1ms    delegate.will_resign_active for 1ms
      +2ms    work.dispatch queue=a critical=false work=1
      +600ms  delegate.did_enter_background for 1ms
      \(Step.toForeground)
      +1s     sys.lock cause=button
      +1ms    delegate.will_resign_active for 1ms
      +2ms    work.dispatch queue=a critical=false work=2
      +600ms  delegate.did_enter_background for 1ms
      """),
    .holds(
      "A notification asks for the work.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     >note.deliver name=x
      +1ms    work.dispatch queue=a critical=false work=1
      +1ms    <note.deliver
      """),
    .holds(
      "A reply from the network asks for the work.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s @3  net.io socket=1 bytes=100
      +99.999999ms  work.dispatch queue=a critical=false work=1
      +1s     url.task op=finish task=1
      +1ms    work.timer_start timer=1 interval_s=5 repeats=false
      +1s     url.task op=error task=2
      +1ms    work.span for 1ms id=1 class=noncritical
      """),
  ]
}
