// LC606: a VoIP app enters the background without a socket that is tagged for VoIP.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC606 {
  /// The system since which VoIP apps are meant to use PushKit; also assumed where it isn't known.
  private static let isLate: HeaderTest = .any([.system(9, 0), .not(.isSet(.osVersion))])

  private static func clause(_ severity: Severity, _ applies: HeaderTest) -> Clause {
    Clause(
      severity, applies: .all([.has(.backgroundModes, "voip"), applies]),
      .never(
        Never(
          .end(
            .delegateDidEnterBackground,
            while: .all([.anyFact("connected"), .not(.anyFact("tagged"))])))),
      message: "the app entered the background with open sockets, and none is tagged for VoIP")
  }

  static let rule = Rule(
    id: "LC606",
    slug: "background-mode/voip-socket-not-tagged",
    severity: .warning,
    summary: "A VoIP app that enters the background with open sockets has tagged one for VoIP.",
    rationale: """
      The system takes over a tagged socket while the app is suspended and wakes it when data \
      comes. Sockets that aren't tagged sleep with the app.
      """,
    consequence: "Incoming calls don't wake the app.",
    advice: """
      Set the service type of the signalling connection to VoIP, on one socket only; from iOS 9 on \
      use PushKit instead.
      """,
    sources: [
      .appStates("Implementing a VoIP App"), .iOS4Guide("Configuring Sockets for VoIP Usage"),
    ],
    needs: ["net", "voip", "delegate"],
    profiles: Profile.ios4ToIOS8,
    parameters: [],
    facts: [
      Fact(
        "connected", set: [.on(.netConnect, where: .isText(.op, ["open"]))],
        clear: [.on(.netConnect, where: .isText(.op, ["close"]))], key: [.argument(.socket)]),
      Fact(
        "tagged", set: [.on(.voipTag)],
        clear: [.on(.netConnect, where: .isText(.op, ["close"]))], key: [.argument(.socket)]),
    ],
    clauses: [clause(.warning, .not(isLate)), clause(.note, isLate)],
    examples: [
      .violates(
        "The only socket isn't tagged.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.connect op=open socket=1 peer=sip
        \(Step.toBackground)  # here
        """),
      .violates(
        "The tagged socket was closed, and its successor is forgotten.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.connect op=open socket=1 peer=sip
        +1s     voip.tag socket=1 interface=NSStream
        +1s     net.connect op=close socket=1
        +1s     net.connect op=open socket=2 peer=sip
        \(Step.toBackground)  # here
        """),
      .violates(
        "From iOS 9 on it is only a note.", severities: [.note],
        """
        header os_version=9.0 sdk_linked=9.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.connect op=open socket=1 peer=sip
        \(Step.toBackground)  # here
        """),
      .holds(
        "One tagged socket is enough.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.connect op=open socket=1 peer=sip
        +1s     voip.tag socket=1 interface=NSStream
        +1s     net.connect op=open socket=2 peer=web
        \(Step.toBackground)
        """),
      .holds(
        "No socket is open.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.connect op=open socket=1 peer=web
        +1s     net.connect op=close socket=1
        \(Step.toBackground)
        """),
      .holds(
        "The stream is tagged before it is opened, as the guide shows.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.tag socket=1 interface=CFStream
        +1s     net.connect op=open socket=1 peer=sip
        \(Step.toBackground)
        """),
      .holds(
        "Only VoIP apps tag their sockets.",
        """
        \(Step.launch)
        +1s     net.connect op=open socket=1 peer=web
        \(Step.toBackground)
        """),
      .unknown(
        "The socket may have been tagged before the recording began.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        +0s     trace.start reason=attach
        +1s     net.connect op=open socket=2 peer=web
        \(Step.toBackground)
        """),
    ])
}
