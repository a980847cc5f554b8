// LM06: a scheduled task runs before the time that was asked for.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM06 {
  /// A launch whose start is at second 1,000 of the wall clock.
  private static let launch = """
    header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]
    +0s     trace.start reason=launch continuous_ns=0 uptime_ns=0 wall_ns=1000000000000
    +0s     proc.start into=foreground reason=user_icon
    +50ms   delegate.did_finish_launching for 10ms
    +950ms  delegate.did_become_active for 1ms
    """

  static let rule = Rule(
    id: "LM06",
    slug: "bgsched/run-before-earliest",
    severity: .note,
    summary: "A scheduled task doesn't run before the earliest time that was asked for.",
    rationale: """
      The scheduler promises not to begin a task before its earliestBeginDate. A run before it \
      means that the request was another one than the trace shows, or that a clock is wrong.
      """,
    consequence: """
      The task does its work earlier than planned, or the times in the trace can't be trusted.
      """,
    advice: """
      Look whether another part of the app submits the same identifier, and whether the clock of \
      the device was set.
      """,
    sources: [.apple("BGTaskRequest, earliestBeginDate")],
    needs: ["bgsched"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .note,
        .handWritten(
          .earliestBegin,
          because:
            "the time of the wall clock must be reckoned from the last sample of the clocks"
        ),
        message: "the task {identifier} ran {duration} before the earliest time asked for")
    ],
    examples: [
      .violates(
        "Asked for in an hour, run after a minute.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=4600000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh  # here
        +1s     bgsched.complete identifier=news success=true
        """),
      .violates(
        "A nanosecond too early.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=1062000000001
        +60s    bgsched.run for 10ms identifier=news kind=refresh  # here
        +1s     bgsched.complete identifier=news success=true
        """),
      .violates(
        "The last request for an identifier counts, and the last sample of the clock.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=1000000000000
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=1100000000000
        +1s     trace.clock_sync continuous_ns=4000000000 uptime_ns=4000000000 wall_ns=500000000000
        +300s   bgsched.run for 10ms identifier=news kind=refresh  # here
        +1s     bgsched.complete identifier=news success=true
        """),
      .violates(
        "The clock was set back by an hour, and the task runs as if it hadn't been.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=1060000000000
        +1s     trace.clock_step old_wall_ns=1003000000000 new_wall_ns=500000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh  # here
        +1s     bgsched.complete identifier=news success=true
        """),
      .holds(
        "A request is good for one run.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=1062000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        +1s     trace.clock_step old_wall_ns=1063000000000 new_wall_ns=500000000000
        +1s     bgsched.run for 10ms identifier=news kind=refresh
        +1s     bgsched.complete identifier=news success=true
        """),
      .holds(
        "Exactly at the earliest time.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=1062000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        +1s     bgsched.complete identifier=news success=true
        """),
      .holds(
        "No time was asked for, or that of another task.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh
        +1s     bgsched.submit identifier=clean kind=processing earliest_begin_wall_ns=4600000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        +1s     bgsched.complete identifier=news success=true
        """),
      .holds(
        "A request that was refused asks for nothing.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news earliest_begin_wall_ns=4600000000000 error_code=3
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        +1s     bgsched.complete identifier=news success=true
        """),
      .unknown(
        "Another request may have been lost.",
        """
        \(launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=4600000000000
        +1s     trace.lost count=3
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        """),
      .unknown(
        "The wall clock may have been set among the events that were lost.",
        """
        \(launch)
        +1s     trace.lost count=3
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=4600000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        """),
      .unknown(
        "A clock that stands still in sleep doesn't tell how late it is.",
        """
        header os_version=15.0 sdk_linked=15.0 background_modes=[fetch] clock_kind=uptime
        +0s     trace.start reason=launch continuous_ns=0 uptime_ns=0 wall_ns=1000000000000
        \(Step.launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=4600000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        """),
      .unknown(
        "The trace has no sample of the wall clock.",
        """
        header os_version=15.0 sdk_linked=15.0 background_modes=[fetch,processing]
        \(Step.launch)
        +1s     bgsched.submit identifier=news kind=refresh earliest_begin_wall_ns=4600000000000
        +60s    bgsched.run for 10ms identifier=news kind=refresh
        +1s     bgsched.complete identifier=news success=true
        """),
    ])
}
