// LC862: the app opts out of running in the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC862 {
  static let rule = Rule(
    id: "LC862",
    slug: "config/opt-out",
    severity: .note,
    summary: "An app doesn't opt out of the background.",
    rationale: """
      UIApplicationExitsOnSuspend ends the app whenever the user leaves it. Apple advises \
      against it but for special cases, and from iOS 13 on the system passes it over, so that an \
      app that relies on it behaves otherwise than its authors think.
      """,
    consequence: """
      Every return to the app is a whole launch. From iOS 13 on the key has no effect, and the \
      app is suspended like any other.
      """,
    advice: "Remove UIApplicationExitsOnSuspend, and save state when the background is entered.",
    sources: [
      .appStates("Opting out of Background Execution"),
      .apple("UIApplicationExitsOnSuspend"),
    ],
    needs: [],
    profiles: [.optout, .ios13, .scene],
    parameters: [],
    clauses: [
      Clause(
        .note, applies: .profile([.optout]), .header(.isTrue(.exitsOnSuspend)),
        message: "the app opts out of the background, and is launched anew at each return"),
      Clause(
        .warning, applies: .profile([.ios13, .scene]), .header(.isTrue(.exitsOnSuspend)),
        message: "the app opts out of the background, which has no effect from iOS 13 on"),
    ],
    examples: [
      .violates(
        "An app of iOS 8 that ends when the user leaves it.",
        """
        header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true  # here
        \(Step.launch)
        """),
      .violates(
        "On iOS 13 the key does nothing.", severities: [.warning],
        """
        header os_version=13.0 sdk_linked=13.0 exits_on_suspend=true  # here
        \(Step.launch)
        """),
      .violates(
        "Nor does it in an app with scenes.", severities: [.warning],
        """
        header os_version=15.0 sdk_linked=15.0 exits_on_suspend=true scene_manifest=true  # here
        +0s     proc.start into=foreground reason=user_icon
        """),
      .holds("An app that stays.", Step.launch),
      .holds(
        "The same on a system that knows the key no more.",
        """
        header os_version=13.0 sdk_linked=13.0 exits_on_suspend=false
        \(Step.launch)
        """),
      .holds(
        "A device without multitasking ends every app that is left: the key adds nothing.",
        """
        header os_version=4.2 sdk_linked=4.2 exits_on_suspend=true multitasking_supported=false
        \(Step.launch)
        """),
      .unknown(
        "A header that doesn't say.",
        """
        header os_version=13.0 sdk_linked=13.0
        \(Step.launch)
        """),
    ])
}
