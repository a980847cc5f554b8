// LC617: a push without content-available wakes the app in the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC617 {
  /// The last push that arrived doesn't ask for a wake-up; not known before one was recorded.
  private static let plain = Fact(
    "plain", set: [.on(.sysPushArrived)],
    clear: [.on(.sysPushArrived, where: .compare(.contentAvailable, .equal, .fixed(1)))],
    initially: nil, life: .trace)

  private static func clause(_ event: EventPattern) -> Clause {
    Clause(
      .note, .never(Never(event, per: .background)),
      message: "{what} came in the background for a push without content-available 1")
  }

  static let rule = Rule(
    id: "LC617",
    slug: "background-mode/push-wake-without-content-available",
    severity: .note,
    summary: """
      In the background only a push whose payload has content-available 1 wakes the app.
      """,
    rationale: """
      An ordinary push is shown to the user and reaches a sleeping app only when the user opens \
      it. A delivery in the background without the key is a trace that lies, or a user who is not \
      in it.
      """,
    consequence: """
      Either events are missing or wrong, or the user opened the notification and the trace says \
      something else; on real devices the app isn't woken for such a push.
      """,
    advice: """
      Put content-available 1 into the payload of pushes that are meant to start a download, and \
      let the recorder note why the app was resumed.
      """,
    sources: [.backgroundExecution("Using Push Notifications to Initiate a Download")],
    needs: ["delegate"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: [plain],
    clauses: [
      clause(
        .on(
          .delegateDidReceiveRemoteNotification,
          where: .compare(.contentAvailable, .notEqual, .fixed(1)), while: .phase([.background]))),
      clause(
        .on(
          .delegateDidReceiveRemoteNotification, where: .not(.isPresent(.contentAvailable)),
          while: .all([.phase([.background]), .fact("plain")]))),
      clause(
        .on(
          .wakeWindow, where: .isText(.reason, ["remote_notification"]), while: .fact("plain"))),
    ],
    examples: [
      .violates(
        "The push has content-available 0, and the app gets it in the background.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    sys.push_arrived content_available=0 has_alert=true
        +10ms   proc.resume inferred=false reason=remote_notification
        +10ms   delegate.did_receive_remote_notification for 1ms  # here
        """),
      .violates(
        "The call itself carries the payload's key.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.resume inferred=false reason=remote_notification
        +10ms   delegate.did_receive_remote_notification for 1ms content_available=0  # here
        """),
      .violates(
        "A wake-up counts, too; the push came before the process was there.",
        """
        +0s     sys.push_arrived has_alert=true
        \(Step.backgroundLaunch)
        +1s     >wake.window reason=remote_notification  # here
        +1s     <wake.window
        """),
      .violates(
        "One report for each stay, though the wake-up and the call both show it.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    sys.push_arrived content_available=1
        +1s     sys.push_arrived content_available=0
        +10ms   proc.resume inferred=false reason=remote_notification
        +10ms   >wake.window reason=remote_notification
        +10ms   delegate.did_receive_remote_notification for 1ms  # here
        +1s     <wake.window
        """),
      .holds(
        "A silent push wakes the app.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    sys.push_arrived content_available=1
        +10ms   proc.resume inferred=false reason=remote_notification
        +10ms   >wake.window reason=remote_notification
        +10ms   delegate.did_receive_remote_notification for 1ms
        +1s     <wake.window
        """),
      .holds(
        "The call knows better than the last push: it was for another one.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    sys.push_arrived content_available=0
        +10ms   proc.resume inferred=false reason=remote_notification
        +10ms   delegate.did_receive_remote_notification for 1ms content_available=1
        """),
      .holds(
        "In the foreground every push is delivered.",
        """
        \(Step.launch)
        +1s     sys.push_arrived content_available=0
        +10ms   delegate.did_receive_remote_notification for 1ms
        +1s     delegate.did_receive_remote_notification for 1ms content_available=0
        """),
      .holds(
        "The user opened the notification: the app is on its way to the front.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    sys.push_arrived has_alert=true
        +10s    proc.resume inferred=false reason=remote_notification
        +10ms   delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_receive_remote_notification for 1ms
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "A wake-up for something else needs no push.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    sys.push_arrived content_available=0
        +10ms   proc.resume inferred=false reason=fetch
        +10ms   >wake.window reason=fetch
        +1s     <wake.window
        """),
      .unknown(
        "Nobody recorded the push, and the call doesn't say.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        +60s    proc.resume inferred=false reason=remote_notification
        +10ms   delegate.did_receive_remote_notification for 1ms
        """),
    ])
}
