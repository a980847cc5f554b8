// LC516: the app ends its own process.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC516 {
  static let rule = Rule(
    id: "LC516",
    slug: "termination/self-exit",
    severity: .warning,
    summary: "An app never ends its own process: ending it is the system's business.",
    rationale: """
      A call of exit leaves the app without a word to the delegate: nothing is saved, no animation \
      leads back to the Home screen. Users and crash reporters can't tell it from a crash.
      """,
    consequence: """
      The app vanishes as if it had crashed. A VoIP app that leaves with a code other than 0 is \
      started again at once.
      """,
    advice: """
      Return to a first screen, or say what is wrong and wait for the user to leave; to be ended \
      on leaving, set UIApplicationExitsOnSuspend on systems that honour it.
      """,
    sources: [
      .cocoanetics("readers' comments"), .iOS4Guide("Configuring Sockets for VoIP Usage"),
      .appStates("App Termination"),
    ],
    needs: ["proc", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .procExit, where: .isText(.by, ["app"]), while: .not(.phase([.terminating]))))),
        message: "the app ended its own process on {thread}")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: [
      .violates(
        "A button of the app says “Quit”.",
        """
        \(Step.launch)
        +5s     ui.touch
        +10ms   proc.exit code=0 by=app  # here
        """),
      .violates(
        "In the background, too, the system decides when the process ends.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s @3  proc.exit code=1 by=app  # here
        """),
      .violates(
        "The app gives up while it is launched, and again the next time.", reasons: [nil, nil],
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   proc.exit code=1 by=app  # here
        +60s    sys.user_launch from=icon
        +10ms   proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   proc.exit code=1 by=app  # here
        """),
      .violates(
        "Systems without multitasking end the app themselves as well.",
        """
        header os_version=3.1 sdk_linked=3.1
        \(Step.launch)
        +1s     proc.exit code=0 by=app  # here
        """),
      .holds(
        "An app that opted out is ended by UIKit after its callback.",
        """
        header os_version=8.0 sdk_linked=8.0 exits_on_suspend=true background_modes=[]
        \(Step.launch)
        +1s     sys.home_button
        +10ms   delegate.will_terminate for 10ms
        +10ms   proc.exit by=uikit_after_will_terminate
        """),
      .holds(
        "The end is decided already: the callback leaves a little early.",
        """
        \(Step.launch)
        +1s     >delegate.will_terminate
        +10ms   proc.exit code=0 by=app
        """),
      .holds(
        "Who ended the process isn't recorded.",
        """
        \(Step.launch)
        +1s     proc.exit code=0
        """),
      .holds(
        "A kill is not an exit.",
        """
        \(Step.launch)
        +1s     proc.kill cause=crash
        """),
      .unknown(
        "The callback may have come before the recording began.",
        """
        +0s     trace.start reason=attach
        +1s     proc.exit code=0 by=app
        """),
    ])
}
