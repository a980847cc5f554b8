// LC806: a notification that waited during a suspension is delivered more than once.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC806 {
  private static let queued = FieldTest.all([.isTrue(.queued), .isPresent(.name)])

  /// A change of one accessory isn't that of another: the object is part of the key.
  private static let once = Expect(
    opens: [.on(.noteDeliver, where: queued)], closesAll: [.on(.procSuspend, .procResume)],
    key: [.argument(.name), .argument(.object)],
    due: [.atSameKey([.on(.noteDeliver, where: queued)])])

  static let rule = Rule(
    id: "LC806",
    slug: "notification/queued-not-coalesced",
    severity: .note,
    summary: "After a resume each notification that waited is delivered once.",
    rationale: """
      The system keeps changes back during a suspension and delivers one notification of each \
      kind, which stands for the net change. Accessories and screens have one each.
      """,
    consequence: """
      The app does the same work twice; mostly several observers were recorded as several \
      deliveries, or the app posts the notification again itself.
      """,
    advice: """
      Let one object observe the notification and tell the others, and record the delivery where \
      it arrives and not in each observer.
      """,
    sources: [.appStates("Processing Queued Notifications at Wakeup Time")],
    needs: ["note", "proc"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .note, .expect(once),
        message: "{name} had waited, and was delivered twice after one resume")
    ],
    examples: [
      .violates(
        "The level of the battery is told twice.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true  # here
        \(Step.end)
        """),
      .violates(
        "One accessory is connected twice; a third delivery is the same finding.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   >note.deliver name=EAAccessoryDidConnectNotification object=a queued=true
        +10ms   <note.deliver
        +10ms   >note.deliver name=EAAccessoryDidConnectNotification object=a queued=true  # here
        +10ms   <note.deliver
        +10ms   note.deliver name=EAAccessoryDidConnectNotification object=a queued=true
        \(Step.end)
        """),
      .holds(
        "One that waited, and a new one.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=false
        \(Step.end)
        """),
      .holds(
        "Two accessories, and two names.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver name=EAAccessoryDidConnectNotification object=a queued=true
        +10ms   note.deliver name=EAAccessoryDidConnectNotification object=b queued=true
        +10ms   note.deliver name=EAAccessoryDidDisconnectNotification object=a queued=true
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        +10ms   note.deliver name=UIDeviceBatteryStateDidChangeNotification queued=true
        \(Step.end)
        """),
      .holds(
        "Once after each resume, also if the suspension before it wasn't recorded.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        +60s    proc.resume inferred=false reason=location
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        \(Step.end)
        """),
      .holds(
        "Once after each suspension, also if no resume was recorded.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.toForeground)
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        \(Step.toSuspended)
        \(Step.toForeground)
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        \(Step.end)
        """),
      .holds(
        "Deliveries without a name may be of two notifications.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver queued=true
        +10ms   note.deliver queued=true
        \(Step.end)
        """),
      .unknown(
        "A resume may have been lost between the two.",
        """
        \(Step.launch)
        \(Step.toSuspended)
        \(Step.resumed)
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        +10ms   trace.lost count=3
        +10ms   note.deliver name=UIDeviceBatteryLevelDidChangeNotification queued=true
        \(Step.end)
        """),
    ])
}
