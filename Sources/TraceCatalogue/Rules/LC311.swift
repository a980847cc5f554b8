// LC311: woken for an accessory or Bluetooth, the app works longer than ten seconds.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC311 {
  private static let accessories = FieldTest.isText(
    .reason, ["external_accessory", "bluetooth_central", "bluetooth_peripheral"])

  /// More than the limit after the beginning of a wake-up that isn't over.
  private static let late = Fact(
    "late in the wake-up", set: [.on(.wakeWindow, where: accessories)],
    clearAll: [
      .end(.wakeWindow), .on(.procSuspend, .delegateWillEnterForeground, .delegateWillTerminate),
    ],
    after: .parameter("limit"), lasts: .nanoseconds(30_000_000_000))

  /// The app was suspended since it left the screen.
  private static let suspended = Fact(
    "suspended before", set: [.on(.procSuspend)], clear: [.on(.delegateWillEnterForeground)])

  /// The app asked for more time before the limit.
  private static let asked = Fact(
    "more time asked",
    set: [.on(.bgtaskBegin, where: .not(.isTrue(.isInvalid)), while: .not(.fact(late.name)))],
    clearAll: [.on(.procSuspend)])

  /// Reasons to run that don't come from the wake-up.
  private static let otherReasons: Set<RunReason> = [
    .task, .audio, .location, .completion, .scheduledRun, .call, .assertion, .uikitTask,
  ]

  private static let isOverdue = Condition.all([
    .fact(late.name), .not(.anyFact(asked.name)), .not(.hasReason(otherReasons)),
    .any([.wasLaunchedIntoBackground, .fact(suspended.name)]),
  ])

  private static func clause(_ event: EventPattern) -> Clause {
    Clause(
      .warning, .never(Never(event, per: .background)),
      escalation: Clause.Escalation(.error, whileFact: late.name),
      message: "{what} was seen on {thread}, and the time that a wake-up gives was over")
  }

  static let rule = Rule(
    id: "LC311",
    slug: "watchdog/accessory-wake-over-10s",
    severity: .warning,
    summary: """
      An app that is woken for an accessory or for Bluetooth is done in 10 seconds, or asks for \
      more time.
      """,
    rationale: """
      The system wakes the app so that it can take in the data, and expects it to go back to \
      sleep soon. A background task is the way to ask for more.
      """,
    consequence: "The system suspends the app in the middle of its work, or ends it.",
    advice: """
      Store the data and return; begin a background task first thing if working on it may take \
      longer than a few seconds.
      """,
    sources: [
      .appStates("Communicating with an External Accessory"),
      .appStates("Communicating with a Bluetooth Accessory"),
    ],
    needs: ["wake", "bgtask", "delegate", "proc", "audio", "loc", "completion", "voip", "bgsched"],
    profiles: Profile.ios5Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 10_000_000_000, .documented)],
    facts: [late, suspended, asked],
    clauses: [
      clause(EventPattern(.appWork, edge: .any, while: isOverdue)),
      // The inside of a callback is work of the app.
      clause(.end(.eaData, .btData, while: isOverdue)),
    ],
    isLoweredUnderDebugger: true,
    examples: violating + holding)

  /// An app that is resumed for an accessory, in a wake-up with this reason.
  private static func woken(_ reason: String = "external_accessory") -> String {
    """
    \(Step.launch)
    \(Step.toSuspended)
    +60s    proc.resume inferred=false reason=\(reason)
    +10ms   >wake.window id=1 reason=\(reason)
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "The callback for the accessory's data takes twelve seconds.",
      """
      \(woken())
      +0ms    >ea.data accessory=pump
      +12s    <ea.data  # here
      +10ms   <wake.window
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A nanosecond after the limit another thread is still at work.",
      """
      \(woken("bluetooth_central"))
      +1s     bt.data for 1ms role=central
      +9.000000001s @3  trace.marker text=parsing  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "An app that was launched for Bluetooth has the same ten seconds.",
      """
      +0s     proc.start into=background reason=bluetooth_peripheral
      +10ms   delegate.did_finish_launching for 100ms
      +200ms  >wake.window id=1 reason=bluetooth_peripheral
      +10ms   >bt.data role=peripheral
      +11s    <bt.data  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "Killed inside the wake-up: the finding is an error.", severities: [.error],
      """
      \(woken())
      +12s @3 trace.marker text=parsing  # here
      +1s     proc.kill cause=unknown
      """),
    .violates(
      "Killed after the user opened the app: that has nothing to do with the wake-up.",
      severities: [.warning],
      """
      \(woken())
      +12s @3 trace.marker text=parsing  # here
      \(Step.toForeground)
      +1s     proc.kill cause=unknown
      """),
    .violates(
      "Asking for more time after the limit is too late.",
      """
      \(woken())
      +11s @3 bgtask.begin token=1 has_expiration_handler=true
      +1s @3  bgtask.end token=1  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A background task that was refused gives no time.",
      """
      \(woken())
      +1s     bgtask.begin token=0 is_invalid=true
      +11s @3 trace.marker text=parsing  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "The wake-up may be recorded before the resume; what counts is time in which the app ran.",
      """
      \(Step.launch)
      +1s     bgtask.begin token=1 has_expiration_handler=true
      +1s     bgtask.end token=1
      \(Step.toSuspended)
      +60s    >wake.window id=1 reason=external_accessory
      +1ms    proc.resume inferred=false reason=external_accessory
      +11s @3 trace.marker text=parsing  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A wake-up that nobody declares over lasts thirty seconds.",
      """
      \(woken())
      +29.999999999s @3  trace.marker text=parsing  # here
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Nine seconds are within the limit, and so are exactly ten.",
      """
      \(woken())
      +0ms    >ea.data accessory=pump
      +9s     <ea.data
      +1s @3  trace.marker text=done
      +1s     <wake.window
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The app asks for more time before the limit.",
      """
      \(woken())
      +8s     bgtask.begin token=1 has_expiration_handler=true
      +6s     bgtask.end token=1
      +1ms @3 trace.marker text=done
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Wake-ups for other reasons have other limits.",
      """
      \(woken("location"))
      +12s @3 trace.marker text=place
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The app is in the background on its own and wasn't woken.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      \(Step.toForeground)
      \(Step.toBackground)
      +1s     >wake.window id=1 reason=external_accessory
      +12s @3 trace.marker text=parsing
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "After the wake-up is over its limit means nothing.",
      """
      \(woken())
      +5s     <wake.window
      +6s @3  trace.marker text=later
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A suspension ends the wake-up.",
      """
      \(woken())
      +5s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=fetch
      +6s @3  trace.marker text=fetching
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The user opens the app: it may run as long as it is on the screen.",
      """
      \(woken())
      \(Step.toForeground)
      +12s @3 trace.marker text=later
      """),
    .holds(
      "The app is being ended.",
      """
      \(woken())
      +9s     >delegate.will_terminate
      +2s @3  trace.marker text=cleanup
      +1s     <delegate.will_terminate
      +1s     proc.exit by=uikit_after_will_terminate
      """),
    .holds(
      "Thirty seconds later the wake-up counts as over.",
      """
      \(woken())
      +30s @3 trace.marker text=later
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Audio is another reason to run.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio,external-accessory]
      \(woken())
      +1s     audio.play op=start stream=1 audible=true
      +11s @3 trace.marker text=parsing
      +1s     <wake.window
      +1s     audio.play op=stop stream=1
      """),
    .holds(
      "So is a fetch whose completion handler hasn't been called.",
      """
      \(woken())
      +1s     delegate.perform_fetch for 1ms completion_id=1
      +11s @3 trace.marker text=parsing
      +1s     <wake.window
      +1s     completion.call completion_id=1 result=new_data
      """),
  ]
}
