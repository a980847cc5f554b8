// LC611: a VoIP app that the system launched doesn't connect to its service again.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC611 {
  private static let connected = Fact(
    "connected", set: [.on(.netConnect, where: .isText(.op, ["open"]))],
    key: [.argument(.socket)])

  private static let tagged = Fact("tagged", set: [.on(.voipTag)], key: [.argument(.socket)])

  private static let isTaggedConnection = Condition.all([
    .factOf("connected", [.argument(.socket)]), .factOf("tagged", [.argument(.socket)]),
  ])

  /// From iOS 9 on, or where nobody says which system it was.
  private static let isLate = HeaderTest.any([.not(.isSet(.osVersion)), .system(9, 0)])

  private static func clause(_ severity: Severity, _ applies: HeaderTest) -> Clause {
    Clause(
      severity, applies: applies,
      .expect(
        Expect(
          opens: [
            .on(
              .procStart,
              where: .isText(.reason, ["voip_exit", "boot", "voip_socket", "keepalive"]),
              while: .header(.has(.backgroundModes, "voip")))
          ],
          closes: [
            .on(.voipTag, .netConnect, while: isTaggedConnection),
            .on(.voipTag, where: .not(.isPresent(.socket))),
          ],
          due: [
            .within(.parameter("limit")), .suspension(inferred: false),
            .suspension(inferred: true),
          ])),
      message:
        "The app was launched for VoIP ({reason}) and had opened no tagged socket {duration} later")
  }

  static let rule = Rule(
    id: "LC611",
    slug: "background-mode/voip-connection-not-recreated",
    severity: .warning,
    summary: """
      A VoIP app that the system launches opens its connection again and tags it for VoIP, within \
      30 seconds and before it is suspended.
      """,
    rationale: """
      After a reboot or a nonzero exit the system starts a VoIP app so that it can be reached \
      again. Sockets die with the process: none of those that the last launch had is left.
      """,
    consequence: """
      The system has no socket to watch, so nothing wakes the app and calls are missed until the \
      user opens it.
      """,
    advice: """
      Connect on every path of the launch, background launches included, and set the VoIP service \
      type on the new socket.
      """,
    sources: [.iOS4Guide("Configuring Sockets for VoIP Usage")],
    needs: ["proc", "net", "voip"],
    profiles: Profile.ios4ToIOS8,
    parameters: [RuleParameter("limit", .nanoseconds, 30_000_000_000, .toolDefault)],
    facts: [connected, tagged],
    clauses: [clause(.warning, .not(isLate)), clause(.note, isLate)],
    examples: violating + holding + undecided)

  private static let header = "header os_version=7.0 sdk_linked=7.0 background_modes=[voip,audio]"

  /// A launch into the background.
  private static func launch(_ reason: String) -> String {
    """
    +0s     proc.start into=background reason=\(reason)
    +10ms   delegate.will_finish_launching for 20ms
    +50ms   delegate.did_finish_launching for 100ms
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "Started again after a crash, the app is suspended without a connection.",
      """
      \(header)
      +0s     proc.start into=background reason=voip_exit
      +10ms   delegate.did_finish_launching for 100ms
      +3s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "After a reboot the connection comes a nanosecond late.",
      """
      \(header)
      \(launch("boot"))
      +29.939s        net.connect op=open socket=1
      +1.000001ms     voip.tag socket=1  # here
      """),
    .violates(
      "The connection is open, but nobody tagged it.",
      """
      \(header)
      \(launch("voip_socket"))
      +1s     net.connect op=open socket=1 peer=sip.example.com
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "Another socket is tagged than the one that was opened.",
      """
      \(header)
      \(launch("keepalive"))
      +1s     net.connect op=open socket=1
      +1s     voip.tag socket=2
      +60s    trace.marker text=later  # here
      """),
    .violates(
      "On iOS 9 the same is worth a note.", severities: [.note],
      """
      header os_version=9.0 sdk_linked=8.0 background_modes=[voip]
      \(launch("boot"))
      +1s     proc.suspend inferred=false  # here
      +60s    proc.resume inferred=false reason=user_icon
      """),
    .violates(
      "The suspension was inferred from silence, and the clocks prove it.",
      """
      \(header)
      \(launch("boot"))
      +1s     trace.clock_sync continuous_ns=2000000000 uptime_ns=2000000000
      +1s     proc.suspend inferred=true  # here
      +60s    proc.resume inferred=true reason=user_icon
      +10ms   trace.clock_sync continuous_ns=63010000000 uptime_ns=3010000000
      \(Step.toForeground)
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "After a reboot the app connects, tags its socket and is suspended.",
      """
      \(header)
      \(launch("boot"))
      +1s     net.connect op=open socket=1
      +10ms   voip.tag socket=1
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "A stream is tagged before it is opened, in the last moment.",
      """
      \(header)
      \(launch("voip_exit"))
      +1s       voip.tag socket=1 interface=NSStream
      +28.94s   net.connect op=open socket=1
      +60s      trace.marker text=later
      """),
    .holds(
      "A tag that names no socket may belong to any.",
      """
      \(header)
      \(launch("boot"))
      +1s     voip.tag interface=NSMutableURLRequest
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "From iOS 9 on each of the three ways is as good.",
      """
      header os_version=9.0 sdk_linked=8.0 background_modes=[voip]
      \(launch("boot"))
      +1s     net.connect op=open socket=1
      +10ms   voip.tag socket=1
      +60s    proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(launch("voip_exit"))
      +1s     voip.tag socket=1 interface=NSStream
      +10ms   net.connect op=open socket=1
      +60s    proc.kill cause=jetsam
      +60s    trace.marker text=between
      \(launch("voip_exit"))
      +1s     voip.tag interface=NSMutableURLRequest
      +60s    trace.marker text=later
      """),
    .holds(
      "A launch for another reason needs no VoIP connection.",
      """
      \(header)
      \(launch("location"))
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "An app without the mode isn't a VoIP app.",
      """
      \(launch("boot"))
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "The trace stops after ten seconds.",
      """
      \(header)
      \(launch("boot"))
      +10s    trace.marker text=last
      """),
    .unknown(
      "The header doesn't say which modes the app declares.",
      """
      header os_version=7.0 sdk_linked=7.0
      \(launch("boot"))
      +1s     proc.suspend inferred=false
      """),
  ]
}
