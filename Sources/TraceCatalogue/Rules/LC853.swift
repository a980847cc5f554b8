// LC853: the state of the interface isn't preserved when the app enters the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC853 {
  private static let preserving: [EventPattern] = [
    .on(.delegateShouldSaveState), .on(.dataSave, where: .isText(.kind, ["ui_state"])),
  ]

  static let rule = Rule(
    id: "LC853",
    slug: "data/no-state-preservation",
    severity: .note,
    summary: "The state of the interface is preserved when the app first enters the background.",
    rationale: """
      From iOS 6 on the system offers to keep the state of view controllers across launches. An \
      app that neither takes the offer nor saves such a state of its own can't hide from its user \
      that it was purged.
      """,
    consequence: "After a purge the app starts at its first screen, and the user loses the place.",
    advice: """
      Return YES from application:shouldSaveApplicationState: and give your view controllers \
      restoration identifiers, or save the state of the interface yourself.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["delegate", "data"],
    profiles: [.ios5, .ios7, .ios8, .ios13],
    parameters: [RuleParameter("delay", .nanoseconds, 2_000_000_000, .toolDefault)],
    facts: [
      Fact("preserved", set: preserving, life: .trace),
      // Listed before the fact that it asks for: true from the second entry on.
      Fact(
        "entered again", set: [.end(.delegateDidEnterBackground, while: .fact("entered"))],
        life: .trace),
      Fact("entered", set: [.end(.delegateDidEnterBackground)], life: .trace),
    ],
    clauses: [
      Clause(
        .note, applies: .system(6, 0),
        .expect(
          Expect(
            opens: [
              .end(
                .delegateDidEnterBackground,
                while: .all([.not(.fact("preserved")), .not(.fact("entered again"))]))
            ],
            closes: preserving, due: [.within(.parameter("delay")), .suspension(inferred: false)],
            per: .trace)),
        message: "the app entered the background and preserved no state of its interface")
    ],
    examples: [
      .holds(
        "A return of a callback that was never entered is no way into the background.",
        """
        \(Step.launch)
        +1s     <delegate.did_enter_background
        +3s     trace.marker text=later
        \(Step.end)
        """),
      .violates(
        "Two seconds and a nanosecond in the background, and nothing was preserved.",
        """
        header os_version=7.0 sdk_linked=7.0
        \(Step.launch)
        \(Step.toBackground)
        +2.000000001s  trace.marker text=later  # here
        """),
      .violates(
        "The suspension is the end of all chances; saved data of the user is no such state.",
        """
        header os_version=6.0 sdk_linked=6.0
        \(Step.launch)
        \(Step.toBackground)
        +1s     data.save store=notes kind=user_data
        +500ms  proc.suspend inferred=false  # here
        +60s    proc.resume inferred=false reason=user_icon
        +1s     data.save store=screens kind=ui_state
        \(Step.toForeground)
        """),
      .violates(
        "Only the first entry of a trace is told.",
        """
        header os_version=13.1 sdk_linked=13.0
        \(Step.launch)
        \(Step.toBackground)
        +3s     trace.marker text=later  # here
        \(Step.toForeground)
        \(Step.toBackground)
        +3s     trace.marker text=later
        """),
      .holds(
        "The system asks, and the app says yes.",
        """
        header os_version=7.0 sdk_linked=7.0
        \(Step.launch)
        \(Step.toBackground)
        +2s     delegate.should_save_state for 1ms result=true
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "An app's own way of saving the state is as good, also before the callback returns.",
        """
        \(Step.launch)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +10ms   data.save store=screens kind=ui_state
        +10ms   <delegate.did_enter_background
        +1s     proc.suspend inferred=false
        """),
      .holds(
        "The system may ask before the callback returns.",
        """
        \(Step.launch)
        +1s     delegate.will_resign_active for 1ms
        +10ms   >delegate.did_enter_background
        +10ms   delegate.should_save_state for 1ms result=true
        +10ms   <delegate.did_enter_background
        +3s     trace.marker text=later
        """),
      .holds(
        "The first entry was right; the second isn't asked for.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     data.save store=screens kind=ui_state
        \(Step.toForeground)
        \(Step.toBackground)
        +3s     trace.marker text=later
        """),
      .holds(
        "iOS 5 has nothing to preserve state with.",
        """
        header os_version=5.1 sdk_linked=5.1
        \(Step.launch)
        \(Step.toBackground)
        +3s     trace.marker text=later
        """),
      .holds(
        "Scenes have a restoration of their own.",
        """
        header os_version=15.0 sdk_linked=15.0 scene_manifest=true
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  scene.will_connect for 1ms scene=main
        +10ms   scene.will_enter_foreground for 1ms scene=main
        +10ms   scene.did_become_active for 1ms scene=main
        +1s     scene.will_resign_active for 1ms scene=main
        +10ms   scene.did_enter_background for 10ms scene=main
        +5s     trace.marker text=later
        """),
      .unknown(
        "The trace stops too early.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     trace.marker text=last
        """),
      .unknown(
        "A crash cut the first entry short; the second one is not asked for.",
        """
        \(Step.launch)
        \(Step.toBackground)
        +1s     proc.kill cause=crash
        +60s    trace.marker text=between
        \(Step.launch)
        \(Step.toBackground)
        +3s     trace.marker text=later
        \(Step.end)
        """),
      .unknown(
        "Nobody says which system it was.",
        """
        header sdk_linked=7.0
        \(Step.launch)
        \(Step.toBackground)
        +3s     trace.marker text=later
        """),
    ])
}
