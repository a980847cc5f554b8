// LC507: a callback reaches an app that is suspended.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC507 {
  /// Callbacks that lead out of suspension by themselves.
  private static let leaving: [EventKind] = [
    .delegateDidBecomeActive, .delegateWillResignActive, .delegateDidEnterBackground,
    .delegateWillEnterForeground, .delegateWillTerminate,
  ]

  /// Callbacks that leave the app where it is.
  private static let callbacks: [EventKind] = [
    .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateOpenUrl,
    .delegateDidReceiveMemoryWarning,
    .delegateDidReceiveLocalNotification, .delegateDidReceiveRemoteNotification,
    .delegatePerformFetch, .delegateHandleUrlSession, .delegateShouldSaveState,
    .noteDeliver, .bgtaskExpire, .voipKeepalive, .locUpdate, .eaData, .btData, .audioCallback,
  ]

  static let rule = Rule(
    id: "LC507",
    slug: "delegate-order/callback-while-suspended",
    severity: .warning,
    summary: "No callback and no notification reaches an app while it is suspended.",
    rationale: """
      A suspended app runs no code, so the system resumes it before it calls it. A callback \
      without a resume before it isn't the app's fault: the recording is incomplete, or puts the \
      clocks of two observers together.
      """,
    consequence: """
      What the trace says about the time around this callback can't be trusted: times in the \
      background come out too short.
      """,
    advice: """
      Have the recorder write proc.resume as soon as it runs again, and take all times from one \
      clock.
      """,
    sources: [.appStates("Suspended")],
    needs: ["proc", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(EventPattern(.kinds(leaving), while: .wasPhase([.suspended])), per: .background)),
        message: "{what} came on {thread} to a suspended app, with no resume between"),
      Clause(
        .warning,
        .never(
          Never(
            EventPattern(.kinds(callbacks), while: .phase([.suspended])), per: .background)),
        message: "{what} came on {thread}, {since}, with no resume between"),
    ],
    isLoweredWhereSystemIsAssumed: true,
    yields: [Yield(to: "LC514", same: .event)],
    examples: violating + holding)

  /// Callbacks that move the app, each in a launch of its own.
  private static func moves(_ callbacks: [String]) -> String {
    callbacks.map { callback in
      """
      +1s     proc.start into=background reason=fetch
      +10ms   delegate.did_finish_launching for 1ms
      +1s     proc.suspend inferred=false
      +60s    delegate.\(callback) for 1ms  # here
      +1s     proc.kill cause=jetsam
      """
    }.joined(separator: "\n")
  }

  /// Callbacks that leave the app suspended, each before a resume of its own.
  private static func calls(_ callbacks: [String]) -> String {
    callbacks.map { callback in
      """
      +1s     proc.suspend inferred=false
      +60s    \(callback) for 1ms  # here
      +1s     proc.resume inferred=false reason=fetch
      """
    }.joined(separator: "\n")
  }

  private static let moving = [
    "did_become_active", "will_resign_active", "did_enter_background", "will_terminate",
  ]

  private static let launching = [
    "delegate.will_finish_launching", "delegate.did_finish_launching", "delegate.open_url",
    "delegate.did_receive_memory_warning", "delegate.did_receive_local_notification",
    "delegate.did_receive_remote_notification", "delegate.perform_fetch",
    "delegate.handle_url_session", "delegate.should_save_state",
  ]

  private static let services = [
    "note.deliver", "bgtask.expire", "voip.keepalive", "loc.update", "ea.data", "bt.data",
    "audio.callback",
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "The app comes back to the screen, and nobody has recorded that it was resumed.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +60s    delegate.will_enter_foreground for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      +1s     trace.marker text=later
      """),
    .violates(
      "The other callbacks that move an app.",
      reasons: Array(repeating: nil, count: moving.count), moves(moving)),
    .violates(
      "Callbacks of the delegate that don't move it.",
      reasons: Array(repeating: nil, count: launching.count),
      """
      \(Step.launch)
      \(Step.toBackground)
      \(calls(launching))
      """),
    .violates(
      "Handlers of other services.", reasons: Array(repeating: nil, count: services.count),
      """
      \(Step.launch)
      \(Step.toBackground)
      \(calls(services))
      """),
    .violates(
      "Calls of one suspension are one finding; the first comes just outside the tolerance.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +50.000001ms  loc.update for 1ms service=significant  # here
      +1s     loc.update for 1ms service=significant
      +60s    proc.resume inferred=false reason=location
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The app is resumed first.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +1ms    note.deliver for 1ms name=NSCurrentLocaleDidChangeNotification queued=true
      \(Step.toForeground)
      """),
    .holds(
      "Within 50 ms of the suspension or of the resume the observer's clock decides nothing.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +50ms   loc.update for 1ms service=significant
      +60s    loc.update for 1ms service=significant
      +50ms   proc.resume inferred=false reason=location
      """),
    .holds(
      "A suspension that was only inferred is refuted by the callback.",
      """
      \(Step.launch)
      \(Step.toBackground)
      +1s     proc.suspend inferred=true evidence=heartbeat_gap
      +5s     loc.update for 1ms service=significant
      +5s     proc.resume inferred=true
      """),
    .holds(
      "Work of the app isn't a callback: it is told by another rule.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +1s @3  work.timer_fire for 1ms timer=1
      +60s    proc.resume inferred=false reason=user_icon
      """),
  ]
}
