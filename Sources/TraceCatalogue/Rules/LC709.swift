// LC709: a transfer is started in the foreground in a background session that isn't discretionary.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC709 {
  private static let eager = FieldTest.all([
    .isText(.kind, ["background"]), .isFalse(.discretionary),
  ])

  static let rule = Rule(
    id: "LC709",
    slug: "networking/background-session-not-discretionary",
    severity: .note,
    summary: "A background session whose transfers start in the foreground is discretionary.",
    rationale: """
      A discretionary session lets the system wait for Wi-Fi and power and bundle transfers. \
      Transfers that are started in the background are treated so anyway; those from the \
      foreground only if the configuration says so.
      """,
    consequence: "The transfers run at once, at the cost of the battery and of mobile data.",
    advice: """
      Set the property discretionary of the configuration, unless the user waits for the result; \
      then a default session may be the better choice.
      """,
    sources: [.backgroundExecution("Downloading Content in the Background")],
    needs: ["url", "delegate"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: [
      Fact(
        "eager session", set: [.on(.urlSession, where: eager)],
        clear: [.on(.urlSession, where: .not(eager))], key: [.argument(.identifier)])
    ],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(
              .urlTask, where: .isText(.op, ["start"]),
              while: .all([
                .phase([.launchingForeground, .active, .resigning, .inactive]),
                .factOf("eager session", [.argument(.session)]),
              ])),
            per: .key, key: [.argument(.session)])),
        message: """
          {what} began in the foreground, in a background session that isn't discretionary
          """)
    ],
    examples: [
      .violates(
        "A transfer is started while the user looks on.",
        """
        \(Step.launch)
        +1s     url.session kind=background discretionary=false
        +1s     url.task op=start  # here
        \(Step.end)
        """),
      .violates(
        "At launch, active, on the way out and inactive: the app is in the foreground.",
        reasons: [nil, nil, nil, nil],
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   url.session identifier=a kind=background discretionary=false
        +1ms    url.session identifier=b kind=background discretionary=false
        +1ms    url.session identifier=c kind=background discretionary=false
        +1ms    url.session identifier=d kind=background discretionary=false
        +1ms    url.task op=start task=1 session=a  # here
        +10ms   <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        +1s     url.task op=start task=1 session=b  # here
        +1s     >delegate.will_resign_active
        +10ms   url.task op=start task=1 session=c  # here
        +10ms   <delegate.will_resign_active
        +1s     url.task op=start task=1 session=d  # here
        \(Step.end)
        """),
      .violates(
        "Many transfers of one session are one finding.",
        """
        \(Step.launch)
        +1s     url.session identifier=a kind=background discretionary=false
        +1s     url.task op=start task=1 session=a  # here
        +1s     url.task op=start task=2 session=a
        \(Step.end)
        """),
      .holds(
        "In the background the system chooses the time by itself.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     url.session kind=background discretionary=false
        +1s     url.task op=start
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "The session is made anew with the right configuration.",
        """
        \(Step.launch)
        +1s     url.session identifier=a kind=background discretionary=false
        +1s     url.session identifier=a kind=background discretionary=true
        +1s     url.task op=start task=1 session=a
        \(Step.end)
        """),
      .holds(
        "Another session than the one at fault, and a default session.",
        """
        \(Step.launch)
        +1s     url.session identifier=a kind=background discretionary=false
        +1s     url.session identifier=b kind=default discretionary=false
        +1s     url.task op=start task=1 session=b
        +1s     url.task op=start task=2
        +1s     url.task op=cancel task=1 session=a
        \(Step.end)
        """),
      .unknown(
        "The session was made before the recording began.",
        """
        +0s     trace.start reason=attach
        +1s     delegate.did_become_active for 1ms
        +1s     url.task op=start task=1 session=a
        \(Step.end)
        """),
    ])
}
