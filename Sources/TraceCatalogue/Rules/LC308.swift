// LC308: lengthy work keeps the main thread busy.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC308 {
  /// Callbacks that no other rule times.
  private static let callbacks: [EventKind] = [
    .delegateDidBecomeActive, .delegateWillResignActive, .delegateWillEnterForeground,
    .delegateOpenUrl, .delegateDidReceiveMemoryWarning, .delegateDidReceiveLocalNotification,
    .delegateDidReceiveRemoteNotification, .delegatePerformFetch, .delegateHandleUrlSession,
    .delegateShouldSaveState,
  ]

  private static let spans: [EventPattern] = [
    .on(.workSpan, .workTimerFire, while: .isOnMain),
    .on(.noteDeliver, where: .not(.isTrue(.queued)), while: .isOnMain),
    // Of those that waited, the ones that another rule doesn't time.
    .on(
      .noteDeliver, where: .isTrue(.queued), while: .all([.isOnMain, .not(.fact("returning"))])),
    EventPattern(.kinds(callbacks), while: .isOnMain),
  ]

  private static let foreground: Set<LifecycleState> = [
    .launchingForeground, .active, .resigning, .inactive, .enteringForeground,
  ]

  static let rule = Rule(
    id: "LC308",
    slug: "watchdog/lengthy-work-on-main",
    severity: .warning,
    summary: "No single piece of work holds the main thread of a foreground app for over a second.",
    rationale: """
      Touches, drawing and the callbacks of the life cycle all take turns on the main thread. \
      Whatever holds it for long delays the rest. Callbacks with a limit of their own are left to \
      the rules on them, and of pieces of work inside each other the innermost is told.
      """,
    consequence: """
      The screen stands still and touches queue up; a callback that has to wait for its turn uses \
      up its time limit.
      """,
    advice: """
      Move the work to a queue and return to the main thread only for the change of the \
      interface, or cut it into short pieces.
      """,
    sources: [.appStates("Concurrency and Secondary Threads")],
    needs: ["delegate"],
    profiles: Profile.allCases,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [
      Fact(
        "returning", set: [.on(.procResume)],
        clear: [.on(.uiTouch), .end(.delegateDidBecomeActive)])
    ],
    clauses: [
      Clause(
        .warning,
        .lasts(
          Lasts(
            .span(spans), max: .parameter("limit", in: foreground), isInnermost: true,
            openMessage: "{what} held the main thread for at least {duration}; the limit is {limit}"
          )),
        message: "{what} held the main thread for {duration}; the limit is {limit}")
    ],
    isLoweredUnderDebugger: true,
    examples: violating + holding + undecided)

  private static func slow(_ names: [String]) -> String {
    names.map { "+1s     >\($0)\n+2s     <\($0)  # here" }.joined(separator: "\n")
  }

  private static let otherCallbacks = [
    "delegate.open_url", "delegate.did_receive_memory_warning",
    "delegate.did_receive_local_notification", "delegate.did_receive_remote_notification",
    "delegate.perform_fetch", "delegate.handle_url_session", "delegate.should_save_state",
  ]

  private static let violating: [RuleExample] = [
    .violates(
      "Three seconds of housekeeping on the main thread.",
      """
      \(Step.launch)
      +1s     >work.span id=1 class=housekeeping
      +3s     <work.span  # here
      """),
    .violates(
      "One nanosecond too long.",
      """
      \(Step.launch)
      +1s     >work.timer_fire timer=1
      +1.000000001s  <work.timer_fire  # here
      """),
    .violates(
      "A touch says that the return is over: what is delivered after it held nothing back.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   ui.touch
      +10ms   >note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
      +1.5s   <note.deliver  # here
      """),
    .violates(
      "While the app is launching, too.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.did_finish_launching
      +10ms   >work.span id=1 class=db
      +2s     <work.span  # here
      +10ms   <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "The callbacks without a limit of their own, each in the state that it makes.",
      reasons: [nil, nil, nil],
      """
      \(Step.launch)
      +1s     >delegate.will_resign_active
      +2s     <delegate.will_resign_active  # here
      +1s     >delegate.did_become_active
      +2s     <delegate.did_become_active  # here
      \(Step.toBackground)
      +1s     >delegate.will_enter_foreground
      +2s     <delegate.will_enter_foreground  # here
      +10ms   delegate.did_become_active for 1ms
      """),
    .violates(
      "Other callbacks of the delegate in an active app.",
      reasons: Array(repeating: nil, count: otherCallbacks.count),
      """
      \(Step.launch)
      \(slow(otherCallbacks))
      """),
    .violates(
      "An inactive app is on the screen: its main thread must stay free.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     >work.span id=1 class=ui
      +2s     <work.span  # here
      \(Step.becomeActive)
      """),
    .violates(
      "The observer of a notification takes its time.",
      """
      \(Step.launch)
      +1s     >note.deliver name=NSUserDefaultsDidChangeNotification
      +2s     <note.deliver  # here
      """),
    .violates(
      "A notification that waited is delivered when the app is active again.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      \(Step.toForeground)
      +1s     >note.deliver name=NSUserDefaultsDidChangeNotification queued=true
      +2s     <note.deliver  # here
      """),
    .violates(
      "Of work inside a callback the work is told, not the callback around it.",
      """
      \(Step.launch)
      \(Step.resign)
      +1s     >delegate.did_become_active
      +10ms   >work.span id=1 class=db
      +2s     <work.span  # here
      +10ms   <delegate.did_become_active
      """),
    .violates(
      "The work never ends, and another thread is seen three seconds later.",
      """
      \(Step.launch)
      +1s     >work.span id=1 class=db
      +3s @4  trace.marker text="still here"
      +1s     proc.kill cause=jetsam  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Another thread may work as long as it likes.",
      """
      \(Step.launch)
      +1s @7  >work.span id=1 class=housekeeping
      +1s @7  >note.deliver name=NSUserDefaultsDidChangeNotification
      +3s @7  <note.deliver
      +3s @7  <work.span
      +1s @7  >delegate.open_url
      +3s @7  <delegate.open_url
      """),
    .holds(
      "Exactly a second is allowed.",
      """
      \(Step.launch)
      +1s     >work.span id=1 class=housekeeping
      +1s     <work.span
      """),
    .holds(
      "Time in the background keeps nobody waiting.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      \(Step.toBackground)
      +1s     >work.span id=1 class=save
      +3s     <work.span
      +1s     bgtask.end token=1
      """),
    .holds(
      "Callbacks with a limit of their own are left to the rules on them.",
      """
      +0s     proc.start into=foreground reason=user_icon
      +10ms   >delegate.will_finish_launching
      +1.5s   <delegate.will_finish_launching
      +10ms   >delegate.did_finish_launching
      +1.5s   <delegate.did_finish_launching
      +10ms   delegate.did_become_active for 1ms
      \(Step.resign)
      +10ms   >delegate.did_enter_background
      +2s     <delegate.did_enter_background
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   >note.deliver name=NSUserDefaultsDidChangeNotification queued=true
      +2s     <note.deliver
      +10ms   delegate.did_become_active for 1ms
      +1s     >delegate.will_terminate
      +2s     <delegate.will_terminate
      +1s     proc.exit by=uikit_after_will_terminate
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The recording stops after half a second of work.",
      """
      \(Step.launch)
      +1s     >work.span id=1 class=db
      +500ms @4  trace.marker text="last words"
      """),
    .unknown(
      "Work that one line tells is itself; another piece that it crosses can't be measured.",
      """
      \(Step.launch)
      +1s     work.span for 900ms id=1 class=housekeeping
      +500ms  >work.span id=2 class=housekeeping
      +1.5s   <work.span
      """),
    .unknown(
      "Events were lost while the work was under way.",
      """
      \(Step.launch)
      +1s     >work.span id=1 class=db
      +1s     trace.lost count=3
      +3s     <work.span
      """),
  ]
}
