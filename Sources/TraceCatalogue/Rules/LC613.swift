// LC613: the completion handler of a background call isn't executed.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC613 {
  /// The ends of a process that the app can't help are no evidence.
  private static let processEnd = Due.processEnd(
    [
      .on(
        .procKill,
        where: .not(.isText(.cause, ["jetsam", "user_force_quit", "thermal", "disk_space"]))),
      .on(.procExit),
    ], orNewStart: false, while: .not(.phase([.terminating])))

  private static func clause(_ severity: Severity, _ opens: EventPattern, _ due: [Due]) -> Clause {
    Clause(
      severity,
      .expect(
        Expect(
          opens: [opens], closes: [.on(.completionCall)], key: [.argument(.completionId)],
          due: due)),
      message: "The completion handler of {callback} had not been called {duration} after it began")
  }

  static let rule = Rule(
    id: "LC613",
    slug: "background-mode/completion-missing",
    severity: .error,
    summary: """
      The completion handler of a background fetch or a remote notification is called within 30 \
      seconds, and that of a background URL session before the app is suspended or ends.
      """,
    rationale: """
      The handler tells the system that the app is ready to sleep again. Until then the wake-up \
      costs power, and the system measures how much; an answer that never comes counts against the \
      app.
      """,
    consequence: """
      The system ends the app (0x2182bad4 for a fetch, 0x2182bad3 for a URL session), and wakes it \
      more rarely in future.
      """,
    advice: """
      Call the handler on every path: after success, after an error and when a timer of your own, \
      well below 30 seconds, runs out.
      """,
    sources: [
      .backgroundExecution("Fetching Small Amounts of Content Opportunistically"),
      .appStates("Fetching Small Amounts of Content Regularly"),
      .apple("application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"),
    ],
    needs: ["delegate", "completion"],
    profiles: Profile.ios7Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 30_000_000_000, .documented)],
    clauses: [
      clause(
        .error,
        .on(
          .delegatePerformFetch, .delegateDidReceiveRemoteNotification,
          where: .isPresent(.completionId)),
        [
          .within(.parameter("limit")), .suspension(inferred: false),
          .suspension(inferred: true), processEnd,
        ]),
      clause(
        .warning, .on(.delegateHandleUrlSession, where: .isPresent(.completionId)),
        [.suspension(inferred: false), .suspension(inferred: true), processEnd]),
      .kill(
        .error, "background-fetch",
        message: "the system killed the app: a background fetch was not completed in time{weighing}"
      ),
    ],
    explains: ["url-session", "background-fetch"],
    examples: violating + reported + holding + undecided)

  private static let header = "header os_version=7.0 sdk_linked=7.0 background_modes=[fetch]"

  private static let reported: [RuleExample] = [
    .violates(
      "A report of the kill is enough.",
      """
      \(Report.of("11.0"))
      +0s     proc.kill cause=watchdog code=562215636  # here
      """),
    .holds(
      "Other reports have other reasons.",
      """
      \(Report.of("11.0"))
      +0s     proc.kill cause=watchdog code=562215635
      """),
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "A fetch is never answered.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    >wake.window reason=fetch
      +1ms    delegate.perform_fetch for 1ms completion_id=1
      +31s    trace.marker text=busy  # here
      """),
    .violates(
      "The answer comes a nanosecond late; in the foreground the limit is the same.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
      +30.000000001s @3  completion.call completion_id=1 result=new_data  # here
      """),
    .violates(
      "The app is suspended before it answers.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +5s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "The suspension was inferred from silence, and the clocks prove it.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     trace.clock_sync continuous_ns=3000000000 uptime_ns=3000000000
      +1s     proc.suspend inferred=true  # here
      +60s    proc.resume inferred=true reason=user_icon
      +10ms   trace.clock_sync continuous_ns=64010000000 uptime_ns=4010000000
      \(Step.toForeground)
      """),
    .violates(
      "The system's patience was at an end.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +20s    proc.kill cause=watchdog code=562215636  # here
      """),
    .violates(
      "The app calls exit with a notification unanswered.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
      +2s     proc.exit code=0 by=app  # here
      """),
    .violates(
      "Another handler was called than the one that waits.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=2
      +1s     completion.call completion_id=2 result=no_data
      +40s    completion.call completion_id=1 result=no_data  # here
      """),
    .violates(
      "The events of a background URL session are delivered, and the app is suspended.",
      severities: [.warning],
      """
      \(Step.backgroundLaunch)
      +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=1
      +40s    proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "The app leaves the answer for a URL session open and exits.", severities: [.warning],
      """
      \(Step.backgroundLaunch)
      +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=1
      +1s     proc.exit code=1 by=app  # here
      """),
    .violates(
      "The system kills the app over a URL session.", severities: [.warning],
      """
      \(Step.backgroundLaunch)
      +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=1
      +60s    proc.kill cause=watchdog code=562215635  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The work is done on another thread, and answered after nine seconds.",
      """
      \(header)
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=fetch
      +1ms    delegate.perform_fetch for 1ms completion_id=1
      +9s @4  completion.call completion_id=1 result=new_data
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Thirty seconds are not too many.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
      +30s    completion.call completion_id=1 result=no_data
      """),
    .holds(
      "The app answers inside the callback.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     >delegate.perform_fetch completion_id=1
      +1ms    completion.call completion_id=1 result=no_data
      +1ms    <delegate.perform_fetch
      +60s    trace.marker text=later
      """),
    .holds(
      "A URL session has no limit of its own while its tasks are delivered.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=1
      +60s    completion.call completion_id=1 result=none
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A notification for which the system passes no handler needs none.",
      """
      \(Step.launch)
      +1s     delegate.did_receive_remote_notification for 1ms
      +60s    trace.marker text=later
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops after ten seconds.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +10s    trace.marker text=last
      """),
    .unknown(
      "Jetsam left the app no time to answer.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +5s     proc.kill cause=jetsam
      """),
    .holds(
      "The user ends the app while it downloads.",
      """
      \(Step.backgroundLaunch)
      +1s     delegate.did_receive_remote_notification for 1ms completion_id=1
      +1s     delegate.handle_url_session for 1ms session=com.example.bg completion_id=2
      +5s     delegate.will_terminate for 1ms
      +10ms   proc.exit by=uikit_after_will_terminate
      """),
    .unknown(
      "The answer may lie in the gap.",
      """
      \(header)
      \(Step.backgroundLaunch)
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +1s     trace.lost count=5
      +60s    trace.marker text=later
      """),
  ]
}
