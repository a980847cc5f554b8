// LC549: what was stopped for the background isn't started again in the foreground.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC549 {
  private static func operation(_ op: String) -> FieldTest { .isText(.op, [op]) }

  private static let isEntering: Condition = .phase([.enteringBackground])

  private static func clause(
    _ namespace: String, opens: EventPattern, key: ArgumentName, closes: [EventPattern],
    orAnother: Bool = false, message: MessageTemplate
  ) -> Clause {
    Clause(
      .note, needs: [namespace],
      .expect(
        Expect(
          opens: [opens], closes: closes,
          closesAll: [.on(.delegateWillResignActive)], closesOthers: orAnother,
          key: [.argument(key)],
          due: [
            .after([.end(.delegateDidBecomeActive)], .parameter("limit"), orSuspension: false)
          ])),
      message: message)
  }

  private static let facts: [Fact] = [
    Fact(
      "back", set: [.end(.delegateDidBecomeActive)], clear: [.on(.delegateWillResignActive)],
      after: .parameter("limit")),
    Fact(
      "released", set: [.on(.resUse, where: operation("release"), while: isEntering)],
      clear: [.on(.resUse, where: operation("acquire"), while: .not(.fact("back")))],
      key: [.argument(.resource)]),
  ]

  private static let resources = Clause(
    .note, needs: ["res"],
    .never(
      Never(
        .on(
          .resUse, where: operation("acquire"), while: .all([.fact("released"), .fact("back")])),
        per: .key, key: [.argument(.resource)])),
    message: "a shared resource ({key}) was only taken again long after the return")

  static let rule = Rule(
    id: "LC549",
    slug: "delegate-order/foreground-not-undone",
    severity: .note,
    summary: """
      What applicationDidEnterBackground: stops runs again soon after the app is back on the screen.
      """,
    rationale: """
      Services, sockets and queues are given up for the background and must be taken up again in \
      applicationWillEnterForeground:, the callback that is its counterpart.
      """,
    consequence: "Functions of the app stay off after the user has come back.",
    advice: """
      Undo in applicationWillEnterForeground: every step of applicationDidEnterBackground:.
      """,
    sources: [
      .appStates("Returning to the Foreground"), .xamarin("Application Lifecycle Methods"),
    ],
    needs: ["delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: facts,
    clauses: [
      clause(
        "bonjour", opens: .on(.bonjourService, where: operation("stop"), while: isEntering),
        key: .service, closes: [.on(.bonjourService, where: operation("start"))],
        orAnother: true,
        message: "a Bonjour service ({key}) wasn't started again after the return"),
      clause(
        "net", opens: .on(.netListen, where: operation("close"), while: isEntering),
        key: .socket, closes: [.on(.netListen, where: operation("open"))], orAnother: true,
        message: "a listening socket ({key}) wasn't opened again after the return"),
      clause(
        "work", opens: .on(.workQueueSuspend, while: isEntering),
        key: .queue, closes: [.on(.workQueueResume)],
        message: "a queue ({key}) wasn't resumed after the return"),
      clause(
        "ui", opens: .on(.uiSensitiveHide, while: isEntering),
        key: .id, closes: [.on(.uiSensitiveShow)], orAnother: true,
        message: "a view with private content ({key}) stayed hidden after the return"),
      resources,
    ],
    clausesAreIndependent: true,
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + several + holding + ofResources + [
      .unknown(
        "The trace stops before the time is over.",
        """
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    work.queue_suspend queue=a
        +1ms    <delegate.did_enter_background
        \(Step.toForeground)
        +500ms  trace.marker text=last
        """)
    ])

  private static let violating: [RuleExample] = [
    .violates(
      "The queue is suspended after a callback that was nested in the one of the background.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    delegate.should_save_state for 1ms
      +2ms    work.queue_suspend queue=a
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      +3s     trace.marker text=later  # here
      """),
    .violates(
      "The service isn't published again.",
      """
      \(Step.launch)
      +1s     bonjour.service op=start service=a
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    bonjour.service op=stop service=a
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      +3s     trace.marker text=later  # here
      """),
    .violates(
      "The socket is open again a nanosecond too late.",
      """
      \(Step.launch)
      +1s     net.listen op=open socket=1
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    net.listen op=close socket=1
      +1ms    <delegate.did_enter_background
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +1.000000001s  net.listen op=open socket=2  # here
      """),
    .violates(
      "The queue stays suspended; another one was resumed.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    work.queue_suspend queue=a
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      +1ms    work.queue_resume queue=b
      +3s     trace.marker text=later  # here
      """),
    .violates(
      "The view stays hidden after the return from a suspension.",
      """
      \(Step.launch)
      +1s     ui.sensitive_show id=1
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    ui.sensitive_hide id=1
      +1ms    <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      \(Step.toForeground)
      +3s     trace.marker text=later  # here
      """),
  ]

  private static let several: [RuleExample] = [
    .violates(
      "Two services, sockets and views are given up, and one of each is taken up again.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    bonjour.service op=stop service=a
      +1ms    bonjour.service op=stop service=b  # here
      +1ms    net.listen op=close socket=1  # here
      +1ms    net.listen op=close socket=2
      +1ms    ui.sensitive_hide id=1
      +1ms    ui.sensitive_hide id=2  # here
      +1ms    <delegate.did_enter_background
      +5s     >delegate.will_enter_foreground
      +1ms    bonjour.service op=start service=a
      +1ms    net.listen op=open socket=2
      +1ms    ui.sensitive_show id=3
      +1ms    <delegate.will_enter_foreground
      +10ms   delegate.did_become_active for 1ms
      +3s     trace.marker text=later
      """)
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Everything is started again; a new service, socket or view will do.",
      """
      \(Step.launch)
      +1s     bonjour.service op=start service=a
      +1s     net.listen op=open socket=1
      +1s     ui.sensitive_show id=1
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    bonjour.service op=stop service=a
      +1ms    net.listen op=close socket=1
      +1ms    ui.sensitive_hide id=1
      +1ms    work.queue_suspend queue=a
      +1ms    <delegate.did_enter_background
      +5s     >delegate.will_enter_foreground
      +1ms    bonjour.service op=start service=b
      +1ms    net.listen op=open socket=2
      +1ms    ui.sensitive_show id=2
      +1ms    <delegate.will_enter_foreground
      +10ms   >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +1s     work.queue_resume queue=a
      +5s     trace.marker text=later
      """),
    .holds(
      "What was stopped outside the callback isn't meant.",
      """
      \(Step.launch)
      \(Step.resign)
      +1ms    bonjour.service op=stop service=a
      +1ms    net.listen op=close socket=1
      +1ms    ui.sensitive_hide id=1
      +1ms    work.queue_suspend queue=a
      +10ms   delegate.did_enter_background for 1ms
      \(Step.toForeground)
      +5s     trace.marker text=later
      """),
    .holds(
      "The user leaves again before a second is over.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    bonjour.service op=stop service=a
      +1ms    net.listen op=close socket=1
      +1ms    ui.sensitive_hide id=1
      +1ms    work.queue_suspend queue=a
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      +500ms  delegate.will_resign_active for 1ms
      +5s     trace.marker text=later
      """),
  ]

  private static let ofResources: [RuleExample] = [
    .violates(
      "The calendar is used again, but not at the return.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    res.use op=release resource=calendar
      +1ms    <delegate.did_enter_background
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +1.000000001s  res.use op=acquire resource=calendar  # here
      """),
    .holds(
      "A resource that is never used again may be done with.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    res.use op=release resource=calendar
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      +5s     trace.marker text=later
      """),
    .holds(
      "It is taken in time, and what happens to it later has nothing to do with the return.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    res.use op=release resource=calendar
      +1ms    <delegate.did_enter_background
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   >delegate.did_become_active
      +1ms    <delegate.did_become_active
      +1s     res.use op=acquire resource=calendar
      +1s     res.use op=release resource=calendar
      +9s     res.use op=acquire resource=calendar
      """),
    .holds(
      "Behind an alert nobody expects it.",
      """
      \(Step.launch)
      +1s     res.use op=acquire resource=calendar
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms    res.use op=release resource=calendar
      +1ms    <delegate.did_enter_background
      \(Step.toForeground)
      +500ms  delegate.will_resign_active for 1ms
      +5s     res.use op=acquire resource=calendar
      """),
  ]
}
