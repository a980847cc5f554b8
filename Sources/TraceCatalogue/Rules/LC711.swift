// LC711: the user ends the app by force while transfers of a background session are pending.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC711 {
  private static let pending = Expect(
    opens: [
      .on(
        .urlTask, where: .isText(.op, ["start"]),
        while: .factOf("background session", [.argument(.session)]))
    ],
    closes: [.on(.urlTask, where: .isText(.op, ["finish", "error", "cancel"]))],
    key: [.argument(.task), .argument(.session)], due: [.at([.on(.sysForceQuit)])])

  static let rule = Rule(
    id: "LC711",
    slug: "networking/transfers-cancelled-by-force-quit",
    severity: .note,
    summary: "No transfer of a background session is pending when the user ends the app by force.",
    rationale: """
      A background session outlives an app that the system ends, but not one that the user throws \
      out of the App Switcher: that is taken as the wish to stop everything. It is no fault of the \
      app, and explains why transfers are missing.
      """,
    consequence: """
      The system cancels the pending transfers and doesn't start the app for the session again.
      """,
    advice: """
      At the next launch make the session again, look for tasks that ended with a cancellation \
      error, and start them anew from their resume data.
      """,
    sources: [.backgroundExecution("Downloading Content in the Background")],
    needs: ["url", "sys"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: [
      Fact(
        "background session", set: [.on(.urlSession, where: .isText(.kind, ["background"]))],
        key: [.argument(.identifier)])
    ],
    clauses: [
      Clause(
        .note, .expect(pending),
        message: "{what} of a background session was cancelled, as the user ended the app by force"
      )
    ],
    examples: [
      .violates(
        "The app is thrown out of the App Switcher while it is suspended.",
        """
        \(Step.launch)
        +1s     url.session kind=background
        +1s     url.task op=start
        \(Step.toSuspended)
        +60s    sys.force_quit  # here
        +1ms    proc.kill cause=user_force_quit
        """),
      .violates(
        "Of four transfers one is still pending.",
        """
        \(Step.launch)
        +1s     url.session identifier=feed kind=background
        +1s     url.task op=start task=1 session=feed
        +1s     url.task op=start task=2 session=feed
        +1s     url.task op=start task=3 session=feed
        +1s     url.task op=start task=4 session=feed
        +1s     url.task op=finish task=1 session=feed
        +1s     url.task op=error task=2 session=feed
        +1s     url.task op=cancel task=3 session=feed
        +1s     sys.force_quit  # here
        +1ms    proc.kill cause=user_force_quit
        """),
      .holds(
        "After an end by the system the transfers go on.",
        """
        \(Step.launch)
        +1s     url.session kind=background
        +1s     url.task op=start
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        """),
      .holds(
        "All transfers are done.",
        """
        \(Step.launch)
        +1s     url.session identifier=feed kind=background
        +1s     url.task op=start task=1 session=feed
        +1s     url.task op=start task=2 session=feed
        +1s     url.task op=start task=3 session=feed
        +1s     url.task op=finish task=1 session=feed
        +1s     url.task op=error task=2 session=feed
        +1s     url.task op=cancel task=3 session=feed
        \(Step.toSuspended)
        +60s    sys.force_quit
        +1ms    proc.kill cause=user_force_quit
        """),
      .holds(
        "The tasks of a default session end with the app in any case.",
        """
        \(Step.launch)
        +1s     url.session identifier=feed kind=background
        +1s     url.session kind=default
        +1s     url.task op=start task=1
        \(Step.toSuspended)
        +60s    sys.force_quit
        +1ms    proc.kill cause=user_force_quit
        """),
    ])
}
