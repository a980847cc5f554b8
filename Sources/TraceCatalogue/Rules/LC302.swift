// LC302: the main thread waits for the network during the launch.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC302 {
  static let rule = Rule(
    id: "LC302",
    slug: "launch/sync-network-on-main",
    severity: .warning,
    summary: "During the launch the main thread waits for nothing from the network.",
    rationale: """
      How long an answer takes is up to the network. A launch that waits for one is as slow as \
      the worst connection the user ever has, and the watchdog doesn't know what it waits for.
      """,
    consequence: """
      The launch takes seconds where the network is bad, and the watchdog may kill the app.
      """,
    advice: """
      Show what is stored, send the request asynchronously, and bring the answer to the screen \
      when it comes.
      """,
    sources: [
      .appStates("What to Do at Launch Time"), .appStates("Concurrency and Secondary Threads"),
    ],
    needs: ["net", "proc", "delegate"],
    profiles: Profile.allCases,
    parameters: [],
    clauses: [
      Clause(
        .warning,
        .never(
          Never(
            .on(
              .netSyncWait,
              while: .all([.phase([.launchingForeground, .launchingBackground]), .isOnMain])),
            per: .event)),
        message: "the main thread waited for the network during the launch")
    ],
    examples: [
      .violates(
        "The launch method asks the server before it shows anything.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   net.sync_wait for 300ms request=1  # here
        +310ms  <delegate.did_finish_launching
        +10ms   delegate.did_become_active for 1ms
        """),
      .violates(
        "A launch into the background waits as well, twice.", reasons: [nil, nil],
        """
        +0s     proc.start into=background reason=fetch
        +10ms   >delegate.did_finish_launching
        +10ms   net.sync_wait for 30ms request=1  # here
        +40ms   net.sync_wait for 30ms request=2  # here
        +40ms   <delegate.did_finish_launching
        """),
      .violates(
        "Between the launch method and the first moment of activity it is still the launch.",
        """
        header os_version=3.2 sdk_linked=3.2
        +0s     proc.start into=foreground reason=user_icon
        +10ms   delegate.did_finish_launching for 100ms
        +110ms  net.sync_wait for 30ms request=1  # here
        +40ms   delegate.did_become_active for 1ms
        """),
      .holds(
        "Another thread may wait.",
        """
        +0s     proc.start into=foreground reason=user_icon
        +10ms   >delegate.did_finish_launching
        +10ms   work.dispatch queue=net work=1
        +10ms @5  net.sync_wait for 300ms request=1
        +10ms   <delegate.did_finish_launching
        +400ms  delegate.did_become_active for 1ms
        """),
      .holds(
        "After the launch other rules apply.",
        """
        \(Step.launch)
        +1s     net.sync_wait for 300ms request=1
        """),
      .holds(
        "In the background after a launch into it, too.",
        """
        \(Step.backgroundLaunch)
        +1s     net.sync_wait for 300ms request=1
        """),
    ])
}
