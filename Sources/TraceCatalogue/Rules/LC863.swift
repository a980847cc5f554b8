// LC863: the app declares a main storyboard and a main nib.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC863 {
  static let rule = Rule(
    id: "LC863",
    slug: "config/two-main-interfaces",
    severity: .warning,
    summary: "An app has a main storyboard or a main nib, not both.",
    rationale: """
      At launch the system loads one main interface file, which makes the window and often the \
      app's first objects. Two of them contradict each other.
      """,
    consequence: "Nothing says which of the two is loaded.",
    advice: "Remove UIMainStoryboardFile or NSMainNibFile from the Info.plist.",
    sources: [.appStates("About the main Function")],
    needs: [],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .warning, .header(.all([.isSet(.mainStoryboard), .isSet(.mainNib)])),
        message: "the app declares a main storyboard and a main nib")
    ],
    examples: [
      .violates(
        "A nib left over from before the storyboard.",
        """
        header os_version=7.0 sdk_linked=7.0 main_storyboard=Main main_nib=MainWindow  # here
        \(Step.launch)
        """),
      .violates(
        "It is as wrong on a system before multitasking.",
        """
        header os_version=3.1 sdk_linked=3.1 main_storyboard=Main main_nib=MainWindow  # here
        \(Step.launch)
        """),
      .holds(
        "A storyboard alone.",
        """
        header os_version=7.0 sdk_linked=7.0 main_storyboard=Main
        \(Step.launch)
        """),
      .holds(
        "A nib alone; the storyboard is recorded as none.",
        """
        header os_version=7.0 sdk_linked=7.0 main_storyboard=none main_nib=MainWindow
        \(Step.launch)
        """),
      .holds("Neither: the window is made in code.", Step.launch),
    ])
}
