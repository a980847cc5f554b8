// LC207: the app keeps the processor busy in the background.

import TraceLifecycle
import TraceModel
import TraceRules

enum LC207 {
  private static func clause(
    _ reason: String, _ needs: [String], _ message: MessageTemplate
  ) -> Clause {
    Clause(
      reason: reason, .warning, needs: needs,
      .handWritten(
        .backgroundProcessorTime,
        because: "samples of several threads are added up over a window of run time that slides"),
      message: message)
  }

  /// The system ends apps for this limit in the background only, whatever single samples say.
  private static let killed: Clause = {
    var clause = Clause.kill(
      .warning, "cpu-limit",
      where: .all([
        .isText(.cause, ["cpu_limit"]),
        .any([
          .isText(.visibility, ["background"]),
          .matches(.description, "*exceeding limit of 80% cpu over 60 seconds*"),
        ]),
      ]),
      message: "the system killed the app: it exceeded a processor limit{weighing}")
    clause.reason = "killed"
    return clause
  }()

  private static let reported: [RuleExample] = [
    .violates(
      "A report of a kill in the background.", reasons: ["killed"],
      """
      \(Report.of("11.4"))
      +0s     proc.kill cause=cpu_limit visibility=background elapsed_s=54 app_cpu_s=48  # here
      """),
    .violates(
      "The limit that ends apps in the background only.", reasons: ["killed"],
      """
      \(Report.of("11.4"))
      +0s     proc.kill cause=cpu_limit visibility=foreground description="48 seconds cpu time \
      over 54 seconds, exceeding limit of 80% cpu over 60 seconds"  # here
      """),
    .holds(
      "In the foreground, or nobody knows where; and other kills.",
      """
      \(Report.of("11.4"))
      +0s     proc.kill cause=cpu_limit visibility=foreground
      +0s     trace.start reason=attach
      +0s     proc.kill cause=cpu_limit
      +0s     trace.start reason=attach
      +0s     proc.kill cause=jetsam visibility=background
      +0s     trace.start reason=attach
      +0s     proc.kill cause=cpu_limit description="exceeding limit of 50% cpu over 180 seconds"
      """),
  ]

  static let rule = Rule(
    id: "LC207",
    slug: "suspension/heavy-cpu-in-background",
    severity: .warning,
    summary: "The app does little while it runs in the background.",
    rationale: """
      Who runs in the background shares the processor with the app that the user is looking at, \
      and the battery with the whole day. A service that keeps a core busy for a minute does more \
      than serving.
      """,
    consequence: "The system slows the app down or ends it.",
    advice: """
      Do heavy computing in the foreground or in a scheduled processing task, and handle what \
      arrives in the background in small pieces.
      """,
    sources: [.appStates("Being a Responsible Background App")],
    needs: ["delegate"],
    profiles: Profile.ios4Plus,
    parameters: [
      RuleParameter("share", .percent, 80, .toolDefault),
      RuleParameter("window", .nanoseconds, 60_000_000_000, .toolDefault),
    ],
    clauses: [
      clause(
        "sustained", ["proc"],
        "the app used {duration} of processor time in {limit} of run time in the background"),
      clause("throttled", ["sys"], "the system throttled the app in the background, {since}"),
      killed,
    ],
    explains: ["cpu-limit", "thermal"],
    examples: violating + reported + holding + undecided)

  private static func locating(_ lines: String) -> String {
    """
    header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
    \(Step.launch)
    +1s     loc.start service=standard
    \(Step.toBackground)
    \(lines)
    +1s     loc.stop service=standard
    +1s     proc.suspend inferred=false
    """
  }

