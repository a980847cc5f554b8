// LC112: a background task is begun in a short wake-up for an accessory that didn't need it.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC112 {
  private static let accessory = FieldTest.isText(
    .reason, ["external_accessory", "bluetooth_central", "bluetooth_peripheral"])
  private static let begun = FieldTest.all([
    .not(.isTrue(.isInvalid)), .not(.isText(.by, ["uikit"])),
  ])

  static let rule = Rule(
    id: "LC112",
    slug: "background-task/used-in-accessory-wake",
    severity: .note,
    summary: "In a wake-up for an accessory more time is asked for only when it is needed.",
    rationale: """
      A wake-up for an accessory or a Bluetooth device comes with about ten seconds. A task that \
      begins in it and ends before they are over asked for time that was there already.
      """,
    consequence: "None at once; the habit keeps the device awake more often than is needed.",
    advice: """
      Process the data and return. Begin a task only where the measured work doesn't fit into the \
      ten seconds.
      """,
    sources: [
      .appStates("Communicating with an External Accessory"),
      .appStates("Communicating with a Bluetooth Accessory"),
    ],
    needs: ["bgtask", "wake"],
    profiles: Profile.ios5Plus,
    parameters: [RuleParameter("given", .nanoseconds, 10_000_000_000, .documented)],
    facts: [
      Fact(
        "woken", set: [.on(.wakeWindow, where: accessory)],
        clearAll: [.end(.wakeWindow), .on(.procSuspend, .delegateWillEnterForeground)]),
      Fact(
        "first seconds", set: [.on(.wakeWindow, where: accessory)],
        lasts: .parameter("given")),
      Fact(
        "begun in this wake",
        set: [.on(.bgtaskBegin, where: begun, while: .anyFact("woken"))],
        clearAll: [.on(.wakeWindow)], key: [.argument(.token)]),
    ],
    clauses: [
      Clause(
        .note,
        .never(
          Never(
            .on(
              .bgtaskEnd, where: .not(.isTrue(.isInvalid)),
              while: .all([.fact("begun in this wake"), .anyFact("first seconds")])),
            per: .key, key: [.argument(.token)])),
        message: "{task} of a wake-up for an accessory ended before it was needed")
    ],
    examples: violating + holding)

  private static func woken(_ reason: String, _ lines: String) -> String {
    """
    header os_version=8.0 sdk_linked=8.0 background_modes=[bluetooth-central,external-accessory]
    \(Step.launch)
    \(Step.toSuspended)
    +60s    proc.resume inferred=false reason=\(reason)
    +1ms @9 >wake.window id=1 reason=\(reason)
    \(lines)
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "The task is over a second after the wake-up.",
      woken(
        "bluetooth_central",
        """
        +1ms    bgtask.begin token=1 has_expiration_handler=true
        +1s     bgtask.end token=1  # here
        +1ms @9 <wake.window id=1
        """)),
    .violates(
      "It ends a nanosecond before the ten seconds are over, after the wake-up itself.",
      woken(
        "external_accessory",
        """
        +1s     bgtask.begin token=1
        +1s @9  <wake.window id=1
        +7.999999999s  bgtask.end token=1  # here
        """)),
    .violates(
      "Two tasks in a wake-up as a peripheral.", reasons: [nil, nil],
      woken(
        "bluetooth_peripheral",
        """
        +1ms    bgtask.begin token=1
        +1ms    bgtask.begin token=2
        +1s     bgtask.end token=1  # here
        +1ms    bgtask.end token=2  # here
        +1ms @9 <wake.window id=1
        """)),
    .violates(
      "Nobody declares the first wake-up over; the second one counts anew.",
      woken(
        "bluetooth_central",
        """
        +40s @9 >wake.window id=2 reason=bluetooth_central
        +1ms    bgtask.begin token=1
        +1s     bgtask.end token=1  # here
        """)),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Fourteen seconds: the time was needed.",
      woken(
        "bluetooth_central",
        """
        +1ms    bgtask.begin token=1
        +14s    bgtask.end token=1
        +1ms @9 <wake.window id=1
        """)),
    .holds(
      "Exactly ten seconds after the wake-up.",
      woken(
        "bluetooth_central",
        """
        +1s     bgtask.begin token=1
        +9s     bgtask.end token=1
        +1ms @9 <wake.window id=1
        """)),
    .holds(
      "A wake-up for other reasons has other limits.",
      woken(
        "location",
        """
        +1ms    bgtask.begin token=1
        +1s     bgtask.end token=1
        +1ms @9 <wake.window id=1
        """)),
    .holds(
      "A task that is begun after the wake-up is over.",
      woken(
        "bluetooth_central",
        """
        +1s @9  <wake.window id=1
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """)),
    .holds(
      "A task that was begun before the wake-up.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[bluetooth-central]
      \(Step.launch)
      +1s     bgtask.begin token=1
      \(Step.toBackground)
      +1s @9  >wake.window id=1 reason=bluetooth_central
      +1s     bgtask.end token=1
      +1s @9  <wake.window id=1
      """),
    .holds(
      "A task that goes on into the next wake-up was needed.",
      woken(
        "bluetooth_central",
        """
        +8s     bgtask.begin token=1
        +1s @9  <wake.window id=1
        +10s @9 >wake.window id=2 reason=bluetooth_central
        +1s     bgtask.end token=1
        +1s @9  <wake.window id=2
        """)),
    .holds(
      "A suspension ends a wake-up without a return.",
      woken(
        "bluetooth_central",
        """
        +1s     proc.suspend inferred=false
        +60s    proc.resume inferred=false reason=fetch
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """)),
    .holds(
      "So does the user who opens the app.",
      woken(
        "bluetooth_central",
        """
        +1s     delegate.will_enter_foreground for 1ms
        +10ms   delegate.did_become_active for 1ms
        +1s     bgtask.begin token=1
        +1s     bgtask.end token=1
        """)),
    .holds(
      "A refused request asks for nothing more.",
      woken(
        "bluetooth_central",
        """
        +1ms    bgtask.begin token=0 is_invalid=true
        +1s     bgtask.end token=0
        +1ms @9 <wake.window id=1
        """)),
  ]
}
