// LC307: the main thread waits for a reply from the network.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC307 {
  static let rule = Rule(
    id: "LC307",
    slug: "watchdog/network-wait-on-main",
    severity: .warning,
    summary: "The main thread never blocks until the network answers.",
    rationale: """
      How long a server takes is out of the app's hands. A main thread that waits for it handles \
      neither touches nor callbacks of the life cycle, for as long as the network pleases. Waits \
      during launch are told by LC302.
      """,
    consequence: """
      The app freezes, and if a callback is due meanwhile its time limit goes on running: a \
      watchdog may kill the app.
      """,
    advice: """
      Use an asynchronous request, or wait on a queue of your own and come back to the main \
      thread with the result.
      """,
    sources: [.appStates("Concurrency and Secondary Threads")],
    needs: ["net", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .netSyncWait,
              while: .all([
                .isOnMain, .not(.phase([.launchingForeground, .launchingBackground])),
              ])))),
        message: "The main thread waited for a network response")
    ],
    examples: [
      .violates(
        "A wait on the main thread, though the first callback came on another.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms @6  delegate.did_finish_launching for 100ms
        +200ms  delegate.did_become_active for 1ms
        +1s     net.sync_wait for 1s  # here
        """),
      .violates(
        "A synchronous request on the main thread of an active app.",
        """
        \(Step.launch)
        +1s     >net.sync_wait request=4  # here
        +200ms  <net.sync_wait
        """),
      .violates(
        "Also in the background the main thread must stay free for callbacks.",
        """
        \(Step.launch)
        +1s     bgtask.begin token=1 has_expiration_handler=true
        \(Step.toBackground)
        +1s     net.sync_wait for 2s request=4  # here
        +3s     bgtask.end token=1
        """),
      .violates(
        "Three waits of one launch are one finding.",
        """
        \(Step.launch)
        +1s     net.sync_wait for 10ms request=1  # here
        +1s     net.sync_wait for 10ms request=2
        +1s     net.sync_wait for 10ms request=3
        """),
      .violates(
        "Inside applicationDidBecomeActive: the launch is over.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +150ms  >delegate.did_become_active
        +1ms    net.sync_wait for 10ms request=1  # here
        +20ms   <delegate.did_become_active
        """),
      .holds(
        "A thread of its own may wait.",
        """
        \(Step.launch)
        +1s @4  >net.sync_wait request=4
        +9s @4  <net.sync_wait
        """),
      .holds(
        "A wait while the app is launching is the business of LC302.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   net.sync_wait for 100ms request=1
        +200ms  <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "A launch into the background is a launch as well.",
        """
        +0s     proc.start into=background reason=fetch
        +10ms   >delegate.did_finish_launching
        +10ms   net.sync_wait for 100ms request=1
        +200ms  <delegate.did_finish_launching
        +1s     proc.suspend inferred=false
        """),
      .unknown(
        "In a recording that begins in mid-life the app may still be launching.",
        """
        +0s     trace.start reason=attach
        +1s     net.sync_wait for 100ms request=1
        """),
    ])
}
