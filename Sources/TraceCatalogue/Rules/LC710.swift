// LC710: the app is launched for a background session and doesn't make that session again.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC710 {
  private static let background = FieldTest.isText(.kind, ["background"])
  private static let configured = FieldTest.all([background, .isPresent(.configHash)])
  private static let identifier = [KeyField.argument(.identifier)]

  /// What was configured in the trace until this event; each fact looks at those below as they
  /// were before it.
  private static let facts: [Fact] = [
    Fact("exists", set: [.on(.urlSession, where: background)], key: identifier),
    Fact(
      "other configuration",
      set: [
        .on(
          .urlSession, where: configured,
          while: .all([
            .factOf("configured", identifier),
            .not(.factOf("configured so", identifier + [.argument(.configHash)])),
          ]))
      ],
      key: identifier),
    Fact(
      "configured", set: [.on(.urlSession, where: configured)], key: identifier, life: .trace),
    Fact(
      "configured so", set: [.on(.urlSession, where: configured)],
      key: identifier + [.argument(.configHash)], life: .trace),
    Fact(
      "outstanding", set: [.on(.delegateHandleUrlSession)], clear: [.on(.completionCall)],
      key: [.argument(.completionId)]),
  ]

  private static let recreated = Expect(
    opens: [
      .on(
        .delegateHandleUrlSession,
        while: .all([.isTold(.session), .not(.factOf("exists", [.argument(.session)]))]))
    ],
    closes: [.on(.urlSession, where: background, key: identifier)],
    key: [.argument(.session)],
    due: [
      .atSameKey([
        .on(
          .urlSession, where: background, while: .factOf("other configuration", identifier),
          key: identifier)
      ]),
      .at([.on(.completionCall, while: .not(.anyFact("outstanding")))]),
      .suspension(inferred: false),
    ])

  static let rule = Rule(
    id: "LC710",
    slug: "networking/background-session-not-recreated",
    severity: .warning,
    summary: """
      An app that is launched for a background session makes a session with that identifier and \
      the configuration of before.
      """,
    rationale: """
      The session object ended with the last process. Only a new one with the same identifier and \
      configuration is connected with the transfers that the system has finished meanwhile.
      """,
    consequence: "The results of the transfers reach nobody, and the downloaded files are lost.",
    advice: """
      Make the session from the identifier that the callback brings, by the same function that \
      made it the first time, and call the completion handler only when the session has told of \
      all its events.
      """,
    sources: [.backgroundExecution("Downloading Content in the Background")],
    needs: ["delegate", "url"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: facts,
    clauses: [
      Clause(
        .warning, .expect(recreated),
        message: """
          the background session of {what} was not made again with its identifier and its \
          configuration
          """)
    ],
    examples: violating + holding + undecided)

  private static let launch = """
    +0s     proc.start into=background reason=url_session
    +10ms   delegate.did_finish_launching for 50ms
    """

  private static let violating: [RuleExample] = [
    .violates(
      "The completion handler is called at once and no session is made.",
      """
      \(launch)
      +100ms  >delegate.handle_url_session session=a completion_id=1
      +10ms   completion.call completion_id=1  # here
      +10ms   <delegate.handle_url_session
      \(Step.end)
      """),
    .violates(
      "A session with another identifier is not connected with the transfers.",
      """
      \(launch)
      +100ms  >delegate.handle_url_session session=a completion_id=1
      +10ms   url.session identifier=b kind=background
      +10ms   <delegate.handle_url_session
      +1s     completion.call completion_id=1  # here
      \(Step.end)
      """),
    .violates(
      "A default session of that name is none.",
      """
      \(launch)
      +100ms  delegate.handle_url_session for 10ms session=a completion_id=1
      +100ms  url.session identifier=a kind=default
      +1s     completion.call completion_id=1  # here
      \(Step.end)
      """),
    .violates(
      "The configuration differs from the one in the launch before.",
      """
      \(Step.launch)
      +1s     url.session identifier=a kind=background config_hash=h1
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(launch)
      +100ms  >delegate.handle_url_session session=a completion_id=1
      +10ms   url.session identifier=a kind=background config_hash=h2  # here
      +10ms   <delegate.handle_url_session
      +1s     completion.call completion_id=1
      \(Step.end)
      """),
    .violates(
      "The app is suspended before it has made the session.",
      """
      \(launch)
      +100ms  delegate.handle_url_session for 10ms session=a completion_id=1
      +10s    proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1s     url.session identifier=a kind=background
      +1s     completion.call completion_id=1
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The session is made in the callback; its events come; the handler is called last.",
      """
      \(launch)
      +100ms  >delegate.handle_url_session session=a completion_id=1
      +10ms   url.session identifier=a kind=background
      +10ms   <delegate.handle_url_session
      +1s     url.task op=finish task=1 session=a
      +10ms   completion.call completion_id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "An app that makes the session at every launch has it already.",
      """
      +0s     proc.start into=background reason=url_session
      +10ms   >delegate.did_finish_launching
      +10ms   url.session identifier=a kind=background
      +10ms   <delegate.did_finish_launching
      +10ms   delegate.handle_url_session for 10ms session=a completion_id=1
      +1s     completion.call completion_id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The configuration is that of the launch before.",
      """
      \(Step.launch)
      +1s     url.session identifier=a kind=background config_hash=h1
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(launch)
      +100ms  >delegate.handle_url_session session=a completion_id=1
      +10ms   url.session identifier=a kind=background config_hash=h1
      +10ms   <delegate.handle_url_session
      +1s     completion.call completion_id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "One session is done before the other, whose handler is still outstanding, is made.",
      """
      \(launch)
      +100ms  delegate.handle_url_session for 10ms session=a completion_id=1
      +100ms  delegate.handle_url_session for 10ms session=b completion_id=2
      +100ms  url.session identifier=a kind=background
      +1s     completion.call completion_id=1
      +1s     url.session identifier=b kind=background
      +1s     completion.call completion_id=2
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The handler of a background fetch says nothing about the session.",
      """
      \(launch)
      +100ms  delegate.handle_url_session for 10ms session=a completion_id=1
      +10ms   delegate.perform_fetch for 10ms completion_id=2
      +1s     completion.call completion_id=2 result=no_data
      +1s     url.session identifier=a kind=background
      +1s     completion.call completion_id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "In a running app the session exists, whatever its configuration.",
      """
      \(Step.launch)
      +1s     url.session identifier=a kind=background config_hash=h1
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=url_session
      +100ms  delegate.handle_url_session for 10ms session=a completion_id=1
      +1s     completion.call completion_id=1
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The callback doesn't say for which session it is.",
      """
      \(launch)
      +100ms  >delegate.handle_url_session completion_id=1
      +10ms   completion.call completion_id=1
      +10ms   <delegate.handle_url_session
      """),
    .unknown(
      "A session may have been made before the recording began.",
      """
      +0s     trace.start reason=attach
      +1s     delegate.handle_url_session for 10ms session=a completion_id=1
      +1s     completion.call completion_id=1
      \(Step.end)
      """)
  ]
}
