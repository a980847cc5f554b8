// The five dashboards: what each shows and why.

import TraceCatalogue
import TraceExport
import TraceLifecycle
import TraceRules

extension Dashboard {
  static let all = [fleet, release, device, trace, ci]

  /// The limit of a duration in seconds, so that a line in a graph is where the rule has it.
  static func limit(_ duration: LifeDuration) -> Double? {
    Catalogue.limit(of: duration).map { Double($0.parameter.value) / 1e9 }
  }

  private static let durations: [(family: MetricFamily, title: String, limit: Double?)] = [
    (.launchDuration, "Launch", limit(.launch)),
    (.enterBackgroundDuration, "Background entry", limit(.enterBackground)),
    (.backgroundTaskDuration, "Background tasks", limit(.backgroundTask)),
    // The limit of the rule is for apps without a continuing service; which have one isn't in here.
    (.backgroundRun, "Background runs", nil),
    (.suspendLatency, "Until suspension", limit(.suspendLatency)),
    (.terminateDuration, "Termination", limit(.terminate)),
  ]

  private static func percentiles(
    _ entry: (family: MetricFamily, title: String, limit: Double?), by labels: [MetricLabel]
  ) -> Panel {
    let legend = labels.map { "{{\($0.rawValue)}}" }.joined(separator: " ")
    let targets: [(Query, String)] =
      labels.isEmpty
      ? [(.quantile("0.5", entry.family), "half"), (.quantile("0.95", entry.family), "95 %")]
      : [(.quantile("0.95", entry.family, by: labels), legend)]
    let share = labels.isEmpty ? "median and 95th percentile" : "95th percentile"
    return .lines(
      "\(entry.title), \(share)", targets, unit: "s", entry.family.help, limit: entry.limit)
  }

  private static let errorSteps = [("red", 1.0)]

