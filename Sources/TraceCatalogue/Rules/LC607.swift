// LC607: a VoIP app enters the background without a keep-alive handler.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC607 {
  /// The system since which VoIP apps are meant to use PushKit; also assumed where it isn't known.
  private static let isLate: HeaderTest = .any([.system(9, 0), .not(.isSet(.osVersion))])

  private static func clause(_ severity: Severity, _ applies: HeaderTest) -> Clause {
    Clause(
      severity, applies: .all([.has(.backgroundModes, "voip"), applies]),
      .never(Never(.end(.delegateDidEnterBackground, while: .not(.fact("handler installed"))))),
      message: "the app entered the background without a keep-alive handler")
  }

  static let rule = Rule(
    id: "LC607",
    slug: "background-mode/voip-no-keep-alive",
    severity: .warning,
    summary: "A VoIP app has installed its keep-alive handler when it enters the background.",
    rationale: """
      Routers and servers drop a connection that is silent for long. The handler is how a \
      suspended app says from time to time that it is there.
      """,
    consequence: "The connection to the server is lost while the app is suspended.",
    advice: """
      Call setKeepAliveTimeout:handler: at the latest in applicationDidEnterBackground: and check \
      what it returns; from iOS 9 on use PushKit instead.
      """,
    sources: [
      .appStates("Implementing a VoIP App"), .iOS4Guide("Installing a Keep-Alive Handler"),
    ],
    needs: ["voip", "delegate"],
    profiles: Profile.ios4ToIOS8,
    parameters: [],
    facts: [
      Fact(
        "handler installed",
        set: [.on(.voipKeepaliveSet, where: .not(.isFalse(.accepted)))],
        clear: [.on(.voipKeepaliveClear)])
    ],
    clauses: [clause(.warning, .not(isLate)), clause(.note, isLate)],
    examples: [
      .violates(
        "The socket is tagged, and the handler forgotten.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     net.connect op=open socket=1 peer=sip
        +1s     voip.tag socket=1 interface=NSStream
        \(Step.toBackground)  # here
        """),
      .violates(
        "The handler was cleared, and the system refused the next one.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=600 accepted=true
        +1s     voip.keepalive_clear
        +1s     voip.keepalive_set timeout_s=300 accepted=false
        \(Step.toBackground)  # here
        """),
      .violates(
        "From iOS 9 on it is only a note …", severities: [.note],
        """
        header os_version=9.0 sdk_linked=9.0 background_modes=[voip]
        \(Step.launch)
        \(Step.toBackground)  # here
        """),
      .violates(
        "… told once for a launch.", severities: [.note],
        """
        header os_version=9.3 sdk_linked=9.3 background_modes=[voip]
        \(Step.launch)
        \(Step.toBackground)  # here
        \(Step.toForeground)
        \(Step.toBackground)
        """),
      .holds(
        "Inside the callback is in time.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +1ms    voip.keepalive_set timeout_s=900 accepted=true
        +1ms    <delegate.did_enter_background
        """),
      .holds(
        "A log that doesn't say what the call returned means that it was accepted.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=900
        \(Step.toBackground)
        """),
      .holds(
        "Other apps need no handler.",
        """
        \(Step.launch)
        \(Step.toBackground)
        """),
      .unknown(
        "The handler may have been installed before the recording began.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        +0s     trace.start reason=attach
        \(Step.toBackground)
        """),
    ])
}
