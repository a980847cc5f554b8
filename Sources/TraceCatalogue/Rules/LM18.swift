// LM18: the handling of a remote notification takes more than thirty seconds.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM18 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 background_modes=[remote-notification]"

  static let rule = Rule(
    id: "LM18",
    slug: "background-mode/remote-notification-over-30s",
    severity: .error,
    summary: "The handler of a remote notification is completed within 30 seconds of real time.",
    rationale: """
      The time for a remote notification is counted on the clock of the wall, from the call on. \
      It goes on while the app is suspended, and no background task extends it.
      """,
    consequence: "The system may end the app, and delivers fewer notifications to it later.",
    advice: """
      Call the completion handler as soon as the data is there, and hand long downloads to a \
      background session.
      """,
    sources: [
      .apple(
        "UIApplicationDelegate, application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
      ),
      .reports("the time for remote notifications, quoted from Apple's page"),
    ],
    needs: ["delegate", "completion"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 30_000_000_000, .documented)],
    clauses: [
      Clause(
        .error,
        .expect(
          Expect(
            opens: [
              .on(.delegateDidReceiveRemoteNotification, where: .isPresent(.completionId))
            ],
            closes: [.on(.completionCall)], key: [.argument(.completionId)],
            due: [.within(.parameter("limit", on: .continuous))])),
        message: "the handler of a remote notification was not completed within {limit}")
    ],
    explains: ["background-fetch"],
    yields: [Yield(to: "LC613", same: .key)],
    examples: [
      .violates(
        "A nanosecond too late.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.did_receive_remote_notification for 5ms completion_id=1
        +30.000000001s  completion.call completion_id=1 result=new_data  # here
        """),
      .violates(
        "Time in which the app is suspended counts, too.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.did_receive_remote_notification for 5ms completion_id=1
        +10s    proc.suspend inferred=false
        +60s    proc.resume inferred=false reason=user_icon  # here
        +1s     completion.call completion_id=1 result=new_data
        """),
      .violates(
        "A notification in the foreground is held to the same time.",
        """
        \(header)
        \(Step.launch)
        +1s     delegate.did_receive_remote_notification for 5ms completion_id=1
        +31s    trace.marker text="still loading"  # here
        +1s     completion.call completion_id=1 result=failed
        """),
      .violates(
        "The completion of another call is none of this one.",
        """
        \(header)
        \(Step.launch)
        +1s     delegate.did_receive_remote_notification for 5ms completion_id=1
        +1s     completion.call completion_id=2 result=new_data
        +31s    trace.marker text="still loading"  # here
        +1s     completion.call completion_id=1 result=failed
        """),
      .holds(
        "Exactly thirty seconds.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.did_receive_remote_notification for 5ms completion_id=1
        +30s    completion.call completion_id=1 result=new_data
        """),
      .holds(
        "Completed on another thread, after the callback.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.did_receive_remote_notification for 5ms completion_id=1
        +9s @4  completion.call completion_id=1 result=new_data
        +60s    trace.marker text=later
        """),
      .holds(
        "A call without a completion handler has nothing to complete.",
        """
        \(header)
        \(Step.launch)
        +1s     delegate.did_receive_remote_notification for 5ms
        +60s    trace.marker text=later
        """),
      .holds(
        "A background fetch is another rule's.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 5ms completion_id=1
        +60s    completion.call completion_id=1 result=no_data
        """),
      .unknown(
        "The trace stops before the time is over.",
        """
        \(header)
        \(Step.backgroundLaunch)
        +1s     delegate.did_receive_remote_notification for 5ms completion_id=1
        +9s     trace.marker text=last
        """),
    ])
}
