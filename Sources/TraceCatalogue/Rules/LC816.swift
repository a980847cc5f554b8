// LC816: a call comes in while the app is in the background, and nothing tells the user.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC816 {
  private static let now = FieldTest.any([
    .not(.isPresent(.fireWallNs)), .isText(.fireWallNs, ["now"]),
  ])

  private static let alerted = Expect(
    opens: [.on(.voipCall, where: .isTrue(.incoming), while: .phase([.background]))],
    closesAll: [
      .on(.localnoteSchedule, where: now),
      .on(.localnoteFire, where: .isText(.to, ["user"])),
      .on(.callkitReport, .delegateWillEnterForeground),
    ],
    key: [.argument(.id)], due: [.within(.parameter("limit"))])

  static let rule = Rule(
    id: "LC816",
    slug: "notification/voip-call-without-alert",
    severity: .note,
    summary: """
      A call that comes in while the app is in the background is told to the user within 5 seconds.
      """,
    rationale: """
      An app in the background has no screen. The system wakes it for the data of the call; to \
      ring is the app's part, by a local notification that is presented at once.
      """,
    consequence: "The user misses the call.",
    advice: """
      Call presentLocalNotificationNow: as soon as the call is known, before anything else; from \
      iOS 10 on report the call to CallKit.
      """,
    sources: [.iOS4Guide("Configuring Sockets for VoIP Usage")],
    needs: ["voip", "localnote", "delegate"],
    profiles: Profile.ios4ToIOS8,
    parameters: [RuleParameter("limit", .nanoseconds, 5_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .note, .expect(alerted),
        message: "{what} came in the background, and the user was told nothing within {limit}")
    ],
    examples: violating + holding + undecided)

  private static let header = "header os_version=8.0 sdk_linked=8.0 background_modes=[voip]"

  /// Up to the moment at which the call comes.
  private static let woken = """
    \(header)
    \(Step.launch)
    \(Step.toSuspended)
    +60s    proc.resume inferred=false reason=voip_socket
    """

  private static let violating: [RuleExample] = [
    .violates(
      "Nobody tells the user.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      +8s     <voip.call id=1  # here
      \(Step.end)
      """),
    .violates(
      "A nanosecond too late.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      +5.000000001s localnote.schedule id=n1 fire_wall_ns=now  # here
      +8s     <voip.call id=1
      \(Step.end)
      """),
    .violates(
      "A notification for later, or one for the app itself, doesn't ring now.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      +1s     localnote.schedule id=n1 fire_wall_ns=1400000000000000000
      +1s     localnote.fire id=n0 to=app
      +4s     <voip.call id=1  # here
      \(Step.end)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A notification is presented at once.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      +10ms   localnote.schedule id=n1 fire_wall_ns=now
      +8s     <voip.call id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A notification without a time is presented at once, too: here at the last moment.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      +5s     localnote.schedule id=n1
      +8s     <voip.call id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The user has got an alert, however it was scheduled.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      +10ms   localnote.schedule id=n1 fire_wall_ns=1400000000000000000
      +10ms   localnote.fire id=n1 to=user
      +8s     <voip.call id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "CallKit rings on the app's behalf.",
      """
      header os_version=10.2 sdk_linked=10.2 background_modes=[voip]
      \(Step.launch)
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=pushkit
      +100ms  >voip.call id=1 incoming=true
      +10ms   callkit.report uuid=u1
      +8s     <voip.call id=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "The user opens the app meanwhile and sees the call in it.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      \(Step.toForeground)
      +8s     <voip.call id=1
      \(Step.end)
      """),
    .holds(
      "A call that the user makes, and one that comes while the app is in front.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=false
      +8s     <voip.call id=1
      \(Step.toForeground)
      +1s     >voip.call id=2 incoming=true
      +8s     <voip.call id=2
      \(Step.end)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops before the time is over.",
      """
      \(woken)
      +100ms  >voip.call id=1 incoming=true
      +4s     trace.marker text=last
      """)
  ]
}
