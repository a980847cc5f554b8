// LC627: the keep-alive handler of a VoIP app is to be called more often than it need be.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC627 {
  static let rule = Rule(
    id: "LC627",
    slug: "background-mode/keep-alive-timeout-short",
    severity: .note,
    summary: "A keep-alive timeout is a quarter of an hour or longer.",
    rationale: """
      Each call of the handler wakes the processor and the radio. The smallest timeout that the \
      system takes, ten minutes, is a limit and no recommendation: as long as the server allows is \
      what it asks for.
      """,
    consequence: "The handler wakes the device more often than needed, which the battery pays.",
    advice: """
      Take the longest timeout that the server and the network between bear, and let the server \
      keep idle connections longer.
      """,
    sources: [.iOS4Guide("Installing a Keep-Alive Handler")],
    needs: ["voip"],
    profiles: Profile.ios4ToIOS8,
    parameters: [
      RuleParameter("limit", .seconds, 900, .toolDefault),
      RuleParameter("minimum", .seconds, 600, .documented),
    ],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(
              .voipKeepaliveSet,
              where: .all([
                .compare(.timeoutS, .atLeast, .parameter("minimum")),
                .compare(.timeoutS, .less, .parameter("limit")),
              ])))),
        message: "{what} asked for a timeout of {timeout_s} s")
    ],
    examples: [
      .violates(
        "The smallest timeout that the system takes.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=600 accepted=true  # here
        """),
      .violates(
        "A second less than a quarter of an hour; told once in a launch.",
        """
        header os_version=4.3 sdk_linked=4.3 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=899  # here
        +1s     voip.keepalive_set timeout_s=899
        """),
      .holds(
        "An hour.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=3600 accepted=true
        """),
      .holds(
        "A quarter of an hour is enough.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=900 accepted=true
        """),
      .holds(
        "A timeout that the system refuses is told by another rule.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[voip]
        \(Step.launch)
        +1s     voip.keepalive_set timeout_s=599 accepted=false
        """),
    ])
}
