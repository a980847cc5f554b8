// LC615: a completion handler is told something else than what the trace shows.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC615 {
  private static let calls: [EventPattern] = [
    .on(.delegatePerformFetch, .delegateDidReceiveRemoteNotification)
  ]

  private static let newData = EventPattern.on(
    .completionCall, where: .isText(.result, ["new_data"]))

  /// Anything since the wake-up that may have been new content; generous, as it excuses.
  private static let received = Fact(
    "received",
    set: [
      .on(
        .urlTask,
        where: .all([.isText(.op, ["finish"]), .not(.compare(.bytes, .atMost, .fixed(0)))])),
      .on(.netIo, where: .not(.compare(.bytes, .atMost, .fixed(0)))),
      .on(.dataSave),
    ],
    clear: [.on(.procResume)])

  /// A download since the call that was certainly one.
  private static let downloaded = Fact(
    "downloaded",
    set: [
      .on(
        .urlTask,
        where: .all([
          .isText(.op, ["finish"]), .not(.isText(.type, ["upload"])),
          .compare(.bytes, .greater, .fixed(0)),
        ]))
    ],
    clear: calls + [newData])

  private static let saved = Fact(
    "saved",
    set: [
      .end(
        .dataSave,
        where: .all([.not(.isFalse(.ok)), .not(.isText(.kind, ["ui_state"]))]))
    ],
    clear: calls + [newData])

  /// Calls that aren't answered yet; the answer at hand doesn't count.
  private static let waiting = Fact(
    "waiting", set: calls, clear: [.on(.completionCall)], key: [.argument(.completionId)])

  private static func clause(_ event: EventPattern, _ message: MessageTemplate) -> Clause {
    Clause(
      .note, .never(Never(event, per: .key, key: [.argument(.completionId)])), message: message)
  }

  static let rule = Rule(
    id: "LC615",
    slug: "background-mode/fetch-result-inaccurate",
    severity: .note,
    summary: """
      The result passed to a completion handler in the background says truly whether new content \
      came.
      """,
    rationale: """
      The system plans later wake-ups by these answers and compares them with the traffic it sees. \
      An app that always claims news, or never does, gets worse times and fewer of them.
      """,
    consequence: "The system gives the app less time for fetches in future.",
    advice: """
      Pass new data only if something was downloaded or stored, no data if the server had nothing, \
      and failed if you couldn't find out.
      """,
    sources: [.backgroundExecution("Fetching Small Amounts of Content Opportunistically")],
    needs: ["delegate", "completion", "url", "net", "data"],
    profiles: Profile.ios7Plus,
    parameters: [],
    facts: [received, downloaded, saved, waiting],
    clauses: [
      clause(
        .on(
          .completionCall, where: .isText(.result, ["new_data"]),
          while: .all([.phase([.background]), .not(.fact("received"))])),
        "The app reported new data, but nothing was received or saved since it woke"),
      clause(
        .on(
          .completionCall, where: .isText(.result, ["no_data"]),
          while: .all([
            .phase([.background]), .fact("downloaded"), .fact("saved"),
            .not(.anyFact("waiting")),
          ])),
        "The app reported no data after it had downloaded and saved some"),
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The app claims new data without having asked for any.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    delegate.perform_fetch for 1ms completion_id=1
      +1s     completion.call completion_id=1 result=new_data  # here
      """),
    .violates(
      "What came before the app slept isn't news.",
      """
      \(Step.launch)
      +1s     url.task op=finish task=1 type=download bytes=20000
      +1s     data.save for 10ms store=feed kind=user_data
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    delegate.perform_fetch for 1ms completion_id=1
      +1s     completion.call completion_id=1 result=new_data  # here
      """),
    .violates(
      "Empty answers of the server aren't new data either.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     url.task op=finish task=1 type=download bytes=0
      +1s     net.io socket=1 bytes=0
      +1s     completion.call completion_id=1 result=new_data  # here
      """),
    .violates(
      "One byte is downloaded and stored, and the app says that there was nothing.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     url.task op=finish task=1 type=download bytes=1
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=1 result=no_data  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The content is downloaded, saved and reported.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    delegate.perform_fetch for 1ms completion_id=1
      +1s     url.task op=finish task=1 type=download bytes=20000
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=1 result=new_data
      """),
    .holds(
      "Any sign of content will do: a download, traffic on a socket, or a save.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     url.task op=finish task=1 bytes=1
      +1s     completion.call completion_id=1 result=new_data
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=fetch
      +1s     delegate.perform_fetch for 1ms completion_id=2
      +1s     net.io socket=1 bytes=1
      +1s     completion.call completion_id=2 result=new_data
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=remote_notification
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=3
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=3 result=new_data
      """),
    .holds(
      "There was nothing, or it couldn't be found out.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     completion.call completion_id=1 result=no_data
      +1s     delegate.perform_fetch for 1ms completion_id=2
      +1s     completion.call completion_id=2 result=failed
      """),
    .holds(
      "A download that wasn't kept, and a save that had nothing new, are no news.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     url.task op=finish task=1 type=download bytes=300
      +1s     completion.call completion_id=1 result=no_data
      +1s     delegate.perform_fetch for 1ms completion_id=2
      +1s     url.task op=finish task=9 type=download bytes=0
      +1s     data.save for 10ms store=log kind=user_data
      +1s     completion.call completion_id=2 result=no_data
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=3
      +1s     url.task op=finish task=2 type=download bytes=300
      +1s     completion.call completion_id=3 result=no_data
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=4
      +1s     data.save for 10ms store=log kind=user_data
      +1s     completion.call completion_id=4 result=no_data
      """),
    .holds(
      "The save of one call and the download of the next don't make news together.",
      """
      \(Step.backgroundLaunch)
      +1s     data.save for 10ms store=log kind=user_data
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     url.task op=finish task=1 type=download bytes=300
      +1s     completion.call completion_id=1 result=no_data
      +1s     delegate.perform_fetch for 1ms completion_id=2
      +1s     data.save for 10ms store=log kind=user_data
      +1s     completion.call completion_id=2 result=no_data
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=3
      +1s     url.task op=finish task=2 type=download bytes=300
      +1s     completion.call completion_id=3 result=no_data
      """),
    .holds(
      "Of two calls that wait, one brought the news and the other didn't.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=2
      +1s     url.task op=finish task=1 type=download bytes=300
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=1 result=no_data
      +1s     completion.call completion_id=2 result=new_data
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=3
      +1s     delegate.perform_fetch for 1ms completion_id=4
      +1s     url.task op=finish task=2 type=download bytes=300
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=3 result=no_data
      +1s     completion.call completion_id=4 result=new_data
      """),
    .holds(
      "What was reported once isn't reported for the next handler.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     delegate.perform_fetch for 1ms completion_id=2
      +1s     url.task op=finish task=1 type=download bytes=300
      +1s     completion.call completion_id=1 result=new_data
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=2 result=no_data
      +1s     delegate.perform_fetch for 1ms completion_id=3
      +1s     delegate.perform_fetch for 1ms completion_id=4
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=3 result=new_data
      +1s     url.task op=finish task=2 type=download bytes=300
      +1s     completion.call completion_id=4 result=no_data
      """),
    .holds(
      "In the foreground a notification may bring its content along.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
      +1s     completion.call completion_id=1 result=new_data
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=2
      +1s     url.task op=finish task=1 type=download bytes=300
      +1s     data.save for 10ms store=feed kind=user_data
      +1s     completion.call completion_id=2 result=no_data
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The download may lie in the gap.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     trace.lost count=3
      +1s     state.application value=background
      +1s     completion.call completion_id=1 result=new_data
      """)
  ]
}
