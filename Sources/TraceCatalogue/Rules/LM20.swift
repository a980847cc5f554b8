// LM20: an imported exit that no finding of the traces explains.

import TraceLifecycle
import TraceModel
import TraceRules

enum LM20 {
  private static let header =
    "header os_version=15.0 sdk_linked=15.0 background_modes=[] app_version=1.4"

  static let rule = Rule(
    id: "LM20",
    slug: "import/unexplained-exit",
    severity: .note,
    summary: "Every exit that the system counted is explained by a finding in the traces.",
    rationale: """
      The system counts how often an app was ended and why, for each version and window of time. \
      A cause that is counted there and seen in no trace happens where nobody recorded.
      """,
    consequence: "A fault that ends the app on users' devices goes unseen.",
    advice: """
      Record more launches of that version, above all in the background, and look at the crash \
      reports of the same days.
      """,
    sources: [.apple("MXAppExitMetric, MXBackgroundExitData")],
    needs: ["exit"],
    profiles: Profile.ios4Plus,
    parameters: [],
    clauses: [
      Clause(
        .note,
        .handWritten(
          .unexplainedExits,
          because: "the findings of other rules in the whole trace decide, whatever their order"),
        message: "")
    ],
    examples: [
      .violates(
        "Exits by the watchdog, and no callback in the trace is slow.",
        """
        \(header)
        \(Step.launch)
        \(Step.toBackground)
        +1s     proc.kill cause=jetsam
        +60s    exit.import category=app_watchdog count=3 window="2020-10-10"  # here
        """),
      .violates(
        "A slow callback explains no exit for a background task; an absent count is one.",
        """
        \(header)
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +6s     <delegate.did_enter_background
        +1s     proc.kill cause=jetsam
        +60s    exit.import category=background_task_assertion_timeout  # here
        """),
      .violates(
        "Each category is told on its own.", reasons: [nil, nil],
        """
        \(header)
        \(Step.launch)
        +1s     proc.kill cause=jetsam
        +60s    exit.import category=cpu_resource_limit count=1  # here
        +1ms    exit.import category=suspended_with_locked_file count=1  # here
        """),
      .violates(
        "The system's own name of the count, in two windows: one finding for the sum.",
        """
        \(header)
        \(Step.launch)
        +1s     proc.kill cause=jetsam
        +60s    exit.import category=cumulativeMemoryPressureExitCount count=2  # here
        +1ms    exit.import category=cumulativeMemoryPressureExitCount count=1
        """),
      .violates(
        "A rule that lacks its evidence in the whole trace leaves nothing open.",
        """
        \(header)
        \(Step.launch)
        +1s     gl.call context=1 kind=draw submit_id=9
        \(Step.toBackground)
        +1ms    proc.kill cause=jetsam
        +60s    exit.import category=gpu_in_background count=1  # here
        """),
      .holds(
        "The trace shows a callback that the watchdog doesn't forgive.",
        """
        \(header)
        \(Step.launch)
        \(Step.resign)
        +10ms   >delegate.did_enter_background
        +6s     proc.kill cause=watchdog
        +60s    exit.import category=app_watchdog count=1 window="2020-10-10"
        """),
      .holds(
        "A task that was never ended explains the system's kill, also where it is told first.",
        """
        \(header)
        +0s     exit.import category=background_task_assertion_timeout count=1
        \(Step.launch)
        +1s     bgtask.begin token=7 has_expiration_handler=true
        \(Step.toBackground)
        +40s    proc.kill cause=bgtask_expired
        """),
      .holds(
        "Ordinary exits and crashes are no business of these rules; none is none.",
        """
        \(header)
        \(Step.launch)
        +1s     proc.kill cause=jetsam
        +60s    exit.import category=normal_app count=9
        +1ms    exit.import category=bad_access count=2
        +1ms    exit.import category=app_watchdog count=0
        """),
      .unknown(
        "A task that may have been left open may explain the exit: the recording stops too early.",
        """
        \(header)
        \(Step.launch)
        +1s     bgtask.begin token=7 has_expiration_handler=true
        \(Step.toBackground)
        +1s     exit.import category=background_task_assertion_timeout count=1
        """),
      .unknown(
        "A recorder that doesn't see background tasks can't explain what they lead to.",
        """
        header os_version=15.0 sdk_linked=15.0 coverage=["exit", "proc", "delegate"]
        \(Step.launch)
        +1s     proc.kill cause=jetsam
        +60s    exit.import category=background_task_assertion_timeout count=1
        """),
    ])
}
