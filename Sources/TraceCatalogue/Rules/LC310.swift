// LC310: the VoIP keep-alive handler takes longer than thirty seconds.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC310 {
  private static let header =
    "header os_version=8.0 sdk_linked=8.0 background_modes=[voip] refresh_status=available"

  /// A VoIP app that is woken for its handler, which is about to begin.
  private static let woken = """
    \(header)
    \(Step.launch)
    +1s     voip.keepalive_set timeout_s=600
    \(Step.toSuspended)
    +600s   proc.resume inferred=false reason=keepalive
    """

  static let rule = Rule(
    id: "LC310",
    slug: "watchdog/keep-alive-handler-over-30s",
    severity: .error,
    summary: "The VoIP keep-alive handler returns within 30 seconds.",
    rationale: """
      The system wakes the app for one purpose: to tell its server that it is still there. The \
      handler gets half a minute for that and no more, whatever the network does.
      """,
    consequence: "A handler that hasn't returned in time ends the app: calls no longer arrive.",
    advice: """
      Send the keep-alive message with a short timeout and return; protect what must go on with a \
      background task.
      """,
    sources: [.iOS4Guide("Installing a Keep-Alive Handler")],
    needs: ["voip"],
    profiles: Profile.ios4ToIOS8,
    parameters: [RuleParameter("limit", .nanoseconds, 30_000_000_000, .documented)],
    clauses: [
      Clause(
        .error,
        .lasts(
          Lasts(
            .span([.on(.voipKeepalive)]), max: .parameter("limit", on: .watchdog),
            killCauses: ["watchdog", "keepalive_timeout"], killCodes: [0x8bad_f00d],
            openMessage:
              "The keep-alive handler had not returned in at least {duration}; the limit is {limit}"
          )),
        message: "The keep-alive handler took {duration}; the limit is {limit}")
    ],
    isLoweredUnderDebugger: true,
    explains: ["keep-alive", "watchdog", "watchdog-code"],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The handler waits for a server that doesn't answer.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +31s    <voip.keepalive  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "A nanosecond too long.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +30.000000001s  <voip.keepalive  # here
      """),
    .violates(
      "The system's kill is proof enough.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +29s    proc.kill cause=keepalive_timeout  # here
      """),
    .violates(
      "A watchdog's kill as well.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +29s    proc.kill cause=watchdog  # here
      """),
    .violates(
      "So is the watchdog's code where nobody wrote down a cause.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +29s    proc.kill cause=unknown code=2343432205  # here
      """),
    .violates(
      "The handler never returns, and another thread runs after its time.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +31s @4 trace.marker text="still here"
      +1s     proc.kill cause=jetsam  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "Twelve seconds are within the limit.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +12s    <voip.keepalive
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Exactly thirty seconds are allowed.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +30s    <voip.keepalive
      """),
    .holds(
      "Time in which the app was suspended doesn't count.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +1s     proc.suspend inferred=false
      +60s    proc.resume inferred=false reason=keepalive
      +1s     <voip.keepalive
      """),
    .holds(
      "A handler of which the log has one line has no duration.",
      """
      \(woken)
      +10ms   voip.keepalive
      +60s    trace.marker text=later
      """),
    .holds(
      "The handler returns; a background task protects the long work after it.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +10ms   bgtask.begin token=1 has_expiration_handler=true
      +10ms   <voip.keepalive
      +60s    bgtask.end token=1
      +1s     proc.suspend inferred=false
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Jetsam killed the app early: no verdict on the handler.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +5s     proc.kill cause=jetsam
      """),
    .unknown(
      "The recording stops inside the handler.",
      """
      \(woken)
      +10ms   >voip.keepalive
      +30s    trace.marker text="last words"
      """),
  ]
}
