// LC103: an expiration handler takes longer than a second.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC103 {
  static let rule = Rule(
    id: "LC103",
    slug: "background-task/expiration-handler-slow",
    severity: .warning,
    summary: "An expiration handler does the least that is needed and returns at once.",
    rationale: """
      The system calls the handler when almost no time is left, on the main thread, and calls \
      those of other open tasks after it. Every moment spent in one is taken from all.
      """,
    consequence: "The limit passes inside the handler, and the system ends the app.",
    advice: """
      Only mark where the work stopped, cancel it and end the task. Write anything long while the \
      work goes on, not when its time is over.
      """,
    sources: [.appStates("Executing a Finite-Length Task in the Background")],
    needs: ["bgtask"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .warning,
        .lasts(
          Lasts(
            .span([.on(.bgtaskExpire)]), max: .parameter("limit"),
            killCauses: ["bgtask_expired"], killCodes: [0x2182_bad2],
            openMessage:
              "an expiration handler had not returned after {duration}; more than {limit} is slow"
          )),
        escalation: Clause.Escalation(.error, withinNanoseconds: 5_000_000_000),
        message: "an expiration handler took {duration}; more than {limit} is slow")
    ],
    examples: [
      .violates(
        "The handler waits for the work that it should cancel.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +2s     bgtask.end token=1
        +1ms    <bgtask.expire  # here
        """),
      .violates(
        "One nanosecond too long.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +10ms   bgtask.end token=1
        +990000001ns  <bgtask.expire  # here
        """),
      .violates(
        "A kill for the expired task proves that the open handler was too slow, at any length.",
        severities: [.error],
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +500ms  proc.kill cause=bgtask_expired  # here
        """),
      .violates(
        "The code of the kill proves the same.", severities: [.error],
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +500ms  proc.kill code=562215634  # here
        """),
      .violates(
        "A kill five seconds later makes it an error; a nanosecond later it stays a warning.",
        reasons: [nil, nil], severities: [.error, .warning],
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +2s     bgtask.end token=1
        +1ms    <bgtask.expire  # here
        +5s     proc.kill cause=unknown
        +60s    trace.marker text=between
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +2s     bgtask.end token=1
        +1ms    <bgtask.expire  # here
        +5.000000001s  proc.kill cause=unknown
        """),
      .violates(
        "The handler never returns, while another thread is seen working.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +2s @3  trace.marker text="still here"  # here
        """),
      .holds(
        "A short save, the end of the task, and back.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +1ms    data.save for 20ms store=notes
        +21ms   bgtask.end token=1
        +1ms    <bgtask.expire
        """),
      .holds(
        "Exactly a second is allowed.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +10ms   bgtask.end token=1
        +990ms  <bgtask.expire
        """),
      .holds(
        "Each handler is measured on its own.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        +1s     bgtask.begin token=2 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +10ms   bgtask.end token=1
        +600ms  <bgtask.expire
        +1ms    >bgtask.expire token=2
        +10ms   bgtask.end token=2
        +600ms  <bgtask.expire
        """),
      .holds(
        "Time in which the app was suspended doesn't count.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +100ms  proc.suspend inferred=false
        +60s    proc.resume inferred=false reason=user_icon
        +100ms  <bgtask.expire
        """),
      .unknown(
        "The trace stops inside the handler.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +500ms  trace.marker text=last
        """),
      .unknown(
        "Jetsam says nothing about the handler.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +170s   >bgtask.expire token=1
        +500ms  proc.kill cause=jetsam
        """),
    ])
}
