// LC821: windows and views are updated while the app is in the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC821 {
  static let rule = Rule(
    id: "LC821",
    slug: "ui/update-in-background",
    severity: .warning,
    summary: """
      Windows and views are not updated in the background, except for the picture that the system \
      takes.
      """,
    rationale: """
      In the background nothing of the app can be seen. What it draws there takes from the little \
      time it has, and is out of date when the user comes back.
      """,
    consequence: "The app isn't killed for it; time and battery are spent on what nobody sees.",
    advice: """
      Keep the new data and fill the views in applicationWillEnterForeground:, or only mark them \
      with setNeedsDisplay; update them for the system's picture where the picture should be new.
      """,
    sources: [
      .appStates("Being a Responsible Background App"),
      .backgroundExecution("Being a Responsible Background App"),
    ],
    needs: ["ui", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .uiUpdate, where: .not(.isTrue(.forSnapshot)), while: .phase([.background])),
            per: .background)),
        message: "{what} changed what nobody can see, on {thread}, {since}")
    ],
    examples: [
      .violates(
        "A background task fills views.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1ms    bgtask.begin token=1 has_expiration_handler=true
        +1s     ui.update what=view  # here
        +1s     bgtask.end token=1
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "An app that was launched for a background fetch has no screen either.",
        """
        \(Step.backgroundLaunch)
        +1s     ui.update what=layer for_snapshot=false  # here
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "Each stay in the background is one finding.", reasons: [nil, nil],
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     ui.update what=view  # here
        +1s     ui.update what=window
        \(Step.toForeground)
        \(Step.toBackground)
        +1s     ui.update what=view  # here
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Marking a view costs nothing, and the system's picture may be made new.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +10ms   ui.needs_display view=list
        +10ms   ui.update what=view for_snapshot=true
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "Inside applicationDidEnterBackground: the views are prepared for the picture.",
        """
        \(Step.launch)
        \(Step.resign)
        +1ms    ui.update what=view
        +10ms   >delegate.did_enter_background
        +10ms   ui.update what=view
        +10ms   <delegate.did_enter_background
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "On the way to the foreground the views are filled.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     >delegate.will_enter_foreground
        +10ms   ui.update what=view
        +10ms   <delegate.will_enter_foreground
        +10ms   ui.update what=view
        +10ms   delegate.did_become_active for 1ms
        +10ms   ui.update what=view
        \(Step.end)
        """),
    ])
}