  /// How all apps do: what breaks, how often, and what the system ends.
  static let fleet = Dashboard(
    name: "fleet", title: "Fleet", description: "All apps: findings, ends, durations and states.",
    variables: Query.chosen,
    panels: [
      .stat("Traces", .total(.traces).orZero, unit: "short", MetricFamily.traces.help),
      .stat(
        "Clean traces",
        Query("(\(Query.total(.traces, where: "outcome=\"clean\"").orZero.expression))")
          / .total(.traces),
        unit: "percentunit", "The share of traces without any finding."),
      .stat(
        "Errors", .total(.findings, where: "severity=\"error\"").orZero, unit: "short",
        "Findings for which the system ends the app, or data is lost.", steps: errorSteps),
      .stat(
        "Warnings", .total(.findings, where: "severity=\"warning\"").orZero, unit: "short",
        "Findings that break a documented must or should.", steps: [("orange", 1)]),
      .stat(
        "Ends by the system",
        .total(.terminations, where: "cause!~\"\(Query.notBySystem)\"").orZero, unit: "short",
        "Processes that the system killed, and says why: for what they did, or for memory.",
        steps: [("orange", 1)]),
      .stat(
        "Lost events", .total(.lostEvents).orZero, unit: "short", MetricFamily.lostEvents.help,
        steps: [("orange", 1)]),
      .lines(
        "Findings by rule", [(.growth(.findings, by: [.rule]), "{{rule}}")], unit: "short",
        MetricFamily.findings.help, isStacked: true),
      .table(
        "Rules broken most",
        Query("topk(20, \(Query.total(.findings, by: [.rule, .severity, .app]).expression))"),
        unit: "short", "The rules with most findings in the time shown; a row leads to its app.",
        links: [
          link("Releases of this app", to: "release", setting: .app)
        ]),
      .lines(
        "Ends by cause", [(.growth(.terminations, by: [.cause]), "{{cause}}")], unit: "short",
        MetricFamily.terminations.help, isStacked: true),
      .lines(
        "Time in states", [(.growth(.stateSeconds, by: [.state]), "{{state}}")], unit: "s",
        MetricFamily.stateSeconds.help, isStacked: true),
      percentiles(durations[0], by: []), percentiles(durations[1], by: []),
      .heatmap(.launchDuration, "Launches"),
      .heatmap(.backgroundTaskDuration, "Background tasks"),
    ])

  /// Whether a version is better or worse than the ones before.
  static let release = Dashboard(
    name: "release", title: "Release",
    description: "Versions of an app beside each other: findings per launch, and durations.",
    variables: Query.chosen,
    panels: [
      .table(
        "Findings per launch",
        .total(.findings, by: [.app, .appVersion])
          / .durations(.launchDuration, by: [.app, .appVersion]),
        unit: "short", "Findings divided by measured launches, for each version.",
        steps: [("orange", 0.1), ("red", 1)],
        links: [
          link("Devices", to: "device", setting: .appVersion)
        ]),
      .table(
        "Launches measured", .durations(.launchDuration, by: [.app, .appVersion]), unit: "short",
        "How many launches the numbers of a version rest on: few say little."),
      .lines(
        "Errors by version",
        [
          (
            .growth(.findings, by: [.appVersion, .rule], where: "severity=\"error\""),
            "{{app_version}} {{rule}}"
          )
        ],
        unit: "short", "Findings for which the system ends the app, or data is lost.",
        isStacked: true),
    ] + durations.map { percentiles($0, by: [.app, .appVersion]) })

  /// Whether a fault belongs to a device or a system.
  static let device = Dashboard(
    name: "device", title: "Device", description: "Findings by device model and system version.",
    variables: Query.chosen,
    panels: [
      .lines(
        "Findings by device", [(.growth(.findings, by: [.deviceModel]), "{{device_model}}")],
        unit: "short", MetricFamily.findings.help, isStacked: true),
      .lines(
        "Findings by system", [(.growth(.findings, by: [.osVersion]), "{{os_version}}")],
        unit: "short", MetricFamily.findings.help, isStacked: true),
      .table(
        "Devices, systems and rules",
        .total(.findings, by: [.deviceModel, .osVersion, .rule]), unit: "short",
        "Where each rule is broken; a row leads to the traces of its device.",
        links: [
          link("Traces", to: "trace", setting: .deviceModel)
        ]),
      .table(
        "Errors by device", .total(.findings, by: [.deviceModel], where: "severity=\"error\""),
        unit: "short", "Findings for which the system ends the app, or data is lost.",
        steps: errorSteps),
    ])

  /// What happened to an app, moment by moment; needs backfill.
  static let trace = Dashboard(
    name: "trace", title: "Trace",
    description:
      "Single lives: states over time from backfilled traces, and durations with links to traces.",
    variables: Query.chosen,
    panels: [
      .states(
        "States",
        Query(
          "max by (app, device_model) ((\(Query.series(.appState)) == 1)"
            + " * on (tracecheck_app_state) group_left () (\(stateNumbers)))", .backfillOnly),
        legend: "{{app}} {{device_model}}",
        MetricFamily.appState.help, mappings: stateMappings),
      .lines(
        "Findings", [(.growth(.findings, by: [.rule, .app]), "{{app}} {{rule}}")], unit: "short",
        MetricFamily.findings.help, isStacked: true),
      .lines(
        "Share of time in states",
        [
          (
            Query(
              "\(Query.growth(.stateSeconds, by: [.state]).expression)"
                + " / scalar(\(Query.growth(.stateSeconds).expression))"),
            "{{state}}"
          )
        ], unit: "percentunit", MetricFamily.stateSeconds.help, isStacked: true),
    ] + durations.map { .heatmap($0.family, $0.title) })

  /// Whether the checking itself works.
  static let ci = Dashboard(
    name: "ci", title: "Checking",
    description: "The runs of tracecheck: captures, unreadable ones, time taken, last success.",
    variables: [],
    panels: [
      .stat(
        "Since the last success", .age(.lastSuccess), unit: "s", legend: "{{job}} {{instance}}",
        MetricFamily.lastSuccess.help, steps: [("orange", 7_200), ("red", 86_400)]),
      .stat(
        "Since the last run", .age(.lastRun), unit: "s", legend: "{{job}} {{instance}}",
        MetricFamily.lastRun.help, steps: [("orange", 7_200), ("red", 86_400)]),
      .stat(
        "Unreadable captures",
        .total(.traces, where: "outcome=\"unreadable\"").orZero,
        unit: "short", "Captures of which nothing could be read.", steps: errorSteps),
      .stat("Events read", .total(.events).orZero, unit: "short", MetricFamily.events.help),
      .stat("Lost events", .total(.lostEvents).orZero, unit: "short", MetricFamily.lostEvents.help),
      .table(
        "Version", Query("sum by (version) (\(Query.series(.build)))", .scrapeOnly), unit: "short",
        MetricFamily.build.help),
      .lines(
        "Traces by outcome", [(.growth(.traces, by: [.outcome]), "{{outcome}}")], unit: "short",
        MetricFamily.traces.help, isStacked: true),
      .lines(
        "Traces by source", [(.growth(.traces, by: [.source]), "{{source}}")], unit: "short",
        "Traces checked, by the format of their capture.", isStacked: true),
      .lines(
        "Events by source", [(.growth(.events, by: [.source]), "{{source}}")], unit: "short",
        MetricFamily.events.help, isStacked: true),
      .lines(
        "Findings by severity",
        [(.growth(.findings, by: [.severity], chosen: []), "{{severity}}")],
        unit: "short", MetricFamily.findings.help, isStacked: true),
      .lines(
        "Time to check a capture",
        [
          (.quantile("0.5", .checkDuration), "half"), (.quantile("0.95", .checkDuration), "95 %"),
        ], unit: "s", MetricFamily.checkDuration.help),
      .heatmap(.checkDuration, "Checks"),
    ])

  // MARK: States

  /// A state's number in the state timeline, which colours values.
  private static let stateNumbers = LifecycleState.allCases.map { state in
    "label_replace(vector(\(state.rawValue)), \"tracecheck_app_state\", \"\(state.word)\", \"\", \"\")"
  }.joined(separator: " or ")

  private static let stateMappings: [JSONNode] = [
    [
      "type": "value",
      "options": .object(
        Dictionary(
          uniqueKeysWithValues: LifecycleState.allCases.map { state in
            (
              "\(state.rawValue)",
              [
                "color": .text("#\(TimelineColors.color(of: state))"),
                "index": .number("\(state.rawValue)"), "text": .text(state.word),
              ] as JSONNode
            )
          })),
    ]
  ]
}
