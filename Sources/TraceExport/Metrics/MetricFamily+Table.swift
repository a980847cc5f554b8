// The metrics: the one place where their names, units, help texts and labels are written. Text
// formats, dashboards and the documentation are made from it.

public import TraceLifecycle

extension MetricFamily {
  private static let apps: [MetricLabel] = [.app, .appVersion]

  public static let traces = MetricFamily(
    0, "tracecheck_traces", .counter, labels: [.outcome, .source],
    """
    Traces checked, by outcome: clean, findings, or unreadable; an unreadable capture counts as one.
    """)
  public static let findings = MetricFamily(
    1, "tracecheck_findings", .counter,
    labels: [.rule, .severity, .app, .appVersion, .osVersion, .deviceModel], hasExemplars: true,
    "Findings that count: those that are suppressed don't.")
  public static let events = MetricFamily(
    2, "tracecheck_events", .counter, labels: [.source], "Events read from captures.")
  public static let lostEvents = MetricFamily(
    3, "tracecheck_lost_events", .counter, labels: [.source],
    "Events that are missing, as the recorder says or as gaps in its numbering show.")
  public static let launchDuration = MetricFamily(
    4, "tracecheck_launch_duration_seconds", .histogram, unit: "seconds", labels: apps,
    hasExemplars: true,
    """
    From the start of the process until the app was active; for an interrupted launch and one into \
    the background, until did_finish_launching had returned.
    """)
  public static let enterBackgroundDuration = MetricFamily(
    5, "tracecheck_enter_background_duration_seconds", .histogram, unit: "seconds", labels: apps,
    hasExemplars: true, "From the enter of did_enter_background to its return.")
  public static let backgroundTaskDuration = MetricFamily(
    6, "tracecheck_background_task_duration_seconds", .histogram, unit: "seconds", labels: apps,
    hasExemplars: true,
    """
    How long one of the app's background tasks was open in the background: from its begin or the \
    entry, whichever is later, to its end or the return; time suspended, or with audio or location \
    in service, not counted.
    """)
  public static let backgroundRun = MetricFamily(
    7, "tracecheck_background_run_seconds", .histogram, unit: "seconds", labels: apps,
    hasExemplars: true,
    """
    How long the app ran in the background at a stretch: from the entry, or from a resume, until \
    it was suspended, left the background or ended.
    """)
  public static let suspendLatency = MetricFamily(
    8, "tracecheck_suspend_latency_seconds", .histogram, unit: "seconds", labels: apps,
    hasExemplars: true,
    "From the moment at which the app's last known reason to run was gone to its suspension.")
  public static let terminateDuration = MetricFamily(
    9, "tracecheck_terminate_duration_seconds", .histogram, unit: "seconds", labels: apps,
    hasExemplars: true, "From the enter of will_terminate to its return.")
  public static let stateSeconds = MetricFamily(
    10, "tracecheck_state_seconds", .counter, unit: "seconds", labels: [.app, .state],
    "Time that apps were in each state of the life cycle; time not running isn't counted.")
  public static let terminations = MetricFamily(
    11, "tracecheck_terminations", .counter, labels: [.cause],
    "Ends of processes by cause, in traces and in the system's own counts.")
  public static let appState = MetricFamily(
    12, "tracecheck_app_state", .stateset, labels: [.app, .deviceModel],
    "The state of the life cycle at a moment of the past; only in backfill.")
  public static let checkDuration = MetricFamily(
    13, "tracecheck_check_duration_seconds", .histogram, unit: "seconds",
    "Time taken to check a capture.")
  public static let lastRun = MetricFamily(
    14, "tracecheck_last_run_timestamp_seconds", .gauge, unit: "seconds",
    "When captures were checked last, in seconds since 1970.")
  public static let lastSuccess = MetricFamily(
    15, "tracecheck_last_success_timestamp_seconds", .gauge, unit: "seconds",
    "When captures were checked last without an unreadable one, in seconds since 1970.")
  public static let unseenPaths = MetricFamily(
    16, "tracecheck_unseen_paths", .gauge,
    "Parts of a served directory that its last look couldn't see; only a server counts them.")
  public static let build = MetricFamily(
    17, "tracecheck_build", .info, "The version of tracecheck.")

  public static let remoteSent = MetricFamily(
    18, "tracecheck_remote_write_sent_samples", .counter,
    "Samples that the receiver of remote write has taken; only with --remote-write.")
  public static let remoteRefused = MetricFamily(
    19, "tracecheck_remote_write_refused_samples", .counter,
    "Samples that the receiver of remote write has refused; only with --remote-write.")
  public static let remoteSuperseded = MetricFamily(
    20, "tracecheck_remote_write_superseded_samples", .counter,
    """
    Samples that waited for the receiver of remote write until newer ones of the same series took \
    their places; only with --remote-write.
    """)
  public static let remoteFailures = MetricFamily(
    21, "tracecheck_remote_write_failed_requests", .counter,
    "Requests of remote write that failed and were tried again; only with --remote-write.")
  public static let remotePending = MetricFamily(
    22, "tracecheck_remote_write_pending_samples", .gauge,
    "Samples that wait for the receiver of remote write; only with --remote-write.")

  /// Every metric, in the order in which formats print them.
  public static let all: [MetricFamily] = [
    traces, findings, events, lostEvents, launchDuration, enterBackgroundDuration,
    backgroundTaskDuration, backgroundRun, suspendLatency, terminateDuration, stateSeconds,
    terminations, appState, checkDuration, lastRun, lastSuccess, unseenPaths, build,
    remoteSent, remoteRefused, remoteSuperseded, remoteFailures, remotePending,
  ]

  /// The histogram of a duration.
  public static func of(_ duration: LifeDuration) -> MetricFamily {
    switch duration {
    case .launch: launchDuration
    case .enterBackground: enterBackgroundDuration
    case .backgroundTask: backgroundTaskDuration
    case .backgroundRun: backgroundRun
    case .suspendLatency: suspendLatency
    case .terminate: terminateDuration
    }
  }
}
