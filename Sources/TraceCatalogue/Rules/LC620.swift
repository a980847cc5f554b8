// LC620: the significant-change service is started on a device without a cellular radio.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC620 {
  static let rule = Rule(
    id: "LC620",
    slug: "background-mode/significant-change-unavailable",
    severity: .note,
    summary: """
      The significant-change location service is started only on devices with a cellular radio.
      """,
    rationale: """
      The service notices that the device moved by the cells of the mobile network. Without a \
      radio it can be started and stays silent.
      """,
    consequence: "No updates arrive, and nothing wakes or relaunches the app.",
    advice: """
      Ask significantLocationChangeMonitoringAvailable first, and offer something else where the \
      answer is no.
      """,
    sources: [.appStates("Tracking the User's Location")],
    needs: ["loc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(
              .locStart, where: .isText(.service, ["significant"]),
              while: .header(.isFalse(.hasCellularRadio))))),
        message: "{what} asked for significant changes on a device without a cellular radio")
    ],
    examples: [
      .violates(
        "On a tablet without a radio the service is started all the same.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[] has_cellular_radio=false
        \(Step.launch)
        +1s     loc.start service=significant  # here
        """),
      .violates(
        "Twice in a launch is one finding.",
        """
        header os_version=4.3 sdk_linked=4.3 background_modes=[] has_cellular_radio=false
        \(Step.launch)
        +1s     loc.start service=significant  # here
        +1s     loc.stop service=significant
        +1s     loc.start service=significant
        """),
      .holds(
        "The standard service finds its way without a radio, and regions do.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[] has_cellular_radio=false
        \(Step.launch)
        +1s     loc.start service=standard
        +1s     loc.start service=region
        +1s     loc.start
        """),
      .holds(
        "On a telephone the service is the right choice.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[] has_cellular_radio=true
        \(Step.launch)
        +1s     loc.start service=significant
        """),
      .unknown(
        "The header doesn't say whether the device has a radio.",
        """
        \(Step.launch)
        +1s     loc.start service=significant
        """),
    ])
}
