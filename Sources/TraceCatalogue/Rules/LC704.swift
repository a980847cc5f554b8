// LC704: a socket that broke in the background isn't connected again.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC704 {
  static let rule = Rule(
    id: "LC704",
    slug: "networking/socket-not-reestablished",
    severity: .warning,
    summary: """
      After a socket from before a stay in the background has failed, the app connects to the same \
      peer again within ten seconds in the foreground.
      """,
    rationale: """
      The system may tear sockets down while the app is suspended. That is no fault of anybody, \
      and connecting again is all it takes; going on with the dead socket, or not at all, leaves \
      the user without the feature.
      """,
    consequence: "What the socket was for stays offline until the app is started anew.",
    advice: """
      Treat an error after a resume like a lost network: close the socket, open a new one to the \
      same peer, and send again what wasn't answered.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["net", "delegate"],
    profiles: Profile.ios4Plus,
    parameters: [RuleParameter("limit", .nanoseconds, 10_000_000_000, .toolDefault)],
    clauses: [
      Clause(
        .warning,
        .handWritten(
          .deadSockets,
          because:
            "a failure is judged by when its socket was opened and by other sockets of its peer"),
        message:
          "socket {socket} failed after a stay in the background and wasn't replaced in {limit}")
    ],
    examples: violating + holding + undecided)

  private static let violating: [RuleExample] = [
    .violates(
      "The app goes on with a socket that failed.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=user_icon
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +15s    net.io socket=1 bytes=100  # here
      """),
    .violates(
      "The app gives up: nothing is heard of the peer any more, a nanosecond too long.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=54
      +10.000000001s  trace.marker text=offline  # here
      """),
    .violates(
      "Another connection to the peer lives, and yet the app writes to the dead one.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      +1s     net.connect op=open socket=2 peer=a
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=user_icon
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +1s     net.io socket=2 bytes=100
      +1s     net.io socket=1 bytes=100
      +10s    trace.marker text=later  # here
      """),
    .violates(
      "Only time in the foreground counts, and a new connection to another peer doesn't help.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=54
      +1s     net.connect op=open socket=2 peer=b
      +4s     delegate.will_resign_active for 1ms
      +60s    delegate.did_become_active for 1ms
      +5.000000001s  trace.marker text=offline  # here
      """),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "The app connects again before it is back in front, and after the stay it has a new socket.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=user_icon
      +1ms    net.error socket=1 errno=57
      +1ms    net.connect op=close socket=1 peer=a
      +1ms    net.connect op=open socket=1 peer=a
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +60s    trace.marker text=later
      """),
    .holds(
      "The app leaves again before its time is over.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      \(Step.toBackground)
      +60s    proc.kill cause=jetsam
      """),
    .holds(
      "The app connects again at once.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=user_icon
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +10ms   net.connect op=open socket=2 peer=a
      +1s     net.io socket=2 bytes=100
      +60s    trace.marker text=later
      """),
    .holds(
      "After exactly ten seconds it is still in time.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +10s    net.connect op=open socket=2 peer=a
      """),
    .holds(
      "The traffic goes on over a socket that was open already.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      +1s     net.connect op=open socket=2 peer=a
      \(Step.toSuspended)
      +60s    proc.resume inferred=false reason=user_icon
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +1s     net.io socket=2 bytes=100
      +60s    trace.marker text=later
      """),
    .holds(
      "The number of the dead socket belongs to a connection to another peer now.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      +1s     net.connect op=open socket=2 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +1s     net.connect op=open socket=1 peer=b
      +1s     net.io socket=1 bytes=100
      +1s     net.io socket=2 bytes=100
      +60s    trace.marker text=later
      """),
    .holds(
      "A socket of this stay in the foreground fails for reasons of the network.",
      """
      \(Step.launch)
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.connect op=open socket=1 peer=a
      +1s     net.error socket=1 errno=54
      +60s    trace.marker text=later
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "A socket from before the recording: nobody knows its peer.",
      """
      +0s     trace.start reason=attach
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +60s    trace.marker text=later
      """),
    .unknown(
      "What is sent without a socket's number may go over another connection to the peer.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      +1s     net.connect op=open peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +1s     net.io bytes=100
      +60s    trace.marker text=later
      """),
    .unknown(
      "Nobody has seen whom the socket that is used is connected to.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +1s     net.io socket=2 bytes=100
      +60s    trace.marker text=later
      """),
    .unknown(
      "The trace stops four seconds after the failure.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +4s     trace.marker text=last
      """),
    .unknown(
      "The new connection may lie in the gap.",
      """
      \(Step.launch)
      +1s     net.connect op=open socket=1 peer=a
      \(Step.toBackground)
      \(Step.toForeground)
      +1s     net.error socket=1 errno=57
      +1s     trace.lost count=3
      +1s     delegate.did_become_active for 1ms
      +60s    trace.marker text=later
      """),
  ]
}
