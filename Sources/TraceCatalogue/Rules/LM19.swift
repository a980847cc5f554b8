// LM19: the system kills the app because a background URL session was not completed in time.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM19 {
  private static let header = "header os_version=15.0 sdk_linked=15.0 background_modes=[]"

  static let rule = Rule(
    id: "LM19",
    slug: "networking/background-session-late",
    severity: .error,
    summary: "The completion handler of a background URL session is called in its time.",
    rationale: """
      The system wakes the app to hand it the results of a background session, and waits for the \
      completion handler. How long it waits it doesn't say; its kill says that it was too long.
      """,
    consequence: "The system kills the app (0x2182bad3).",
    advice: """
      Keep the completion handler, and call it on the main thread in \
      urlSessionDidFinishEvents(forBackgroundURLSession:); put off long work on the results.
      """,
    sources: [
      .apple("Understanding the exception types in a crash report, 0x2182bad3"),
      .backgroundExecution("Downloading Content in the Background"),
    ],
    needs: ["delegate", "completion", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .error,
        .expect(
          Expect(
            opens: [.on(.delegateHandleUrlSession, where: .isPresent(.completionId))],
            closes: [.on(.completionCall)], key: [.argument(.completionId)],
            due: [
              .processEnd(
                [.on(.procKill, where: .end("url-session"))],
                orNewStart: false, while: nil)
            ])),
        message: "the system killed the app before the background session {session} was completed"),
      .kill(
        .error, "url-session",
        message:
          "the system killed the app: a background session was not completed in time{weighing}"),
    ],
    explains: ["url-session"],
    examples: [
      .violates(
        "A report of the kill is enough.",
        """
        \(Report.of("11.0"))
        +0s     proc.kill cause=watchdog code=562215635  # here
        """),
      .holds(
        "Other reports have other reasons.",
        """
        \(Report.of("11.0"))
        +0s     proc.kill cause=watchdog code=562215636
        """),
      .violates(
        "The handler is never called.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +30s    proc.kill cause=watchdog code=562215635  # here
        """),
      .violates(
        "The callback itself hangs.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     >delegate.handle_url_session session=photos completion_id=1
        +30s    proc.kill code=562215635  # here
        """),
      .violates(
        "One of two sessions is completed.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +1s     delegate.handle_url_session for 5ms session=music completion_id=2
        +1s     completion.call completion_id=1
        +30s    proc.kill cause=watchdog code=562215635  # here
        """),
      .violates(
        "Neither of two is.", reasons: [nil, nil],
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +30s    proc.kill cause=watchdog code=562215635  # here
        +60s    trace.marker text=between
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +30s    proc.kill cause=watchdog code=562215635  # here
        """),
      .holds(
        "Completed after the results were read.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +5s     completion.call completion_id=1
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "A kill after the completion has another cause, whatever its code.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +5s     completion.call completion_id=1
        +30s    proc.kill cause=watchdog code=562215635
        """),
      .unknown(
        "Another kill says nothing about the session.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +30s    proc.kill cause=watchdog code=562215634
        """),
      .holds(
        "Two sessions are completed, in any order.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +1s     delegate.handle_url_session for 5ms session=music completion_id=2
        +1s     completion.call completion_id=2
        +1s     completion.call completion_id=1
        +30s    proc.kill cause=watchdog code=562215635
        """),
      .holds(
        "Other handlers have other codes.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 5ms completion_id=1
        +30s    proc.kill cause=watchdog code=562215635
        """),
      .unknown(
        "The handler may have been called among the events that were lost.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 5ms session=photos completion_id=1
        +1s     trace.lost count=3
        +30s    proc.kill cause=watchdog code=562215635
        """),
    ])
}
