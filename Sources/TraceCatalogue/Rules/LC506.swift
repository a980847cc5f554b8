// LC506: a callback of the delegate runs on another thread than the main one.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC506 {
  private static let callbacks: [EventKind] = [
    .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateDidBecomeActive,
    .delegateWillResignActive, .delegateDidEnterBackground, .delegateWillEnterForeground,
    .delegateWillTerminate, .delegateOpenUrl, .delegateDidReceiveMemoryWarning,
    .delegateDidReceiveLocalNotification, .delegateDidReceiveRemoteNotification,
    .delegatePerformFetch, .delegateHandleUrlSession, .delegateShouldSaveState,
  ]

  static let rule = Rule(
    id: "LC506",
    slug: "delegate-order/callback-off-main",
    severity: .error,
    summary: "Callbacks of the app delegate run on the main thread.",
    rationale: """
      UIKit calls the delegate from the main run loop, one call after the other. A call on another \
      thread was made by somebody else, and runs at the same time as what the main thread does. \
      The main thread is the one that the trace names, else that of proc.main, or else thread 1.
      """,
    consequence: """
      UIKit isn't made for other threads: views are torn, the app crashes at random, and steps of \
      the life cycle overtake each other.
      """,
    advice: """
      Never call the delegate's methods from a queue. Dispatch to the main queue what belongs \
      there, into a method of your own.
      """,
    sources: [.appStates("The Main Run Loop")],
    needs: ["delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .error,
        .never(Never(EventPattern(.kinds(callbacks), while: .not(.isOnMain)))),
        message: "{what} ran on {thread}, which is not the main thread")
    ],
    isLoweredWhereSystemIsAssumed: true,
    examples: violating + holding)

  /// Launches in which these callbacks come on another thread than the first one.
  private static func offMain(_ callbacks: [String]) -> String {
    callbacks.map { callback in
      """
      +1s     proc.start into=foreground reason=user_icon
      +10ms   delegate.will_finish_launching for 1ms
      +1s @6  delegate.\(callback) for 1ms  # here
      +1s     proc.kill cause=jetsam
      """
    }.joined(separator: "\n")
  }

  private static let others = [
    "will_finish_launching", "did_finish_launching", "will_resign_active", "did_enter_background",
    "will_enter_foreground", "will_terminate", "open_url", "did_receive_memory_warning",
    "did_receive_local_notification", "did_receive_remote_notification", "perform_fetch",
    "handle_url_session", "should_save_state",
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "The app is made active by a queue.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s @6  delegate.did_become_active for 1ms  # here
      """),
    .violates(
      "Calls of one launch are one finding.",
      """
      \(Step.launch)
      +1s @6  delegate.will_resign_active for 1ms  # here
      +1s @6  delegate.did_become_active for 1ms
      """),
    .violates(
      "Every other callback of the delegate, each in a launch of its own.",
      reasons: Array(repeating: nil, count: others.count), offMain(others)),
    .violates(
      "The trace names the main thread; the first callback comes on another.",
      """
      +0s     trace.thread thread=1 is_main=true
      +0s     proc.start into=foreground reason=user_icon
      +10ms @6  delegate.did_finish_launching for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "Nothing names the main thread: it is thread 1, also if the first callback comes on another.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms @6  delegate.did_finish_launching for 1ms  # here
      +10ms   delegate.did_become_active for 1ms
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The thread that runs the program's main function is the main thread, whatever its number.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +1ms @5 >proc.main
      +10ms @5 delegate.did_finish_launching for 1ms
      +10ms @5 delegate.did_become_active for 1ms
      """),
    .holds(
      "Work of another thread during a callback is no callback.",
      """
      \(Step.launch)
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +1ms @6 work.span for 100ms id=1 class=save
      +200ms  <delegate.did_enter_background
      """),
    .holds(
      "The main thread needn't have number 1, and may have another in the next launch.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +0s     trace.thread thread=5 is_main=true
      +10ms @5  delegate.did_finish_launching for 1ms
      +10ms @5  delegate.did_become_active for 1ms
      +1s     proc.kill cause=jetsam
      +1s     proc.start into=foreground reason=user_icon
      +0s     trace.thread thread=8 is_main=true
      +10ms @8  delegate.did_finish_launching for 1ms
      +10ms @8  delegate.did_become_active for 1ms
      """),
    .holds(
      "The trace names the main thread, and all callbacks come on it.",
      """
      +0s     trace.thread thread=5 is_main=true
      +0s     proc.start into=foreground reason=user_icon
      +10ms @5  delegate.did_finish_launching for 1ms
      +10ms @5  delegate.did_become_active for 1ms
      """),
    .holds(
      "Notifications are delivered on the thread that posts them.",
      """
      \(Step.launch)
      +1s @6  note.deliver for 1ms name=NSUserDefaultsDidChangeNotification
      +1s @6  completion.call completion_id=1 result=new_data
      """),
    .holds(
      "A recording that begins in mid-life names the main thread, too.",
      """
      +0s     trace.start reason=attach
      +0s     trace.thread thread=4 is_main=true
      +1s @4  delegate.will_resign_active for 1ms
      +1s @4  delegate.did_become_active for 1ms
      """),
  ]
}
