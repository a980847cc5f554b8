// LC618: standard location runs for minutes in the background of an app that doesn't navigate.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC618 {
  static let rule = Rule(
    id: "LC618",
    slug: "background-mode/continuous-location-costly",
    severity: .note,
    summary: """
      An app that doesn't navigate leaves the standard location service on for no more than ten \
      minutes of one stay in the background.
      """,
    rationale: """
      The standard service keeps the receiver for satellites powered and the app awake. Most apps \
      want to know when the user is somewhere else, which the significant-change service tells \
      for next to nothing.
      """,
    consequence: "The battery empties fast, and the user finds out which app it was.",
    advice: """
      Use the significant-change or the region service in the background; if the standard one is \
      needed, lower its accuracy and stop it as soon as the position is good enough.
      """,
    sources: [
      .backgroundExecution("Tracking the User's Location"),
      .iOS4Guide("Receiving Location Events in the Background"),
    ],
    needs: ["loc", "delegate", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 600_000_000_000, .toolDefault)],
    facts: [.locating],
    clauses: [
      Clause(
        .note,
        .lasts(
          Lasts(
            .condition(
              .all([
                .phase([.background, .suspended]), .fact("locating"),
                .header(.has(.backgroundModes, "location")),
                .header(.not(.isText(.appKind, ["navigation"]))),
              ])),
            max: .parameter("limit"), per: .background)),
        message: "Standard location ran in the background for more than {limit}")
    ],
    examples: violating + holding + undecided)

  private static let header =
    "header os_version=8.0 sdk_linked=8.0 background_modes=[location] app_kind=app"

  private static let violating: [RuleExample] = [
    .violates(
      "Location stays on for half an hour after the user left.",
      """
      \(header)
      \(Step.launch)
      +1s     loc.start service=standard accuracy=10
      \(Step.toBackground)
      +1800s  loc.update for 1ms service=standard  # here
      \(Step.end)
      """),
    .violates(
      "Started in the background, a nanosecond too long; no service named means the standard one.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     loc.start
      +600.000000001s  loc.stop  # here
      """),
    .violates(
      "Of a stay with a suspension the time counts in which the app ran.",
      """
      \(header)
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +400s   proc.suspend inferred=false
      +3600s  proc.resume inferred=false reason=location
      +300s   loc.stop service=standard  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Exactly ten minutes.",
      """
      \(header)
      \(Step.launch)
      \(Step.toBackground)
      +1s     loc.start service=standard
      +600s   loc.stop service=standard
      +600s   trace.marker text=later
      """),
    .holds(
      "Navigation is what the service is for.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] app_kind=navigation
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +1800s  loc.update for 1ms service=standard
      """),
    .holds(
      "The significant-change service costs little.",
      """
      \(header)
      \(Step.launch)
      +1s     loc.start service=significant
      \(Step.toBackground)
      +1800s  loc.update for 1ms service=significant
      """),
    .holds(
      "Without the mode the service doesn't run in the background.",
      """
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +1800s  trace.marker text=later
      """),
    .holds(
      "In the foreground the user sees what the battery is spent on.",
      """
      \(header)
      \(Step.launch)
      +1s     loc.start service=standard
      +1800s  loc.stop service=standard
      """),
    .holds(
      "Two stays of 400 seconds are two stays.",
      """
      \(header)
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +400s   loc.update for 1ms service=standard
      \(Step.toForeground)
      \(Step.toBackground)
      +400s   loc.stop service=standard
      """),
    .holds(
      "While the app is suspended the service waits.",
      """
      \(header)
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toSuspended)
      +3600s  proc.resume inferred=false reason=user_icon
      \(Step.toForeground)
      +1s     loc.stop service=standard
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops after five minutes.",
      """
      \(header)
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +300s   trace.marker text=last
      """),
    .unknown(
      "In mid-life nobody knows whether location is on.",
      """
      \(header)
      +0s     trace.start reason=attach
      +1s     delegate.did_enter_background for 1ms
      +1800s  trace.marker text=later
      """),
  ]
}
