// LC625: the app declares a background mode that its system doesn't have.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC625 {
  static let rule = Rule(
    id: "LC625",
    slug: "background-mode/mode-unknown-to-os",
    severity: .note,
    summary: "Each background mode that the app declares exists in the system it runs on.",
    rationale: """
      Modes came one by one: audio, location and voip with iOS 4, newsstand-content, \
      external-accessory and bluetooth-central with 5, bluetooth-peripheral with 6, fetch and \
      remote-notification with 7, processing with 13. A system reads past those it doesn't know.
      """,
    consequence: """
      The mode has no effect: the app is suspended and not woken, as if it weren't declared.
      """,
    advice: """
      Correct the spelling in UIBackgroundModes; if the mode is merely newer than the system, make \
      sure that the app also does without it.
      """,
    sources: [
      .appStates("Communicating with a Bluetooth Accessory"),
      .appStates("Fetching Small Amounts of Content Regularly"),
    ],
    needs: [],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .note, .header(.hasUnknownMode),
        message: "The app declares a background mode that the system doesn't have")
    ],
    examples: [
      .violates(
        "Fetch came with iOS 7.",
        """
        header os_version=6.1 sdk_linked=6.1 background_modes=[audio,fetch]  # here
        \(Step.launch)
        """),
      .violates(
        "A mode that is misspelt is none.",
        """
        header os_version=8.0 sdk_linked=8.0 background_modes=[remote-notifications]  # here
        \(Step.launch)
        """),
      .violates(
        "The role of a peripheral came with iOS 6.",
        """
        header os_version=5.1 sdk_linked=5.1 background_modes=[bluetooth-peripheral]  # here
        \(Step.launch)
        """),
      .violates(
        "An app that opts out of multitasking is told, too.",
        """
        header os_version=4.3 exits_on_suspend=true background_modes=[newsstand-content]  # here
        \(Step.launch)
        """),
      .violates(
        "Processing came with iOS 13.",
        """
        header os_version=12.4 sdk_linked=12.0 background_modes=[processing]  # here
        \(Step.launch)
        """),
      .holds(
        "Fetch and silent pushes on the first system that has them.",
        """
        header os_version=7.0 sdk_linked=7.0 background_modes=[fetch,remote-notification]
        \(Step.launch)
        """),
      .holds(
        "The first three modes are as old as multitasking.",
        """
        header os_version=4.0 sdk_linked=4.0 background_modes=[audio,location,voip]
        \(Step.launch)
        """),
      .holds(
        "Accessories and Newsstand on iOS 5.",
        """
        header os_version=5.0 sdk_linked=5.0
        header background_modes=[newsstand-content,external-accessory,bluetooth-central]
        \(Step.launch)
        """),
      .holds(
        "An app without modes.",
        """
        \(Step.launch)
        """),
      .unknown(
        "The header doesn't list the modes.",
        """
        header os_version=7.0 sdk_linked=7.0
        \(Step.launch)
        """),
      .unknown(
        "The modes are known, the system isn't.",
        """
        header background_modes=[fetch]
        \(Step.launch)
        """),
    ])
}
