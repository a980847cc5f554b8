// LM05: a task identifier or kind that the app's Info.plist doesn't permit.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM05 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]"
    + " permitted_task_identifiers=[com.example.refresh,com.example.clean]"

  private static func clause(_ event: EventPattern, message: MessageTemplate) -> Clause {
    Clause(
      .warning, .never(Never(event, per: .key, key: [.argument(.identifier)])), message: message)
  }

  private static func lacks(_ mode: String, for kind: String) -> Clause {
    clause(
      .on(
        .bgschedSubmit, where: .isText(.kind, [kind]),
        while: .header(.not(.has(.backgroundModes, mode)))),
      message: MessageTemplate(
        "{identifier} was submitted as \(kind), which needs the background mode \(mode)"))
  }

  static let rule = Rule(
    id: "LM05",
    slug: "bgsched/identifier-not-permitted",
    severity: .warning,
    summary: "The Info.plist permits each task identifier and the mode of each kind of task.",
    rationale: """
      The scheduler takes only identifiers listed under BGTaskSchedulerPermittedIdentifiers, and \
      only kinds of tasks whose background mode the app declares: fetch to refresh, processing to \
      process.
      """,
    consequence: "The registration or the submission fails, and the task never runs.",
    advice: """
      Add the identifier to BGTaskSchedulerPermittedIdentifiers and the mode to UIBackgroundModes, \
      and look at the result of register and the error of submit.
      """,
    sources: [
      .apple("BGTaskScheduler.Error.Code, notPermitted"),
      .apple("BGTaskSchedulerPermittedIdentifiers"),
    ],
    needs: ["bgsched"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      // The permitted identifiers of continued tasks may be patterns, from iOS 26 on.
      clause(
        .on(
          .bgschedRegister, where: .isNotInHeader(.identifier, .permittedTaskIdentifiers),
          while: .header(.not(.system(26, 0)))),
        message: "{identifier} was registered, which the Info.plist doesn't permit"),
      clause(
        .on(
          .bgschedSubmit,
          where: .all([
            .isNotInHeader(.identifier, .permittedTaskIdentifiers),
            .not(.isText(.kind, ["continued"])),
          ])),
        message: "{identifier} was submitted, which the Info.plist doesn't permit"),
      clause(
        .on(.bgschedSubmit, where: .compare(.errorCode, .equal, .fixed(3))),
        message: "the scheduler refused {identifier} as not permitted"),
      lacks("fetch", for: "refresh"),
      lacks("processing", for: "processing"),
    ],
    examples: [
      .violates(
        "An identifier that nobody put on the list is registered.",
        """
        \(header)
        +0s     proc.start into=foreground reason=user_icon
        +10ms   bgsched.register identifier=com.example.other  # here
        +1s     bgsched.submit identifier=com.example.other kind=refresh
        """),
      .violates(
        "Submitted without being on the list.",
        """
        \(header)
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.other kind=processing  # here
        """),
      .violates(
        "The scheduler says so itself.",
        """
        header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.refresh kind=refresh error_code=3  # here
        """),
      .violates(
        "Neither mode is declared.", reasons: [nil, nil],
        """
        header os_version=15.0 sdk_linked=15.0 background_modes=[audio]
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.refresh kind=refresh  # here
        +1s     bgsched.submit identifier=com.example.clean kind=processing  # here
        """),
      .violates(
        "Each mode permits its own kind only.", reasons: [nil, nil],
        """
        header os_version=15.0 sdk_linked=15.0 background_modes=[fetch]
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.refresh kind=refresh
        +1s     bgsched.submit identifier=com.example.a kind=processing  # here
        +1s     bgsched.submit identifier=com.example.b kind=processing  # here
        """),
      .violates(
        "On a system just before iOS 26 every identifier is written out in the list.",
        """
        header os_version=25.9 sdk_linked=18.0 permitted_task_identifiers=["com.example.*"]
        +0s     proc.start into=foreground reason=user_icon
        +10ms   bgsched.register identifier=com.example.export.7  # here
        """),
      .holds(
        "All is declared.",
        """
        \(header)
        +0s     proc.start into=foreground reason=user_icon
        +10ms   bgsched.register identifier=com.example.refresh
        +10ms   bgsched.register identifier=com.example.clean
        +1s     bgsched.submit identifier=com.example.refresh kind=refresh
        +1s     bgsched.submit identifier=com.example.clean kind=processing
        """),
      .holds(
        "From iOS 26 on the list may hold patterns for continued tasks.",
        """
        header os_version=26.0 sdk_linked=26.0 permitted_task_identifiers=["com.example.*"]
        +0s     proc.start into=foreground reason=user_icon
        +10ms   bgsched.register identifier=com.example.export.7
        +1s     bgsched.submit identifier=com.example.export.7 kind=continued
        """),
      .holds(
        "Other errors of a submission, and a header without the list, say nothing of permission.",
        """
        header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.refresh kind=refresh error_code=2
        """),
      .unknown(
        "The header doesn't say which modes the app declares.",
        """
        header os_version=15.0 sdk_linked=15.0
        \(Step.launch)
        +1s     bgsched.submit identifier=com.example.refresh kind=refresh
        """),
    ])
}
