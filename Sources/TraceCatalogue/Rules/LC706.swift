// LC706: an accessory is gone, and its session stays open.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC706 {
  private static let disconnected = FieldTest.isText(
    .name, ["EAAccessoryDidDisconnectNotification"])
  private static let opens = EventPattern.on(.eaSession, where: .isText(.op, ["open"]))
  private static let closes = EventPattern.on(.eaSession, where: .isText(.op, ["close"]))

  private static let due = Due.after(
    [.end(.noteDeliver, where: disconnected)], .parameter("limit"), orSuspension: true)

  static let rule = Rule(
    id: "LC706",
    slug: "resource/accessory-session-not-closed",
    severity: .warning,
    summary: """
      An accessory session is closed within a second of the notification that the accessory is \
      disconnected, and before the app is suspended.
      """,
    rationale: """
      The notification comes when the accessory is unplugged, and when the app moves to the \
      background. Either way its streams are dead, and only a new session can replace them.
      """,
    consequence: """
      The session is dead: its streams report errors, and a new one to the same accessory may be \
      refused. At the latest the system closes it at the suspension.
      """,
    advice: """
      Close both streams, take them off their run loop and release the session in the observer of \
      EAAccessoryDidDisconnectNotification.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["ea", "note"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 1_000_000_000, .toolDefault)],
    facts: [Fact("session", set: [opens], clear: [closes], key: [.argument(.accessory)])],
    clauses: [
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(
                .noteDeliver, where: .all([disconnected, .isPresent(.object)]),
                while: .factOf("session", [.argument(.object)]), key: [.argument(.object)])
            ],
            closes: [closes], key: [.argument(.accessory)], due: [due])),
        message: "The session of accessory {key} was still open after its disconnection"),
      Clause(
        .warning,
        .expect(
          Expect(
            opens: [
              .on(
                .noteDeliver, where: .all([disconnected, .not(.isPresent(.object))]),
                while: .anyFact("session"))
            ],
            closes: [closes], due: [due])),
        message: "An accessory was disconnected, and its session was still open"),
      Clause(
        .note, needs: ["proc"],
        .expect(
          Expect(
            opens: [
              .on(
                .eaSession, where: .isText(.op, ["open"]),
                while: .header(.not(.has(.backgroundModes, "external-accessory"))))
            ],
            closes: [closes], closesAll: [.on(.noteDeliver, where: disconnected)],
            key: [.argument(.accessory)],
            due: [.suspension(inferred: false), .suspension(inferred: true)])),
        message: "The app was suspended with an accessory session open"),
    ],
    examples: violating + holding + undecided)

  private static let notification = "name=EAAccessoryDidDisconnectNotification"

  private static let violating: [RuleExample] = [
    .violates(
      "The app hears that the accessory is gone, and does nothing.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +1ms    >note.deliver \(notification)
      +1ms    <note.deliver
      +2s     ea.session op=close accessory=1  # here
      """),
    .violates(
      "A nanosecond too late; the notification names the accessory.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     >note.deliver \(notification) object=1
      +1ms    <note.deliver
      +1.000000001s  ea.session op=close accessory=1  # here
      """),
    .violates(
      "The session of another accessory is closed.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     ea.session op=open accessory=2
      +1s     >note.deliver \(notification) object=1
      +1ms    <note.deliver
      +1ms    ea.session op=close accessory=2
      +2s     ea.session op=close accessory=1  # here
      """),
    .violates(
      "The app is suspended half a second after the notification.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +1ms    >note.deliver \(notification) object=1
      +1ms    <note.deliver
      +500ms  proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1ms    ea.session op=close accessory=1
      """),
    .violates(
      "No notification came, and the app slept with its session open.", severities: [.note],
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +3s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      +1ms    ea.session op=close accessory=1
      """),
    .violates(
      "The suspension was inferred from silence, and the clocks prove it.", severities: [.note],
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +1s     trace.clock_sync continuous_ns=5000000000 uptime_ns=5000000000
      +1s     proc.suspend inferred=true  # here
      +60s    proc.resume inferred=true reason=user_icon
      +10ms   trace.clock_sync continuous_ns=66010000000 uptime_ns=6010000000
      \(Step.toForeground)
      +1ms    ea.session op=close accessory=1
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The observer closes the session.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +1ms    >note.deliver \(notification)
      +1ms    ea.session op=close accessory=1
      +1ms    <note.deliver
      +3s     proc.suspend inferred=false
      """),
    .holds(
      "Exactly a second later is in time.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     >note.deliver \(notification) object=1
      +1ms    <note.deliver
      +1s     ea.session op=close accessory=1
      +60s    trace.marker text=later
      """),
    .holds(
      "The accessory that goes had no session, or has none any more.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     >note.deliver \(notification) object=2
      +1ms    <note.deliver
      +5s     ea.session op=close accessory=1
      +1s     >note.deliver \(notification) object=1
      +1ms    <note.deliver
      +5s     >note.deliver \(notification)
      +1ms    <note.deliver
      +5s     trace.marker text=later
      """),
    .holds(
      "The connection of an accessory asks for nothing to be closed.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     >note.deliver name=EAAccessoryDidConnectNotification object=1
      +1ms    <note.deliver
      +5s     ea.session op=close accessory=1
      """),
    .holds(
      "With the mode the framework keeps the session open.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[external-accessory]
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +3s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +1ms    ea.session op=close accessory=1
      """),
    .holds(
      "The session is closed before the app sleeps.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +1s     ea.session op=close accessory=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A notification that concerns another accessory is the last word before the suspension.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      \(Step.toBackground)
      +1ms    >note.deliver \(notification) object=2
      +1ms    <note.deliver
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=user_icon
      +1ms    ea.session op=close accessory=1
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops half a second after the notification.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     >note.deliver \(notification) object=1
      +1ms    <note.deliver
      +500ms  trace.marker text=last
      """),
    .unknown(
      "The session may have been closed in the gap.",
      """
      \(Step.launch)
      +1s     ea.session op=open accessory=1
      +1s     >note.deliver \(notification) object=1
      +1ms    <note.deliver
      +500ms  trace.lost count=2
      +5s     trace.marker text=later
      """),
  ]
}
