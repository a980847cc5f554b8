// The ready-made views: questions that are asked often.

extension QueryView {
  public static let all = [
    launchTimes, backgroundRuns, slowestBackgroundEntries, findingsByVersion, killsExplained,
  ]

  private static let whose = [
    QueryColumn("app", .text, "the app's bundle id"),
    QueryColumn("app_version", .text, "the app's version"),
    QueryColumn("os_version", .text, "the system's version"),
    QueryColumn("device_model", .text, "the device"),
    QueryColumn("trace_id", .text, "the trace's id"),
    QueryColumn("trace", .integer, "the trace's number in this database"),
    QueryColumn("launch", .integer, "the launch's number in the trace"),
  ]

  private static let whoseOfTrace =
    "t.app, t.app_version, t.os_version, t.device_model, t.trace_id, t.trace"

  public static let launchTimes = QueryView(
    "launch_times", "every launch that could be measured",
    whose + [
      QueryColumn("start_ns", .integer, "when the process was started, in ns"),
      QueryColumn("goes_into", .text, "foreground or background"),
      QueryColumn("reason", .text, "why it was started"),
      QueryColumn("launch_ns", .integer, "how long it took, in ns"),
    ],
    """
    SELECT \(whoseOfTrace), l.launch, l.start_ns, l.goes_into, l.reason, l.launch_ns
    FROM launches l JOIN traces t USING (trace) WHERE l.launch_ns IS NOT NULL
    """)

  public static let backgroundRuns = QueryView(
    "background_runs",
    "how long apps ran in the background until they were suspended, came to the foreground or"
      + " ended",
    whose + [
      QueryColumn("end_ns", .integer, "when it was over, in ns"),
      QueryColumn("run_ns", .integer, "how long it ran, in ns of run time"),
      QueryColumn("state_after", .text, "the state that followed; null if the process ended"),
    ],
    """
    SELECT \(whoseOfTrace), d.launch, d.end_ns, d.duration_ns,
      (SELECT s.state FROM states s WHERE s.trace = d.trace AND s.launch = d.launch
        AND s.start_ns = d.end_ns AND s.state <> 'not_running' ORDER BY s.interval LIMIT 1)
    FROM durations d JOIN traces t USING (trace) WHERE d.duration = 'background_run'
    """)

  public static let slowestBackgroundEntries = QueryView(
    "slowest_background_entries", "entries into the background, the slowest first",
    whose + [
      QueryColumn("end_ns", .integer, "when it was over, in ns"),
      QueryColumn("entry_ns", .integer, "how long the callback took, in ns"),
    ],
    """
    SELECT \(whoseOfTrace), d.launch, d.end_ns, d.duration_ns
    FROM durations d JOIN traces t USING (trace) WHERE d.duration = 'enter_background'
    ORDER BY d.duration_ns DESC, t.path, t.trace, d.measure
    """)

  public static let findingsByVersion = QueryView(
    "findings_by_version", "how often each version of an app breaks each rule",
    [
      QueryColumn("app", .text, "the app's bundle id"),
      QueryColumn("app_version", .text, "the app's version"),
      QueryColumn("rule", .text, "the rule"),
      QueryColumn("slug", .text, "the rule's name"),
      QueryColumn("severity", .text, "error, warning or note"),
      QueryColumn("findings", .integer, "how many findings there are"),
      QueryColumn("occurrences", .integer, "how often that happened in all"),
      QueryColumn("traces", .integer, "in how many traces"),
      QueryColumn("traces_of_version", .integer, "how many traces there are of this version"),
    ],
    """
    SELECT t.app, t.app_version, f.rule, f.slug, f.severity, count(*), sum(f.count),
      count(DISTINCT f.trace),
      (SELECT count(*) FROM traces o WHERE o.app IS t.app AND o.app_version IS t.app_version)
    FROM findings f JOIN traces t USING (trace)
    GROUP BY t.app, t.app_version, f.rule, f.slug, f.severity
    """)

  public static let killsExplained = QueryView(
    "kills_explained", "what ended apps against their will, and why",
    whose + [
      QueryColumn("time_ns", .integer, "when, in ns"),
      QueryColumn("wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn("cause", .text, "the cause, see terminations"),
      QueryColumn("count", .integer, "how many ends"),
      QueryColumn("state", .text, "the state that the app was in"),
      QueryColumn("rule", .text, "the rule whose finding explains it"),
      QueryColumn("meaning", .text, "what cause, code and words mean"),
      QueryColumn("explanation", .text, "the paragraph that `why` prints"),
    ],
    """
    SELECT \(whoseOfTrace), k.launch, k.time_ns, k.wall_ns, k.cause, k.count, k.state, k.rule,
      k.meaning, k.explanation
    FROM terminations k JOIN traces t USING (trace)
    WHERE k.cause NOT IN ('exit', 'exit_after_will_terminate', 'unrecorded')
    """)
}
