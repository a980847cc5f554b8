// LC104: an expiration handler starts new work.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC104 {
  private static let inHandler = Condition.factOf("in handler", [.thread])

  private static func clause(_ needs: [String], _ event: EventPattern) -> Clause {
    Clause(
      .warning, needs: needs, .never(Never(event, per: .background)),
      message: "{what} began inside an expiration handler, on {thread}")
  }

  private static let clauses: [Clause] = [
    clause(
      [], .on(.bgtaskBegin, where: .not(.isText(.by, ["uikit"])), while: inHandler)),
    clause(["work"], .on(.workDispatch, .workTimerStart, while: inHandler)),
    clause(
      ["work"],
      .on(
        .workSpan, where: .isText(.class, ["download", "upload", "housekeeping", "noncritical"]),
        while: inHandler)),
    clause(["net"], .on(.netConnect, where: .isText(.op, ["open"]), while: inHandler)),
    clause(
      ["url"],
      .on(
        .urlTask, where: .all([.isText(.op, ["start"]), .not(.isPresent(.session))]),
        while: inHandler)),
    clause(
      ["url"],
      .on(
        .urlTask, where: .all([.isText(.op, ["start"]), .isPresent(.session)]),
        while: .all([inHandler, .factOf("session of the app", [.argument(.session)])]))),
  ]

  static let rule = Rule(
    id: "LC104",
    slug: "background-task/new-work-in-expiration-handler",
    severity: .warning,
    summary: "An expiration handler starts nothing new.",
    rationale: """
      The handler is called because the time is over. What it starts can't finish: it is frozen \
      at the suspension, or it delays the end of the task.
      """,
    consequence: """
      The app uses up the rest of its time and may be ended, and what was started is lost with \
      it.
      """,
    advice: """
      Note what is left to do and take it up at the next launch or return to the foreground; hand \
      transfers to a background URL session before the time is over.
      """,
    sources: [.iOS4Guide("Completing a Long-Running Task in the Background")],
    needs: ["bgtask"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      .inside("in handler", .bgtaskExpire),
      Fact(
        "session of the app",
        set: [.on(.urlSession, where: .isText(.kind, ["default", "ephemeral"]))],
        key: [.argument(.identifier)]),
    ],
    clauses: clauses,
    examples: violating + holding)

  private static func handler(_ lines: String) -> String {
    """
    \(Step.launch)
    +1s     bgtask.begin token=1 has_expiration_handler=true
    \(Step.toBackground)
    +170s   >bgtask.expire token=1
    \(lines)
    +10ms   bgtask.end token=1
    +10ms   <bgtask.expire
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "A request to the server begins where there is no time for its answer.",
      handler("+1ms    url.task op=start task=5 type=data  # here")),
    .violates(
      "A session with a name is the app's own all the same if it isn't a background session.",
      reasons: [nil, nil],
      """
      \(Step.launch)
      +1s     url.session identifier=api kind=default
      +1ms    url.session identifier=ads kind=ephemeral
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   >bgtask.expire token=1
      +1ms    url.task op=start task=5 session=api  # here
      +1ms    bgtask.end token=1
      +1ms    <bgtask.expire
      \(Step.toForeground)
      +1s     bgtask.begin token=2 has_expiration_handler=true
      \(Step.toBackground)
      +170s   >bgtask.expire token=2
      +1ms    url.task op=start task=6 session=ads  # here
      +1ms    bgtask.end token=2
      +1ms    <bgtask.expire
      """),
    .violates(
      "A new task doesn't give new time.",
      handler("+1ms    bgtask.begin token=2 has_expiration_handler=true  # here")),
    .violates(
      "The rest of the work is put into a queue.",
      handler("+1ms    work.dispatch queue=rest work=9  # here")),
    .violates(
      "A timer is started to look again later.",
      handler("+1ms    work.timer_start timer=3 interval_s=10 repeats=false  # here")),
    .violates(
      "A socket is opened.",
      handler("+1ms    net.connect op=open socket=4  # here")),
    .violates(
      "A download begins inside the handler.",
      handler("+1ms    work.span for 1ms id=2 class=download  # here")),
    .violates(
      "An upload begins inside the handler.",
      handler("+1ms    work.span for 1ms id=2 class=upload  # here")),
    .violates(
      "Housekeeping can wait.",
      handler("+1ms    work.span for 1ms id=2 class=housekeeping  # here")),
    .violates(
      "What isn't critical can wait, too.",
      handler("+1ms    work.span for 1ms id=2 class=noncritical  # here")),
    .violates(
      "Several beginnings in one stay in the background are one finding.",
      handler(
        """
        +1ms    work.dispatch queue=rest work=9  # here
        +1ms    work.dispatch queue=rest work=10
        """)),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A short save is cleaning up.",
      handler("+1ms    work.span for 10ms id=2 class=save")),
    .holds(
      "Stopping and closing is what the handler is for.",
      handler(
        """
        +1ms    work.timer_stop timer=3
        +1ms    net.connect op=close socket=4
        +1ms    url.task op=cancel task=5
        """)),
    .holds(
      "A background session works without the app.",
      handler(
        """
        +1ms    url.session identifier=com.example.bg kind=background
        +1ms    url.task op=start task=5 session=com.example.bg type=download
        """)),
    .holds(
      "Other threads go on with what they do.",
      handler("+1ms @4 work.dispatch queue=rest work=9")),
    .holds(
      "What UIKit begins for itself is not the app's.",
      handler("+1ms    bgtask.begin token=2 by=uikit")),
    .holds(
      "After the handler's return the main thread is free again.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   >bgtask.expire token=1
      +10ms   bgtask.end token=1
      +10ms   <bgtask.expire
      +10ms   work.timer_start timer=3 interval_s=10 repeats=false
      +1s     proc.suspend inferred=false
      """),
  ]
}
