// LC614: a completion handler is executed a second time.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC614 {
  private static let handed = "handed to the app"
  private static let called = "called"
  private static let call = EventPattern.on(
    .completionCall, where: .isPresent(.completionId))

  /// The system hands out a handler; it may use a number again that it used before.
  private static let handing = EventPattern.on(
    .delegatePerformFetch, .delegateDidReceiveRemoteNotification, .delegateHandleUrlSession,
    where: .isPresent(.completionId))

  static let rule = Rule(
    id: "LC614",
    slug: "background-mode/completion-called-twice",
    severity: .warning,
    summary: "A completion handler that the system passes to the app is called once.",
    rationale: """
      Each handler stands for one call of the system and one measurement of its cost. Two calls \
      mostly mean that success and failure, or the work and its time limit, both end in it.
      """,
    consequence: """
      What a second call does isn't defined: it can crash the app, or end a later wake-up before \
      its time.
      """,
    advice: """
      Keep the handler in a variable, set the variable to nil in the same step in which you call \
      it, and do both on one queue.
      """,
    sources: [.appStates("Fetching Small Amounts of Content Regularly")],
    needs: ["completion"],
    profiles: Profile.ios7Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .order(
          Order(
            key: [.argument(.completionId)], start: handed,
            edges: [
              Order.Edge(handed, call, called),
              Order.Edge(handed, handing, handed), Order.Edge(called, handing, handed),
            ], per: .key)),
        message: "The completion handler {completion_id} was called again, on {thread}")
    ],
    examples: [
      .violates(
        "The answer is given, and given again a moment later.",
        """
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     completion.call completion_id=1 result=new_data
        +10ms   completion.call completion_id=1 result=new_data  # here
        """),
      .violates(
        "The download and its time limit both answer, on two threads.",
        """
        \(Step.launch)
        +1s     delegate.did_receive_remote_notification for 1ms completion_id=7
        +20s @3 completion.call completion_id=7 result=failed
        +1s @4  completion.call completion_id=7 result=new_data  # here
        """),
      .violates(
        "Each handler is judged on its own; a third call adds nothing.", reasons: [nil, nil],
        """
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=2
        +1s     completion.call completion_id=1 result=no_data
        +1s     completion.call completion_id=2 result=none
        +1s     completion.call completion_id=2 result=none  # here
        +1s     completion.call completion_id=1 result=no_data  # here
        +1s     completion.call completion_id=1 result=no_data
        """),
      .violates(
        "Also in a log that begins in mid-life two calls are one too many.",
        """
        +0s     trace.start reason=attach
        +1s     completion.call completion_id=1 result=no_data
        +1s     completion.call completion_id=1 result=no_data  # here
        """),
      .violates(
        "The second handler with a number is called twice, the first once.",
        """
        \(Step.backgroundLaunch)
        +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=1
        +1s     completion.call completion_id=1 result=none
        +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=1
        +1s     completion.call completion_id=1 result=none
        +1s     completion.call completion_id=1 result=none  # here
        """),
      .holds(
        "A number that the system uses again stands for another handler.",
        """
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     completion.call completion_id=1 result=no_data
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     completion.call completion_id=1 result=no_data
        +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
        +1s     completion.call completion_id=1 result=no_data
        """),
      .holds(
        "A handler that was never called gives way to the next one with its number.",
        """
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     completion.call completion_id=1 result=no_data
        """),
      .holds(
        "Two handlers are called once each.",
        """
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     delegate.did_receive_remote_notification for 1ms completion_id=2
        +1s     completion.call completion_id=1 result=no_data
        +1s     completion.call completion_id=2 result=new_data
        """),
      .holds(
        "In another launch the same number is another handler.",
        """
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     completion.call completion_id=1 result=no_data
        +1s     proc.kill cause=jetsam
        +60s    trace.marker text=between
        \(Step.backgroundLaunch)
        +1s     delegate.perform_fetch for 1ms completion_id=1
        +1s     completion.call completion_id=1 result=no_data
        """),
      .holds(
        "Calls without a number can't be told apart.",
        """
        \(Step.backgroundLaunch)
        +1s     completion.call result=no_data
        +1s     completion.call result=no_data
        """),
    ])
}
