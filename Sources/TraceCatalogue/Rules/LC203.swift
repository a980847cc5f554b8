// LC203: a listening socket is open when the app is suspended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC203 {
  private static let isVoIP = Condition.header(.has(.backgroundModes, "voip"))

  static let rule = Rule(
    id: "LC203",
    slug: "suspension/listening-socket-open",
    severity: .warning,
    summary: "Listening sockets of network services are closed before the app is suspended.",
    rationale: """
      Who connects to a listening socket expects an answer, and a suspended app gives none. Only \
      sockets that are tagged for voice over IP are looked after by the system meanwhile.
      """,
    consequence: """
      Connections hang until they time out, and the system may take the socket away while the app \
      sleeps.
      """,
    advice: """
      Close the socket when the background is entered and open it again on the return to the \
      foreground.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["net", "proc", "voip"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [
      Fact(
        "tagged", set: [.on(.voipTag, while: isVoIP)],
        clear: [.on(.netListen, where: .isText(.op, ["close"]))], key: [.argument(.socket)])
    ],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(.netListen, where: .isText(.op, ["open"]), while: .not(.fact("tagged")))
            ],
            closes: [
              .on(.netListen, where: .isText(.op, ["close"])), .on(.voipTag, while: isVoIP),
            ],
            key: [.argument(.socket)],
            due: [.suspension(inferred: false), .suspension(inferred: true)])),
        message: "listening socket {key} was open when the app was suspended")
    ],
    examples: [
      .violates(
        "A server in the app listens on while the app sleeps.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        \(Step.resumed)
        """),
      .violates(
        "The close comes a nanosecond after the tolerance of the suspension.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        +50000001ns @3  net.listen op=close socket=3
        \(Step.resumed)
        """),
      .violates(
        "A suspension that was inferred, and confirmed by a processor that stood still.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     proc.suspend inferred=true  # here
        +60s    proc.resume inferred=true
        +1ms    proc.cpu cpu_ns=0 window_ns=60001000000
        \(Step.toForeground)
        """),
      .violates(
        "A tag is worth nothing in an app that doesn't declare the mode.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        +1ms    voip.tag socket=3
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        \(Step.resumed)
        """),
      .violates(
        "Another socket is tagged, and a number that comes back after a close is a new socket.",
        reasons: [nil, nil],
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.listen op=open socket=3
        +1ms    voip.tag socket=4
        \(Step.toBackground)
        +1s     proc.suspend inferred=false  # here
        +60s    proc.resume inferred=false reason=user_icon
        +1s     net.listen op=close socket=4
        +1ms    net.listen op=open socket=4
        +1s     proc.suspend inferred=false  # here
        \(Step.resumed)
        """),
      .holds(
        "A tagged socket is looked after by the system.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.listen op=open socket=3
        +1ms    voip.tag socket=3 interface=CFStream
        \(Step.toSuspended)
        """),
      .holds(
        "The tag may come first.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.tag socket=3 interface=CFStream
        +1ms    net.listen op=open socket=3
        \(Step.toSuspended)
        """),
      .holds(
        "Closed in the background, before the suspension.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     net.listen op=close socket=3
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Closed within the tolerance of the suspension.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     proc.suspend inferred=false
        +50ms   net.listen op=close socket=3
        \(Step.resumed)
        """),
      .holds(
        "A socket that doesn't listen may stay open.",
        """
        \(Step.launch)
        +1s     net.connect op=open socket=3
        \(Step.toSuspended)
        """),
      .unknown(
        "A complete recording ends in the background, before any suspension.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        \(Step.end)
        """),
      .unknown(
        "The app may have been suspended with it; nothing confirms what was inferred.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     proc.suspend inferred=true
        +60s    proc.resume inferred=true
        +1s     net.listen op=close socket=3
        +1s     delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_become_active for 1ms
        \(Step.end)
        """),
      .unknown(
        "The same at the end of the recording.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     proc.suspend inferred=true
        \(Step.end)
        """),
      .unknown(
        "The trace stops in the background, before any suspension.",
        """
        \(Step.launch)
        +1s     net.listen op=open socket=3
        \(Step.toBackground)
        +1s     trace.marker text=last
        """),
    ])
}
