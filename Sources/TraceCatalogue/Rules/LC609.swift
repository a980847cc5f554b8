// LC609: a keep-alive handler is asked for more often than the system allows.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC609 {
  /// The system since which VoIP apps are meant to use PushKit; also assumed where it isn't known.
  private static let isLate: HeaderTest = .any([.system(9, 0), .not(.isSet(.osVersion))])

  private static func clause(
    _ severity: Severity, _ applies: HeaderTest, _ test: FieldTest, message: MessageTemplate
  ) -> Clause {
    Clause(
      severity, applies: applies,
      .never(
        Never(
          .on(
            .voipKeepaliveSet,
            where: .all([.compare(.timeoutS, .less, .parameter("limit")), test])))),
      message: message)
  }

  private static let plain: MessageTemplate =
    "a keep-alive timeout of {timeout_s} s was asked for, less than the system accepts"
  private static let doubtful: MessageTemplate = """
    a keep-alive timeout of {timeout_s} s was asked for, less than the system accepts; that the \
    trace says it was accepted is a defect of the trace
    """

  private static let isAccepted: FieldTest = .isTrue(.accepted)

  static let rule = Rule(
    id: "LC609",
    slug: "background-mode/keep-alive-below-600s",
    severity: .warning,
    summary: "A keep-alive handler is installed with a timeout of at least 600 seconds.",
    rationale: """
      Each call of the handler wakes the device. The system therefore sets a lower bound, and \
      refuses handlers that ask for less.
      """,
    consequence: """
      The call returns NO: no handler is installed, and the connection to the server is lost.
      """,
    advice: """
      Ask for the longest timeout with which the server keeps the connection, 600 seconds at \
      least, and check what the call returns.
      """,
    sources: [.iOS4Guide("Installing a Keep-Alive Handler")],
    needs: ["voip"],
    profiles: Profile.ios4ToIOS8,
    parameters: [RuleParameter("limit", .seconds, 600, .documented)],
    clauses: [
      clause(.warning, .not(isLate), .not(isAccepted), message: plain),
      clause(.warning, .not(isLate), isAccepted, message: doubtful),
      clause(.note, isLate, .not(isAccepted), message: plain),
      clause(.note, isLate, isAccepted, message: doubtful),
    ],
    examples: [
      .violates(
        "Five minutes are refused.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=300 accepted=false  # here
        """),
      .violates(
        "A second too short, and a trace that must be wrong about the answer.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=599 accepted=true  # here
        """),
      .violates(
        "From iOS 9 on it is only a note …", severities: [.note],
        """
        header os_version=9.0 sdk_linked=9.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=300 accepted=false  # here
        """),
      .violates(
        "… and calls of one launch are one finding.", severities: [.note],
        """
        header os_version=9.0 sdk_linked=9.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=599.5  # here
        +1s     voip.keepalive_set timeout_s=60
        """),
      .violates(
        "So it is where the log is wrong about the answer.", severities: [.note],
        """
        header os_version=9.0 sdk_linked=9.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=599 accepted=true  # here
        """),
      .holds(
        "600 seconds are accepted, whatever the log says of the answer.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=600 accepted=true
        +1s     voip.keepalive_set timeout_s=600
        """),
      .holds(
        "On iOS 9 the bound is the same.",
        """
        header os_version=9.0 sdk_linked=9.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=600 accepted=true
        +1s     voip.keepalive_set timeout_s=600
        """),
      .holds(
        "A handler that is cleared has no timeout.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_clear
        """),
    ])
}
