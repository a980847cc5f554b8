// LC202: a Bonjour service is still active when the app is suspended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC202 {
  private static func clause(
    _ needs: [String], applies: HeaderTest?, _ due: [Due], evidence: Clause.Evidence,
    message: MessageTemplate
  ) -> Clause {
    Clause(
      .warning, needs: needs, applies: applies,
      .expect(
        Expect(
          opens: [.on(.bonjourService, where: .isText(.op, ["start"]))],
          closes: [.on(.bonjourService, where: .isText(.op, ["stop"]))],
          key: [.argument(.service)], due: due)),
      evidence: evidence, message: message)
  }

  static let rule = Rule(
    id: "LC202",
    slug: "suspension/bonjour-active",
    severity: .warning,
    summary: "Bonjour services are stopped before the app is suspended.",
    rationale: """
      A service that is published while the app sleeps promises answers that nobody gives, and a \
      search that is running brings results that nobody takes.
      """,
    consequence: """
      The system closes the service, and until then others on the network see one that is dead.
      """,
    advice: """
      Stop publishing and browsing after the background is entered, in \
      applicationDidEnterBackground: or before the last background task ends, and start again on \
      the return.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["bonjour", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      clause(
        [], applies: nil, [.suspension(inferred: false), .suspension(inferred: true)],
        evidence: .none, message: "a Bonjour service was active when the app was suspended"),
      clause(
        [
          "delegate", "bgtask", "audio", "loc", "voip", "ea", "bt", "completion", "wake",
          "bgsched",
        ],
        applies: .isSet(.backgroundModes), [.graceEnd], evidence: .noSuspension,
        message: "a Bonjour service was active when the app had no reason left to run"),
    ],
    examples: [
      .violates(
        "A service is published and never stopped.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game kind=publish
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        \(Step.resumed)
        """),
      .violates(
        "The stop comes a nanosecond after the tolerance of the suspension.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        +50000001ns @3  bonjour.service op=stop service=game
        \(Step.resumed)
        """),
      .violates(
        "A suspension that was inferred, and confirmed by a processor that stood still.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        \(Step.toBackground)
        +1s     proc.suspend inferred=true  # here
        +60s    proc.resume inferred=true
        +1ms    proc.cpu cpu_ns=0 window_ns=60001000000
        \(Step.toForeground)
        """),
      .violates(
        "No suspension is recorded at all: then the end of the grace decides.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        \(Step.toBackground)
        +5.000000001s  bonjour.service op=stop service=game  # here
        \(Step.end)
        """),
      .violates(
        "Of two services one is forgotten.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        +1s     bonjour.service op=start service=chat
        +1s     bonjour.service op=stop service=game
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        \(Step.resumed)
        """),
      .holds(
        "Stopped in the callback of the background entry.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +10ms   bonjour.service op=stop service=game
        +10ms   <delegate.did_enter_background
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Stopped within the tolerance of the suspension.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        \(Step.toBackground)
        +1s     proc.suspend inferred=false
        +50ms   bonjour.service op=stop service=game
        \(Step.resumed)
        """),
      .holds(
        "Without a recorded suspension, stopped at the end of the grace.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        \(Step.toBackground)
        +5s     bonjour.service op=stop service=game
        \(Step.end)
        """),
      .holds(
        "In a trace that holds a suspension only that counts, not the end of the grace.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        \(Step.toBackground)
        +20s    bonjour.service op=stop service=game
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Under a background task the app goes on, and so may the service.",
        """
        \(Step.launch)
        +1s     bonjour.service op=start service=game
        +1s     bgtask.begin token=1
        \(Step.toBackground)
        +20s    bonjour.service op=stop service=game
        +1s     bgtask.end token=1
        \(Step.end)
        """),
    ])
}
