// LC814: the user is asked again where to store files, though the answer is known.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC814 {
  private static let known = FieldTest.isTrue(.choiceInDefaults)
  private static let change = FieldTest.isText(.name, ["NSUbiquityIdentityDidChangeNotification"])

  static let rule = Rule(
    id: "LC814",
    slug: "notification/icloud-prompted-again",
    severity: .warning,
    summary: "An app asks once whether to store files in iCloud, and keeps the answer.",
    rationale: """
      The answer belongs in the app's own defaults. A change of the iCloud account or status \
      doesn't make it void, and the user can change it in the settings.
      """,
    consequence: """
      The user is asked what was answered before; another answer splits the files between two \
      places.
      """,
    advice: """
      Look for the answer in the user defaults first, and ask only if there is none; offer the \
      choice as a setting.
      """,
    sources: [.appStates("Handling iCloud Changes")],
    needs: ["ui"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("window", .nanoseconds, 10_000_000_000, .toolDefault)],
    facts: [
      // Listed before the fact it asks for, which then is as it was before the event.
      Fact(
        "asked again",
        set: [.on(.uiIcloudPrompt, where: known, while: .fact("asked"))], life: .trace),
      Fact("asked", set: [.on(.uiIcloudPrompt)], life: .trace),
      Fact(
        "account changed", set: [.any(.noteDeliver, where: change)],
        lasts: .parameter("window")),
    ],
    clauses: [
      Clause(
        .warning, applies: .isTrue(.usesICloud),
        .never(
          Never(
            .on(
              .uiIcloudPrompt, where: known,
              while: .any([.fact("asked again"), .fact("account changed")])),
            per: .launch)),
        message: "{what} asked about iCloud again, though the user's choice is stored")
    ],
    examples: violating + holding)

  private static let header = "header os_version=8.0 sdk_linked=8.0 uses_icloud=true"
  private static let changed = "name=NSUbiquityIdentityDidChangeNotification"

  private static let violating: [RuleExample] = [
    .violates(
      "The account changes, and the app asks anew.",
      """
      \(header)
      \(Step.launch)
      +1s     ui.icloud_prompt choice_in_defaults=false
      +60s    note.deliver \(changed)
      +1s     ui.icloud_prompt choice_in_defaults=true  # here
      \(Step.end)
      """),
    .violates(
      "The app asks at each launch.",
      """
      \(header)
      \(Step.launch)
      +1s     ui.icloud_prompt choice_in_defaults=false
      +1s     proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(Step.launch)
      +1s     ui.icloud_prompt choice_in_defaults=true  # here
      +60s    ui.icloud_prompt choice_in_defaults=true
      \(Step.end)
      """),
    .violates(
      "After a change the first question in the trace isn't the first in the app's life.",
      """
      \(header)
      \(Step.launch)
      +1s     note.deliver \(changed)
      +9.999999999s ui.icloud_prompt choice_in_defaults=true  # here
      \(Step.end)
      """),
    .violates(
      "The time counts from the end of the handler.",
      """
      \(header)
      \(Step.launch)
      +1s     >note.deliver \(changed)
      +3s     <note.deliver
      +8s     ui.icloud_prompt choice_in_defaults=true  # here
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The user is asked for the first time.",
      """
      \(header)
      \(Step.launch)
      +1s     ui.icloud_prompt choice_in_defaults=false
      \(Step.end)
      """),
    .holds(
      "The answer was removed from the defaults: asking again is right, also after a change.",
      """
      \(header)
      \(Step.launch)
      +1s     ui.icloud_prompt choice_in_defaults=false
      +60s    note.deliver \(changed)
      +1s     ui.icloud_prompt choice_in_defaults=false
      \(Step.end)
      """),
    .holds(
      "Ten seconds after a change a single question has nothing to do with it.",
      """
      \(header)
      \(Step.launch)
      +1s     note.deliver \(changed)
      +10s    ui.icloud_prompt choice_in_defaults=true
      \(Step.end)
      """),
    .holds(
      "Another notification before the question.",
      """
      \(header)
      \(Step.launch)
      +1s     note.deliver name=NSUserDefaultsDidChangeNotification
      +1s     ui.icloud_prompt choice_in_defaults=true
      \(Step.end)
      """),
    .holds(
      "An app that says it doesn't use iCloud.",
      """
      header os_version=8.0 sdk_linked=8.0 uses_icloud=false
      \(Step.launch)
      +1s     ui.icloud_prompt choice_in_defaults=true
      +1s     ui.icloud_prompt choice_in_defaults=true
      \(Step.end)
      """),
  ]
}
