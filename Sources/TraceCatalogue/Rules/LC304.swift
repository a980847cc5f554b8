// LC304: a launch into the background does work for the screen.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC304 {
  private static let isGettingReady = Condition.any([
    .phase([.launchingBackground]),
    .all([.phase([.background]), .wasLaunchedIntoBackground, .not(.anyFact("handled"))]),
  ])

  private static func clause(_ needs: [String], _ event: EventPattern) -> Clause {
    Clause(
      .note, needs: needs, .never(Never(event)),
      message: "{what} on {thread} in a launch into the background")
  }

  static let rule = Rule(
    id: "LC304",
    slug: "launch/background-launch-does-ui-work",
    severity: .note,
    summary: "A launch into the background only gets ready for the event that it is for.",
    rationale: """
      The system starts the app for one event: a place, a download, a message. Nobody looks at the \
      screen, and the time for the event runs while the app prepares views and tidies up.
      """,
    consequence: """
      Time and power are wasted, and less of the wake-up is left for what the app was started for.
      """,
    advice: """
      Ask for the application state in the launch methods, and build views, show alerts and tidy \
      up when the app comes to the foreground.
      """,
    sources: [.appStates("What to Do at Launch Time")],
    needs: ["proc", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    facts: [Fact("handled", set: [.end(.wakeWindow)])],
    clauses: [
      clause(["ui"], .on(.uiUpdate, where: .not(.isTrue(.forSnapshot)), while: isGettingReady)),
      clause(["ui"], .on(.uiAlertShow, while: isGettingReady)),
      clause(["movie"], .on(.moviePlay, while: isGettingReady)),
      clause(
        ["work"],
        .on(
          .workSpan, where: .isText(.class, ["ui", "housekeeping", "noncritical"]),
          while: isGettingReady)),
    ],
    examples: violating + holding)

  private static func launched(_ lines: String) -> String {
    """
    header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
    +0s     proc.start into=background reason=location
    +10ms   >delegate.did_finish_launching
    \(lines)
    +10ms   <delegate.did_finish_launching
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "The app builds its views for a change of place.",
      launched("+10ms   ui.update what=view  # here")),
    .violates(
      "What a recorder says is not for a snapshot counts as well.",
      launched("+10ms   ui.update what=window for_snapshot=false  # here")),
    .violates(
      "An alert is shown to nobody.",
      launched("+10ms   ui.alert_show id=1  # here")),
    .violates(
      "A movie begins.",
      launched("+10ms   movie.play id=1 route=local  # here")),
    .violates(
      "Work for the screen.",
      launched("+10ms   work.span for 1ms id=1 class=ui  # here")),
    .violates(
      "Housekeeping.",
      launched("+10ms @3  work.span for 1ms id=1 class=housekeeping  # here")),
    .violates(
      "Work that can wait; several pieces are one finding.",
      launched(
        """
        +10ms   work.span for 1ms id=1 class=noncritical  # here
        +10ms   work.span for 1ms id=2 class=noncritical
        """)),
    .violates(
      "Until the system calls the wake-up handled it is the launch's time.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
      +0s     proc.start into=background reason=location
      +10ms   delegate.did_finish_launching for 100ms
      +110ms @9 >wake.window id=1 reason=location
      +1s     ui.update what=view  # here
      +1s @9  <wake.window id=1
      """),
    .violates(
      "After the launch an alert, a movie and housekeeping are as useless, in three launches.",
      reasons: [nil, nil, nil],
      """
      \(Step.backgroundLaunch)
      +1s     ui.alert_show id=1  # here
      +1s     proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(Step.backgroundLaunch)
      +1s     movie.play id=1 route=local  # here
      +1s     proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(Step.backgroundLaunch)
      +1s @3  work.span for 1ms id=1 class=housekeeping  # here
      +1s     proc.kill cause=jetsam
      """),
    .violates(
      "Without a recorded wake-up, until the app leaves the background.",
      """
      \(Step.backgroundLaunch)
      +10s    ui.update what=view  # here
      \(Step.toForeground)
      +1s     ui.update what=view
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The app goes on locating and handles what it was started for.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
      +0s     proc.start into=background reason=location
      +10ms   >delegate.did_finish_launching
      +10ms   loc.start service=significant
      +10ms   <delegate.did_finish_launching
      +10ms   loc.update for 10ms service=significant
      """),
    .holds(
      "Views for the picture of the app switcher are meant to be updated.",
      launched("+10ms   ui.update what=view for_snapshot=true")),
    .holds(
      "Work on what the app was started for.",
      launched("+10ms   work.span for 1ms id=1 class=location")),
    .holds(
      "After the wake-up is handled other rules speak of views in the background.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
      +0s     proc.start into=background reason=location
      +10ms   delegate.did_finish_launching for 100ms
      +110ms @9 >wake.window id=1 reason=location
      +1s @9  <wake.window id=1
      +1s     ui.update what=view
      """),
    .holds(
      "A launch into the foreground has a screen.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms   ui.update what=view
      +10ms   <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms
      """),
    .holds(
      "An app that went to the background by itself wasn't launched into it.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     ui.update what=view
      """),
  ]
}
