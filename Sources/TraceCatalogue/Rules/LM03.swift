// LM03: a scheduled task runs without an expiration handler.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM03 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]"
  private static let lacks = FieldTest.isFalse(.hasExpirationHandler)

  static let rule = Rule(
    id: "LM03",
    slug: "bgsched/no-expiration-handler",
    severity: .warning,
    summary: "A scheduled task that isn't done at once has an expiration handler.",
    rationale: """
      The system may need the time back at any moment, and says so by the expiration handler. \
      Without one it has nobody to ask, and ends the task over the app's head.
      """,
    consequence: """
      When the time is up the system marks the task as completed without success, and the work \
      stops where it is.
      """,
    advice: """
      Set expirationHandler first thing in the launch handler; let it cancel the work and \
      complete the task.
      """,
    sources: [.apple("BGTask, expirationHandler")],
    needs: ["bgsched"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("delay", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [
      Fact(
        "completed", set: [.on(.bgschedComplete)], clear: [.on(.bgschedRun)],
        key: [.argument(.identifier)])
    ],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(.bgschedRun, where: lacks),
              // Only the return of the launch handler may know, when the task may be over.
              .end(.bgschedRun, where: lacks, while: .not(.fact("completed"))),
            ],
            closes: [
              .on(.bgschedComplete), .end(.bgschedRun, where: .isTrue(.hasExpirationHandler)),
            ],
            key: [.argument(.identifier)], due: [.within(.parameter("delay"))])),
        message: "the task {identifier} ran for more than {limit} without an expiration handler")
    ],
    examples: [
      .violates(
        "A second and a nanosecond without a handler.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.clean has_expiration_handler=false
        +10ms   <bgsched.run identifier=com.example.clean
        +990.000001ms  trace.marker text="still cleaning"  # here
        +1s     bgsched.complete identifier=com.example.clean success=true
        """),
      .violates(
        "Only the return says that no handler was set.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.refresh kind=refresh
        +10ms   <bgsched.run identifier=com.example.refresh has_expiration_handler=false
        +1.1s   trace.marker text="still loading"  # here
        +1s     bgsched.complete identifier=com.example.refresh success=true
        """),
      .violates(
        "The first run was quick, the second is not.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.refresh kind=refresh
        +10ms   bgsched.complete identifier=com.example.refresh success=true
        +10ms   <bgsched.run identifier=com.example.refresh has_expiration_handler=false
        +600s   >bgsched.run identifier=com.example.refresh kind=refresh
        +10ms   <bgsched.run identifier=com.example.refresh has_expiration_handler=false
        +2s     trace.marker text="still loading"  # here
        +1s     bgsched.complete identifier=com.example.refresh success=true
        """),
      .holds(
        "With a handler a task may take its time.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.clean kind=processing
        +10ms   <bgsched.run identifier=com.example.clean has_expiration_handler=true
        +60s    bgsched.complete identifier=com.example.clean success=true
        """),
      .holds(
        "A task that is done in a second needs none.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.clean has_expiration_handler=false
        +1s     bgsched.complete identifier=com.example.clean success=true
        +1ms    <bgsched.run identifier=com.example.clean
        +5s     trace.marker text=later
        """),
      .holds(
        "The handler is set inside the launch handler: what held at its beginning is no matter.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.clean has_expiration_handler=false
        +10ms   <bgsched.run identifier=com.example.clean has_expiration_handler=true
        +60s    bgsched.complete identifier=com.example.clean success=true
        """),
      .holds(
        "Done before the return tells that there was no handler.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.refresh kind=refresh
        +10ms   bgsched.complete identifier=com.example.refresh success=true
        +10ms   <bgsched.run identifier=com.example.refresh has_expiration_handler=false
        +60s    trace.marker text=later
        """),
      .holds(
        "A recorder that doesn't know about the handler says nothing.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     bgsched.run for 10ms identifier=com.example.clean kind=processing
        +60s    bgsched.complete identifier=com.example.clean success=true
        """),
      .unknown(
        "The trace stops within the first second.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >bgsched.run identifier=com.example.clean has_expiration_handler=false
        +10ms   <bgsched.run identifier=com.example.clean
        """),
    ])
}