  private static let violating: [RuleExample] = [
    .violates(
      "A service that locates uses 95 % of a core for a minute.", reasons: ["sustained"],
      locating("+60s    proc.cpu cpu_ns=57000000000 window_ns=60000000000  # here")),
    .violates(
      "One nanosecond more than 80 %.", reasons: ["sustained"],
      locating("+60s    proc.cpu cpu_ns=48000000001 window_ns=60000000000  # here")),
    .violates(
      "Two threads count together.", reasons: ["sustained"],
      locating(
        """
        +60s    proc.cpu thread=1 cpu_ns=30000000000 window_ns=60000000000
        +0s     proc.cpu thread=3 cpu_ns=30000000000 window_ns=60000000000  # here
        """)),
    .violates(
      "Samples of half a minute each.", reasons: ["sustained"],
      locating(
        """
        +30s    proc.cpu cpu_ns=30000000000 window_ns=30000000000
        +30s    proc.cpu cpu_ns=20000000000 window_ns=30000000000  # here
        """)),
    .violates(
      "The window slides: an idle half minute, then a busy minute, each sample ten seconds long.",
      reasons: ["sustained"],
      locating(
        """
        +30s    proc.cpu cpu_ns=0 window_ns=30000000000
        +10s    proc.cpu cpu_ns=9000000000 window_ns=10000000000
        +10s    proc.cpu cpu_ns=9000000000 window_ns=10000000000
        +10s    proc.cpu cpu_ns=9000000000 window_ns=10000000000
        +10s    proc.cpu cpu_ns=9000000000 window_ns=10000000000
        +10s    proc.cpu cpu_ns=9000000000 window_ns=10000000000
        +5s     proc.cpu cpu_ns=4500000000 window_ns=5000000000  # here
        """)),
    .violates(
      "A suspension is no run time, and each stay in the background is judged.",
      reasons: ["sustained", "sustained"],
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +30s    proc.cpu cpu_ns=29000000000 window_ns=30000000000
      +0s     proc.suspend inferred=false
      +600s   proc.resume inferred=false reason=location
      +30s    proc.cpu cpu_ns=29000000000 window_ns=30000000000  # here
      +60s    proc.cpu cpu_ns=59000000000 window_ns=60000000000
      \(Step.toForeground)
      \(Step.toBackground)
      +60s    proc.cpu cpu_ns=59000000000 window_ns=60000000000  # here
      +1s     proc.suspend inferred=false
      """),
    .violates(
      "The system itself says so; once for a launch.", reasons: ["throttled"],
      locating(
        """
        +10s    sys.throttle kind=cpu  # here
        +10s    sys.throttle kind=cpu
        """)),
    .violates(
      "Waking up too often is a reason to be throttled as well.", reasons: ["throttled"],
      locating("+10s    sys.throttle kind=wake_rate  # here")),
  ]

  private static let holding: [RuleExample] = [
    .holds(
      "A sample that begins before the entry holds work of the foreground.",
      locating("+59s    proc.cpu cpu_ns=60000000000 window_ns=60000000000")),
    .holds(
      "Samples of the process and of its threads tell of the same time.",
      locating(
        """
        +60s    proc.cpu cpu_ns=40000000000 window_ns=60000000000
        +0s     proc.cpu thread=1 cpu_ns=40000000000 window_ns=60000000000
        """)),
    .holds(
      "Two stays in the background, or what lies before a gap, make no full minute together.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] refresh_status=available
      \(Step.launch)
      +1s     loc.start service=standard
      \(Step.toBackground)
      +50s    proc.cpu cpu_ns=50000000000 window_ns=50000000000
      \(Step.toForeground)
      \(Step.toBackground)
      +50s    proc.cpu cpu_ns=50000000000 window_ns=50000000000
      +1s     trace.lost count=3
      +1s     delegate.did_enter_background for 1ms
      +50s    proc.cpu cpu_ns=50000000000 window_ns=49000000000
      +1s     proc.suspend inferred=false
      """),
    .holds(
      "Ten busy seconds, then idle.",
      locating(
        """
        +10s    proc.cpu cpu_ns=9500000000 window_ns=10000000000
        +50s    proc.cpu cpu_ns=100000000 window_ns=50000000000
        """)),
    .holds(
      "Exactly 80 %.",
      locating("+60s    proc.cpu cpu_ns=48000000000 window_ns=60000000000")),
    .holds(
      "Less than a full minute says nothing yet.",
      locating("+59s    proc.cpu cpu_ns=59000000000 window_ns=59000000000")),
    .holds(
      "Samples of a recorder that doesn't claim to know are not believed.",
      """
      header os_version=8.0 sdk_linked=8.0 background_modes=[location] coverage=["delegate", "sys"]
      \(Step.launch)
      \(Step.toBackground)
      +60s    proc.cpu cpu_ns=57000000000 window_ns=60000000000
      """),
    .holds(
      "In the foreground the processor is the app's.",
      """
      \(Step.launch)
      +60s    proc.cpu cpu_ns=59000000000 window_ns=60000000000
      +1s     sys.throttle kind=cpu
      \(Step.toSuspended)
      """),
  ]

  private static let undecided: [RuleExample] = [
    .unknown(
      "Nobody knows whether the app was in the background when it was throttled.",
      """
      +0s     trace.start reason=attach
      +1s     sys.throttle kind=cpu
      +1s     sys.throttle kind=cpu
      """)
  ]
}
