// LM04: more task requests are pending than the scheduler takes.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM04 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]"

  /// So many requests with identifiers of their own.
  private static func submissions(
    _ count: Int, _ kind: String, _ arguments: String = ""
  ) -> String {
    let lines = (1...count).map { number in
      "+1s     bgsched.submit identifier=com.example.\(kind)\(number) kind=\(kind)\(arguments)"
    }
    return lines.joined(separator: "\n")
  }

  private static func clause(_ kind: String, _ parameter: String) -> Clause {
    Clause(
      .warning,
      .openAtMost(
        OpenAtMost(
          opens: [
            .on(
              .bgschedSubmit,
              where: .all([
                .isText(.kind, [kind]), .not(.compare(.errorCode, .notEqual, .fixed(0))),
              ]))
          ],
          closes: [.on(.bgschedRun)], key: [.argument(.identifier)], max: .parameter(parameter),
          per: .launch, outlivesLaunch: true)),
      message: MessageTemplate(
        "{count} requests of kind \(kind) were pending; the system keeps {limit}"))
  }

  static let rule = Rule(
    id: "LM04",
    slug: "bgsched/too-many-pending",
    severity: .warning,
    summary: "No more task requests are pending than the scheduler takes.",
    rationale: """
      For each app the scheduler keeps one request to refresh and ten to process. A request with \
      an identifier that is pending already takes the place of the old one; every other one too \
      many is refused.
      """,
    consequence: "The submission fails with tooManyPendingTaskRequests, and the task never runs.",
    advice: """
      Use one identifier for all refreshing, submit again only when the task has run, and look at \
      the error of the submission.
      """,
    sources: [
      .apple("BGTaskScheduler, submit(_:)"),
      .apple("BGTaskScheduler.Error.Code, tooManyPendingTaskRequests"),
    ],
    needs: ["bgsched"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter("refresh", .count, 1, .documented),
      RuleParameter("processing", .count, 10, .documented),
    ],
    clauses: [
      clause("refresh", "refresh"), clause("processing", "processing"),
      Clause(
        .warning,
        .never(
          Never(.on(.bgschedSubmit, where: .compare(.errorCode, .equal, .fixed(2))), per: .launch)),
        message: "the scheduler refused the request {identifier}: too many were pending"),
    ],
    examples: [
      .violates(
        "Two requests to refresh.",
        """
        \(header)
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.news kind=refresh
        +1s     bgsched.submit identifier=com.example.mail kind=refresh  # here
        """),
      .violates(
        "Eleven requests to process; an error code of zero means none.",
        """
        \(header)
        \(Step.launch)
        \(submissions(11, "processing", " error_code=0"))  # here
        """),
      .violates(
        "The scheduler says so itself.",
        """
        \(header)
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.mail kind=refresh error_code=2  # here
        """),
      .violates(
        "Requests outlive the launch that made them.",
        """
        \(header)
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.news kind=refresh error_code=0
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        +60s    trace.marker text=between
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.mail kind=refresh  # here
        """),
      .holds(
        "Ten requests to process, and one to refresh.",
        """
        \(header)
        \(Step.launch)
        \(submissions(10, "processing"))
        \(submissions(1, "refresh"))
        """),
      .holds(
        "The same identifier again takes the place of the old request.",
        """
        \(header)
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.news kind=refresh
        +1s     bgsched.submit identifier=com.example.news kind=refresh
        """),
      .holds(
        "A request that was run is pending no more.",
        """
        \(header)
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.news kind=refresh
        \(Step.toBackground)
        +60s    bgsched.run for 10ms identifier=com.example.news kind=refresh
        +1s     bgsched.submit identifier=com.example.mail kind=refresh
        +1s     bgsched.complete identifier=com.example.news success=true
        """),
      .holds(
        "One of ten requests to process has run before the next is submitted.",
        """
        \(header)
        \(Step.launch)
        \(submissions(10, "processing"))
        \(Step.toBackground)
        +60s    bgsched.run for 10ms identifier=com.example.processing3 kind=processing
        +1s     bgsched.submit identifier=com.example.clean kind=processing
        +1s     bgsched.complete identifier=com.example.processing3 success=true
        """),
      .holds(
        "A refused request isn't pending; other errors are told by other rules.",
        """
        \(header)
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.news kind=refresh error_code=3
        +1s     bgsched.submit identifier=com.example.mail kind=refresh
        +1s     bgsched.submit identifier=com.example.work kind=continued
        """),
    ])
}
