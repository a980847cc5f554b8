// LC804: a local notification goes to the user of an active app, or to an app that can't run.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC804 {
  private static let handedOver = Expect(
    opens: [
      .on(
        .localnoteFire, where: .isText(.to, ["app"]),
        while: .phase([.suspended, .notRunning]))
    ],
    closes: [.on(.procResume, .procStart)],
    due: [.within(.parameter("handover", on: .continuous))],
    per: .event, outlivesLaunch: true)

  static let rule = Rule(
    id: "LC804",
    slug: "notification/local-delivered-to-wrong-target",
    severity: .note,
    summary: """
      A local notification goes to the delegate of an active app, and to the user otherwise.
      """,
    rationale: """
      In an active app the system calls the delegate and shows nothing. An app that is suspended \
      or doesn't run can take nothing over until the user's answer resumes or starts it.
      """,
    consequence: """
      Nothing happens to the app; the trace doesn't agree with the system, so that its recorder \
      or importer deserves a look.
      """,
    advice: """
      Check how the recorder tells alerts from calls of application:didReceiveLocalNotification:, \
      and whether it has missed a resume or a launch.
      """,
    sources: [
      .appStates("Scheduling the Delivery of Local Notifications"),
      .iOS4Guide("Scheduling the Delivery of Local Notifications"),
    ],
    needs: ["localnote", "delegate", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("handover", .nanoseconds, 1_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(.localnoteFire, where: .isText(.to, ["user"]), while: .phase([.active])),
            per: .event)),
        message: "{what} went to the user while the app was active"),
      Clause(
        .note, .expect(handedOver),
        message: """
          {what} went to the app while it could not run, and no resume or launch followed within \
          {limit}
          """),
    ],
    examples: [
      .violates(
        "An alert while the app is active.",
        """
        \(Step.launch)
        +1s     localnote.fire id=n1 to=user  # here
        \(Step.end)
        """),
      .violates(
        "A suspended app can't have got it.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    localnote.fire id=n1 to=app
        +1.000000001s proc.resume inferred=false reason=local_notification  # here
        +1s     proc.suspend inferred=false
        """),
      .violates(
        "An app that doesn't run can't have got it either.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        +60s    localnote.fire id=n1 to=app
        +5s     trace.marker text=between  # here
        \(Step.launch)
        \(Step.end)
        """),
      .holds(
        "The delegate of the active app is called.",
        """
        \(Step.launch)
        +1s     localnote.fire id=n1 to=app
        +1ms    delegate.did_receive_local_notification for 1ms id=n1
        \(Step.end)
        """),
      .holds(
        "A suspended app leaves the notification to the user.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    localnote.fire id=n1 to=user
        """),
      .holds(
        "The user answers the alert, and the app is resumed for it, at the last moment.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    localnote.fire id=n1 to=app
        +1s     proc.resume inferred=false reason=local_notification
        \(Step.toForeground)
        \(Step.end)
        """),
      .holds(
        "The user answers the alert, and the app is launched for it.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.kill cause=jetsam
        +60s    localnote.fire id=n1 to=app
        +100ms  proc.start into=foreground reason=local_notification
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  delegate.did_become_active for 1ms
        \(Step.end)
        """),
      .holds(
        "For an app on its way out or inactive the sources promise neither way.",
        """
        \(Step.launch)
        +1s     >delegate.will_resign_active
        +1ms    localnote.fire id=n1 to=user
        +1ms    <delegate.will_resign_active
        +1s     localnote.fire id=n2 to=user
        +1s     localnote.fire id=n3 to=app
        \(Step.end)
        """),
    ])
}
