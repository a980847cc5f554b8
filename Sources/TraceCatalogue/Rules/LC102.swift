// LC102: a background task stays open after its expiration handler was called.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC102 {
  private static let fatalKill = EventPattern.on(
    .procKill,
    where: .any([
      .isText(.cause, ["bgtask_expired", "watchdog", "unknown"]), .not(.isPresent(.cause)),
    ]))

  static let rule = Rule(
    id: "LC102",
    slug: "background-task/expired-not-ended",
    severity: .error,
    summary: "A task whose expiration handler was called is ended without delay.",
    rationale: """
      When the handler is called the time is almost over, and ending the task is all that is \
      left to do. The end may come from the handler or from another thread, but it must name \
      the task that expired.
      """,
    consequence: """
      With a task open at the limit the app is ended instead of being suspended, and the next \
      launch starts from nothing.
      """,
    advice: """
      End the task in the handler itself, on every path, with the token that its begin returned; \
      cancel the work rather than wait for it.
      """,
    sources: [
      .iOS4Guide("Completing a Long-Running Task in the Background"),
      .backgroundExecution("Executing Finite-Length Tasks"),
    ],
    needs: ["bgtask"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 5_000_000_000, .toolDefault)],
    facts: [.taskOpen],
    clauses: [
      Clause(
        .error,
        .expect(
          Expect(
            opens: [
              .on(
                .bgtaskExpire, where: .not(.isText(.token, ["<private>"])),
                while: .fact("task open"))
            ],
            closes: [.on(.bgtaskEnd, where: .not(.isTrue(.isInvalid)))],
            key: [.argument(.token)],
            due: [
              .within(.parameter("limit")),
              .processEnd([fatalKill], orNewStart: false, while: nil),
              .suspension(inferred: false), .suspension(inferred: true),
            ])),
        trustsUnknownEnds: true, message: "{task} was still open after its expiration handler was called"),
      .kill(
        .error, "background-task-overtime", "background-task",
        where: .any([
          .compare(.code, .equal, .fixed(0x2182_bad2)), .end("background-task-overtime"),
          .all([
            .compare(.code, .equal, .fixed(Terminations.watchdogCode)),
            .isText(.cause, ["bgtask_expired"]),
          ]),
        ]),
        message: "the system killed the app: a background task was not ended in time{weighing}"),
    ],
    explains: ["watchdog-code", "background-task-overtime", "background-task"],
    examples: violating + reported + holding + undecided)

  private static let reported: [RuleExample] = [
    .violates(
      "A report of a task that was never ended, by its code, its words, or both cause and code.",
      reasons: [nil, nil, nil],
      """
      \(Report.of("9.0"))
      +0s     proc.kill cause=bgtask_expired code=562215634  # here
      +0s     trace.start reason=attach
      +0s     proc.kill description="org.x has active assertions beyond permitted time:"  # here
      +0s     trace.start reason=attach
      +0s     proc.kill cause=bgtask_expired code=2343432205 namespace=RUNNINGBOARD  # here
      """),
    .holds(
      "The cause alone names no task.",
      """
      \(Report.of("15.0"))
      +0s     proc.kill cause=bgtask_expired
      """),
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "The handler cleans up and forgets the end.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.kill cause=bgtask_expired  # here
      """),
    .violates(
      "The end comes a nanosecond after the five seconds.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +5.000000001s @3  bgtask.end token=1  # here
      \(Step.end)
      """),
    .violates(
      "The handler ends another task than the one that expired.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     bgtask.begin token=2 has_expiration_handler=true
      \(Step.toBackground)
      +170s   >bgtask.expire token=1
      +1ms    bgtask.end token=2
      +1ms    <bgtask.expire
      +6s     trace.marker text=late  # here
      \(Step.end)
      """),
    .violates(
      "The variable was reset too early, and the end names no task.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   >bgtask.expire token=1
      +1ms    bgtask.end is_invalid=true
      +1ms    <bgtask.expire
      +6s     trace.marker text=late  # here
      \(Step.end)
      """),
    .violates(
      "The system suspends the app with the expired task open.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.suspend inferred=false  # here
      \(Step.resumed)
      """),
    .violates(
      "A suspension that was inferred, and confirmed by a processor that stood still.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.suspend inferred=true  # here
      +60s    proc.resume inferred=true
      +1ms    proc.cpu cpu_ns=0 window_ns=60001000000
      \(Step.end)
      """),
    .violates(
      "Kills by the watchdog, for no known cause, and without a cause in the record.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.kill cause=watchdog  # here
      +60s    trace.marker text=second
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.kill cause=unknown  # here
      +60s    trace.marker text=third
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.kill signal=9  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Sleep of the device is no run time, also if only the next sample of the clocks tells of it.",
      """
      +0s     trace.clock_sync continuous_ns=0 uptime_ns=0
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +10s    bgtask.expire for 1ms token=1
      +1s     trace.clock_sync continuous_ns=20000000000 uptime_ns=20000000000
      +11s    trace.clock_sync continuous_ns=31000000000 uptime_ns=21000000000
      +1s     bgtask.end token=1
      """),
    .holds(
      "The handler ends its task.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   >bgtask.expire token=1
      +1ms    bgtask.end token=1
      +1ms    <bgtask.expire
      +100ms  proc.suspend inferred=false
      """),
    .holds(
      "Another thread ends the task exactly five seconds after the handler was called.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +5s @3  bgtask.end token=1
      +100ms  proc.suspend inferred=false
      """),
    .holds(
      "The work ended the task just before the handler came: a legal race.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s @3  bgtask.end token=1
      +10ms   bgtask.expire for 1ms token=1
      +6s     proc.suspend inferred=false
      """),
    .holds(
      "An end within the tolerance of the suspension came in time.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.suspend inferred=false
      +50ms   bgtask.end token=1
      \(Step.resumed)
      """),
    .holds(
      "Each task has five seconds from its own handler on.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     bgtask.begin token=2 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 1ms token=1
      +4s     bgtask.expire for 1ms token=2
      +1s     bgtask.end token=1
      +4s     bgtask.end token=2
      \(Step.end)
      """),
    .holds(
      "A log that hides the token doesn't tell which task it means.",
      """
      header os_version=14.2 sdk_linked=14.0
      \(Step.launch)
      +1s     bgtask.begin token="<private>"
      \(Step.toBackground)
      +25s    bgtask.expire for 1ms token="<private>"
      +6s     trace.marker text=late
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Jetsam leaves no time to end the task.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     proc.kill cause=jetsam
      """),
    .unknown(
      "The trace stops before the five seconds are over.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +5s     trace.marker text=last
      """),
    .unknown(
      "The end may be among the events that were lost.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +170s   bgtask.expire for 10ms token=1
      +1s     trace.lost count=3
      +9s     trace.marker text=later
      """),
    .unknown(
      "The recording began in mid-life, and the task may have been ended before.",
      """
      +0s     trace.start reason=attach
      +1s     bgtask.expire for 10ms token=1
      +9s     trace.marker text=later
      """),
  ]
}
