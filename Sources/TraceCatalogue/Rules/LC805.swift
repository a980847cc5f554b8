// LC805: handlers of notifications that waited for the resume make the return sluggish.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC805 {
  private static let delivery = EventPattern.on(
    .noteDeliver, where: .isTrue(.queued), while: .all([.isOnMain, .fact("returning")]))

  static let rule = Rule(
    id: "LC805",
    slug: "notification/queued-handler-slow",
    severity: .note,
    summary: """
      Handlers of notifications that waited during a suspension are quick enough that the return \
      shows no lag.
      """,
    rationale: """
      What changed during a suspension is delivered on the main thread as soon as the app runs \
      again, before it reacts to the user. Each handler delays the first frame and the first touch.
      """,
    consequence: "The app seems sluggish each time the user comes back to it.",
    advice: """
      Note the change in the handler and do the work on a queue or when the view is next shown; \
      look with Instruments for the handler that takes the time.
      """,
    sources: [.appStates("Processing Queued Notifications at Wakeup Time")],
    needs: ["note", "proc", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter("handler", .nanoseconds, 250_000_000, .toolDefault),
      RuleParameter("sum", .nanoseconds, 1_000_000_000, .toolDefault),
    ],
    facts: [
      Fact(
        "returning", set: [.on(.procResume)],
        clear: [.on(.uiTouch), .end(.delegateDidBecomeActive)])
    ],
    clauses: [
      Clause(
        .note,
        .lasts(Lasts(.span([delivery]), max: .parameter("handler"), per: .launch)),
        message: "{what} took {duration} after a resume; the limit is {limit}"),
      Clause(
        .note,
        .sums(
          Sums([delivery], resets: [.on(.procResume)], per: .launch, max: .parameter("sum"))),
        message: """
          the handlers of notifications that waited took {duration} after a resume; the limit is \
          {limit}
          """),
    ],
    examples: violating + holding)

  private static let battery = "name=UIDeviceBatteryLevelDidChangeNotification queued=true"
  private static let settings = "name=NSUserDefaultsDidChangeNotification queued=true"
  private static let locale = "name=NSCurrentLocaleDidChangeNotification queued=true"
  private static let time = "name=UIApplicationSignificantTimeChangeNotification queued=true"
  private static let orientation = "name=UIDeviceOrientationDidChangeNotification queued=true"

  private static let violating: [RuleExample] = [
    .violates(
      "A handler loads everything anew.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   >note.deliver \(settings)
      +2s     <note.deliver  # here
      \(Step.toForeground)
      \(Step.end)
      """),
    .violates(
      "One nanosecond too long.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   >note.deliver \(settings)
      +250000001ns <note.deliver  # here
      \(Step.toForeground)
      \(Step.end)
      """),
    .violates(
      "Each handler is quick enough, all together they are a nanosecond too slow.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver for 250ms \(settings)
      +300ms  note.deliver for 250ms \(locale)
      +300ms  note.deliver for 250ms \(time)
      +300ms  note.deliver for 250ms \(battery)
      +300ms  >note.deliver \(orientation)
      +1ns    <note.deliver  # here
      \(Step.toForeground)
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Short handlers.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver for 50ms \(settings)
      +100ms  note.deliver for 50ms \(locale)
      \(Step.toForeground)
      \(Step.end)
      """),
    .holds(
      "Four handlers of a quarter of a second each are exactly at both limits.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver for 250ms \(settings)
      +300ms  note.deliver for 250ms \(locale)
      +300ms  note.deliver for 250ms \(time)
      +300ms  note.deliver for 250ms \(battery)
      \(Step.toForeground)
      \(Step.end)
      """),
    .holds(
      "Each resume is measured on its own.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms   note.deliver for 200ms \(settings)
      +300ms  note.deliver for 200ms \(locale)
      +300ms  note.deliver for 200ms \(time)
      +1s     proc.suspend inferred=false
      \(Step.resumed)
      +10ms   note.deliver for 200ms \(settings)
      +300ms  note.deliver for 200ms \(locale)
      +300ms  note.deliver for 200ms \(time)
      \(Step.toForeground)
      \(Step.end)
      """),
    .holds(
      "After the app has become active, or after the first touch, it isn't the return any more.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      \(Step.toForeground)
      +10ms   >note.deliver \(settings)
      +2s     <note.deliver
      \(Step.toSuspended)
      \(Step.resumed)
      +1s     delegate.will_enter_foreground for 1ms
      +10ms   ui.touch
      +10ms   >note.deliver \(settings)
      +2s     <note.deliver
      +1s     delegate.did_become_active for 1ms
      \(Step.end)
      """),
    .holds(
      "Another thread doesn't delay the user, and a new notification didn't wait.",
      """
      \(Step.launch)
      \(Step.toSuspended)
      \(Step.resumed)
      +10ms @3 note.deliver for 2s \(settings)
      +10ms   >note.deliver name=NSCurrentLocaleDidChangeNotification queued=false
      +2s     <note.deliver
      \(Step.toForeground)
      \(Step.end)
      """),
    .holds(
      "Without a resume there is no return.",
      """
      \(Step.launch)
      +1s     >note.deliver \(settings)
      +2s     <note.deliver
      \(Step.end)
      """),
  ]
}
