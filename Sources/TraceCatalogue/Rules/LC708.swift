// LC708: a background session is told not to launch the app when its transfers end.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC708 {
  static let rule = Rule(
    id: "LC708",
    slug: "networking/background-session-no-launch-events",
    severity: .warning,
    summary: "A background session is configured to launch the app when it needs the app.",
    rationale: """
      The transfers of a background session may end long after the app is gone. The system starts \
      the app for their results only if sessionSendsLaunchEvents is set.
      """,
    consequence: """
      The finished transfers wait, unhandled, until the user happens to start the app; if \
      one of them is asked for credentials, it stands still until then.
      """,
    advice: """
      Leave sessionSendsLaunchEvents of the background configuration at YES, and create the \
      session before its tasks.
      """,
    sources: [.backgroundExecution("Downloading Content in the Background")],
    needs: ["url"],
    profiles: Profile.ios7Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .urlSession,
              where: .all([.isText(.kind, ["background"]), .isFalse(.sendsLaunchEvents)])),
            per: .key, key: [.argument(.identifier)])),
        message: "{what} made a background session that doesn't launch the app")
    ],
    examples: [
      .violates(
        "The configuration switches the launch events off.",
        """
        \(Step.launch)
        +1s     url.session identifier=feed kind=background sends_launch_events=false  # here
        \(Step.end)
        """),
      .violates(
        "Two sessions are two findings; a session that is made again is none more.",
        reasons: [nil, nil],
        """
        \(Step.launch)
        +1s     url.session identifier=feed kind=background sends_launch_events=false  # here
        +1s     url.session identifier=photos kind=background sends_launch_events=false  # here
        +1s     url.session identifier=feed kind=background sends_launch_events=false
        \(Step.end)
        """),
      .holds(
        "The session may launch the app.",
        """
        \(Step.launch)
        +1s     url.session identifier=feed kind=background sends_launch_events=true
        \(Step.end)
        """),
      .holds(
        "What isn't said has the configuration's own value, and that is YES.",
        """
        \(Step.launch)
        +1s     url.session identifier=feed kind=background
        \(Step.end)
        """),
      .holds(
        "A default session lives in the app and launches nobody.",
        """
        \(Step.launch)
        +1s     url.session kind=default sends_launch_events=false
        +1s     url.session kind=ephemeral sends_launch_events=false
        \(Step.end)
        """),
    ])
}
