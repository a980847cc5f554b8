// LC610: the keep-alive handler of a VoIP app isn't called within its timeout.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC610 {
  static let rule = Rule(
    id: "LC610",
    slug: "background-mode/keep-alive-late",
    severity: .note,
    summary: """
      An installed keep-alive handler is called at least once in each timeout that passes in the \
      background.
      """,
    rationale: """
      The timeout is a promise of the system, which counts the time in which the app is suspended, \
      too. A handler that stays away means that the system gave up on the app, or that the trace \
      misses the call.
      """,
    consequence: """
      The server hears nothing from the app and may drop the connection; calls no longer arrive.
      """,
    advice: """
      See whether the recorder wraps the handler. If it does, make sure that the app declares the \
      voip mode, and check the connection at the next chance to run.
      """,
    sources: [.iOS4Guide("Installing a Keep-Alive Handler")],
    needs: ["voip", "delegate"],
    profiles: Profile.ios4ToIOS8,
    parameters: [],
    clauses: [
      Clause(
        .note,
        .expect(
          Expect(
            opens: [.on(.voipKeepaliveSet, where: .not(.isFalse(.accepted)))],
            closes: [.on(.voipKeepalive), .on(.voipKeepaliveClear)], reopening: .replace,
            due: [
              .within(
                Time(
                  .argument(.timeoutS, unitNanoseconds: 1_000_000_000), on: .continuous,
                  in: [.background, .suspended]))
            ])),
        message: "The keep-alive handler was not called within {limit} in the background")
    ],
    examples: violating + holding + undecided)

  private static let header = "header os_version=7.0 sdk_linked=7.0 background_modes=[voip]"

  private static let violating: [RuleExample] = [
    .violates(
      "The app slept for 700 seconds, and the handler wasn't called.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toSuspended)
      +700s   proc.resume inferred=false reason=voip_socket  # here
      """),
    .violates(
      "The handler comes a nanosecond late; an app that wasn't suspended counts, too.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600
      \(Step.toBackground)
      +600.000000001s  voip.keepalive for 10ms  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The handler is called early, as the system likes; later the app gives it up.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toSuspended)
      +420s   proc.resume inferred=false reason=keepalive
      +10ms   voip.keepalive for 100ms
      +1s     proc.suspend inferred=false
      +400s   proc.resume inferred=false reason=voip_socket
      +10ms   voip.keepalive_clear
      """),
    .holds(
      "The last moment is in time.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toBackground)
      +600s   voip.keepalive for 100ms
      +1s     voip.keepalive_clear
      """),
    .holds(
      "A handler that was taken away isn't waited for.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toBackground)
      +500s   voip.keepalive_clear
      +400s   trace.marker text=later
      """),
    .holds(
      "A second installation takes the place of the first, with its own timeout.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toBackground)
      +500s   voip.keepalive_set timeout_s=1200 accepted=true
      +1000s  voip.keepalive_clear
      """),
    .holds(
      "A refused installation promises nothing.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=300 accepted=false
      \(Step.toSuspended)
      +700s   proc.resume inferred=false reason=user_icon
      """),
    .holds(
      "In the foreground the handler isn't called.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      +1000s  delegate.will_resign_active for 1ms
      +1000s  delegate.did_become_active for 1ms
      \(Step.toBackground)
      +10s    voip.keepalive_clear
      """),
  ]

  private static let undecided: [RuleExample] = [
    .holds(
      "On a clock that stands still while the device sleeps nobody can judge.",
      """
      \(header) clock_kind=uptime
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toSuspended)
      +700s   proc.resume inferred=false reason=voip_socket
      """),
    .unknown(
      "The trace stops before the timeout is over.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toBackground)
      +300s   trace.marker text=last
      """),
    .unknown(
      "The call may lie in the gap.",
      """
      \(header)
      \(Step.launch)
      +1s     voip.keepalive_set timeout_s=600 accepted=true
      \(Step.toBackground)
      +300s   trace.lost count=3
      +400s   trace.marker text=later
      """),
  ]
}
