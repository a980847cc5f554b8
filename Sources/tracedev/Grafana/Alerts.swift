// The alerts: on symptoms, with counts below which nothing can be concluded.

import TraceCatalogue
import TraceExport
import TraceLifecycle
import TraceRules

extension Alert {
  static let all = errors + slowness + ends + checking

  private static let app = "app=\"a\",app_version=\"1\""

  private static func seconds(_ duration: LifeDuration) -> String {
    Panel.number(Dashboard.limit(duration) ?? 0)
  }

  /// The rule that limits a duration.
  private static func rule(_ duration: LifeDuration) -> String {
    Catalogue.limit(of: duration)?.rule.id ?? ""
  }

  /// A rule that finds errors, and one that warns.
  private static let sample = rule(.enterBackground)
  private static let warning = Catalogue.all.first { $0.severity == .warning }?.id ?? ""

  /// What a counter counted in the last hour.
  private static func counted(
    _ family: MetricFamily, _ suffix: String = "", where fixed: String = ""
  ) -> String {
    Query.counted(
      family, suffix, where: fixed, chosen: [], over: "1h", hasBackfill: false)
  }

  private static func errorSeries(of rule: String, _ values: String, device: String = "d")
    -> Alert.Series
  {
    let labels = "rule=\"\(rule)\",severity=\"error\",\(app),device_model=\"\(device)\""
    return ("\(MetricFamily.findings.name){\(labels)}", values)
  }

  private static let errors = [
    Alert(
      name: "TracecheckErrors",
      expression: """
        sum by (rule, app, app_version) (
          \(counted(.findings, where: "severity=\"error\""))
        ) >= 3
        """,
      forMinutes: 5, severity: "critical",
      summary: "{{ $labels.app }} {{ $labels.app_version }} breaks {{ $labels.rule }}",
      description:
        "The captures of the last hour hold at least three errors of this rule: the system ends the app, or data is lost. The runbook explains the rule.",
      firing: [errorSeries(of: sample, "0+1x90")],
      labels: ["rule": sample, "app": "a", "app_version": "1"],
      quiet: [
        errorSeries(of: sample, "0x60 1x30"),
        (
          "\(MetricFamily.findings.name){rule=\"\(warning)\",severity=\"warning\",\(app)}", "0+9x90"
        ),
      ],
      further: [
        // A release brings series that nobody saw at 0.
        (
          "fires for a bad release",
          (0..<10).map { errorSeries(of: sample, "_x60 10x30", device: "\($0)") },
          ["rule": sample, "app": "a", "app_version": "1"]
        ),
        (
          "has a runbook for a rule of one's own", [errorSeries(of: "MY001", "_x60 10x30")],
          ["rule": "MY001", "app": "a", "app_version": "1"]
        ),
        (
          "stays quiet for a release with a single error", [errorSeries(of: sample, "_x60 1x30")],
          nil
        ),
        // A capture was removed, and the next run over the folder finds one error less.
        ("stays quiet when a value falls", [errorSeries(of: sample, "41x60 40x30")], nil),
        (
          "stays quiet when a server begins anew, or isn't there for an hour",
          [
            errorSeries(of: sample, "41x60 0 41x29", device: "restarted"),
            errorSeries(of: sample, "41x20 _x65 41x20", device: "away"),
          ], nil
        ),
      ])
  ]

  /// More than one in twenty takes longer than a limit.
  private static func slow(
    _ name: String, _ family: MetricFamily, limit: String, rule: String, what: String
  ) -> Alert {
    let base = family.name
    let bound = limit.contains(".") ? limit : limit + ".0"
    let all = "sum by (app, app_version) (\(counted(family, "_count")))"
    let quick =
      "sum by (app, app_version) (\(counted(family, "_bucket", where: "le=\"\(bound)\"")))"
    return Alert(
      name: name,
      expression: """
        (
          \(all)
          - \(quick)
        ) / \(all) > 0.05
        and \(all) >= 20
        """,
      forMinutes: 5, severity: "critical",
      summary: "\(what) of {{ $labels.app }} {{ $labels.app_version }} take too long",
      description:
        "More than one in twenty took longer than \(limit) s in the last hour, of at least twenty measured.",
      runbook: rule,
      firing: [
        ("\(base)_bucket{\(app),le=\"\(bound)\"}", "0+8x90"),
        ("\(base)_bucket{\(app),le=\"+Inf\"}", "0+10x90"), ("\(base)_count{\(app)}", "0+10x90"),
      ],
      labels: ["app": "a", "app_version": "1"],
      quiet: [
        // All are slow, and they are too few; or there are many, and few are slow.
        ("\(base)_bucket{\(app),le=\"\(bound)\"}", "0x90"),
        ("\(base)_count{\(app)}", "0x60 1+0.2x29"),
        ("\(base)_bucket{app=\"b\",app_version=\"1\",le=\"\(bound)\"}", "0+97x90"),
        ("\(base)_count{app=\"b\",app_version=\"1\"}", "0+100x90"),
      ],
      further: [
        (
          "fires for a release that is slow from the start",
          [
            ("\(base)_bucket{\(app),le=\"\(bound)\"}", "_x60 20x30"),
            ("\(base)_count{\(app)}", "_x60 30x30"),
          ], ["app": "a", "app_version": "1"]
        )
      ])
  }

  private static let slowness = [
    slow(
      "TracecheckLaunchSlow", .launchDuration, limit: seconds(.launch), rule: rule(.launch),
      what: "Launches"),
    slow(
      "TracecheckBackgroundEntrySlow", .enterBackgroundDuration, limit: seconds(.enterBackground),
      rule: sample, what: "Background entries"),
    slow(
      "TracecheckBackgroundTaskLong", .backgroundTaskDuration,
      // The longest that a system from iOS 7 on grants: series don't tell systems apart.
      limit: seconds(.backgroundTask), rule: rule(.backgroundTask), what: "Background tasks"),
    slow(
      "TracecheckTerminationSlow", .terminateDuration, limit: seconds(.terminate),
      rule: rule(.terminate),
      what: "Terminations"),
  ]

  private static let ends = [
    Alert(
      name: "TracecheckKills",
      expression: """
        sum by (cause) (
          \(counted(.terminations, where: "cause!~\"\(Query.notBySystem)|jetsam\""))
        ) >= 3
        """,
      forMinutes: 5, severity: "critical",
      summary: "The system kills apps: {{ $labels.cause }}",
      description:
        "At least three processes of the last hour were killed for what an app did. 'tracecheck why' tells the story of each; the fleet dashboard shows which rules were broken.",
      runbook: "TracecheckKills",
      firing: [("\(MetricFamily.terminations.name){cause=\"watchdog\"}", "0+1x90")],
      labels: ["cause": "watchdog"],
      quiet: [
        ("\(MetricFamily.terminations.name){cause=\"user_force_quit\"}", "0+9x90"),
        ("\(MetricFamily.terminations.name){cause=\"watchdog\"}", "0x60 1x30"),
        ("\(MetricFamily.terminations.name){cause=\"unrecorded\"}", "_x60 90x30"),
      ],
      further: [
        (
          "fires for the first kills",
          [("\(MetricFamily.terminations.name){cause=\"watchdog\"}", "_x60 5x30")],
          ["cause": "watchdog"]
        )
      ])
  ]

  private static let unreadable = counted(.traces, where: "outcome=\"unreadable\"")

  private static let lastSuccess =
    "max by (job, instance) (last_over_time(\(MetricFamily.lastSuccess.name)[1d]))"

  private static let dead = "job=\"node\",instance=\"a\""

  private static let checking = [
    Alert(
      name: "TracecheckCapturesUnreadable",
      expression: """
        sum(\(unreadable)) >= 5
        and sum(\(unreadable))
          / sum(\(counted(.traces))) > 0.1
        """,
      forMinutes: 5, severity: "warning", summary: "Captures can't be read",
      description:
        "More than one capture in ten of the last hour couldn't be read, at least five. 'tracecheck check' says why for each.",
      runbook: "TracecheckCapturesUnreadable",
      firing: [
        ("\(MetricFamily.traces.name){outcome=\"unreadable\"}", "0+1x90"),
        ("\(MetricFamily.traces.name){outcome=\"clean\"}", "0+4x90"),
      ],
      quiet: [
        ("\(MetricFamily.traces.name){outcome=\"unreadable\"}", "0+1x90"),
        ("\(MetricFamily.traces.name){outcome=\"clean\"}", "0+40x90"),
      ],
      further: [
        (
          "fires for the first ones",
          [("\(MetricFamily.traces.name){outcome=\"unreadable\"}", "_x60 50x30")],
          [:]
        )
      ]),
    Alert(
      name: "TracecheckEventsLost",
      expression: """
        sum(\(counted(.lostEvents)))
          / sum(\(counted(.events))) > 0.01
        and sum(\(counted(.events))) >= 1000
        """,
      forMinutes: 5, severity: "warning", summary: "Recordings lose events",
      description:
        "More than one event in a hundred is missing: rules that need them are undecided. The recorder's buffers are too small, or its disk is full.",
      runbook: "TracecheckEventsLost",
      firing: [
        ("\(MetricFamily.lostEvents.name)", "0+10x90"), ("\(MetricFamily.events.name)", "0+100x90"),
      ],
      quiet: [
        ("\(MetricFamily.lostEvents.name)", "0+1x90"), ("\(MetricFamily.events.name)", "0+200x90"),
      ],
      further: [
        (
          "fires for the first ones",
          [
            ("\(MetricFamily.lostEvents.name)", "_x60 50x30"),
            ("\(MetricFamily.events.name)", "_x60 2000x30"),
          ], [:]
        )
      ]),
    Alert(
      name: "TracecheckStale",
      // A source that is gone counts on for a day, and one that never had a success has no age.
      expression: """
        time() - \(lastSuccess) > 3600
        or (
          max by (job, instance) (last_over_time(\(MetricFamily.lastRun.name)[1d] offset 1h))
          unless \(lastSuccess)
        )
        """,
      forMinutes: 5, severity: "warning",
      summary: "No success of {{ $labels.job }} at {{ $labels.instance }} for an hour",
      description:
        "This source of metrics hasn't looked through its captures for an hour without finding one that it can't read: it is gone, its schedule stands still, or such a capture lies there until somebody takes it away. A server looks all the time, also when no captures arrive; give a schedule that is slower than hourly a longer limit. Look at the log of the run, or at the server's first page, which can list what is unreadable.",
      runbook: "TracecheckStale",
      // The test's clock begins at 0. A source that does well doesn't hide another one.
      firing: [
        ("\(MetricFamily.lastSuccess.name){\(dead)}", "0+60x10 600x80"),
        ("\(MetricFamily.lastSuccess.name){job=\"tracecheck\",instance=\"b\"}", "0+60x90"),
      ],
      labels: ["job": "node", "instance": "a"],
      // A server that looks at an empty folder, and a run every half hour.
      quiet: [
        ("\(MetricFamily.lastSuccess.name){\(dead)}", "0+60x90"),
        (
          "\(MetricFamily.lastSuccess.name){job=\"node\",instance=\"c\"}",
          "0x30 1800x30 3600x30"
        ),
      ],
      further: [
        (
          "fires for a source that is gone",
          [("\(MetricFamily.lastSuccess.name){\(dead)}", "0+60x10 _x80")],
          ["job": "node", "instance": "a"]
        ),
        (
          "fires for a source that never had a success",
          [
            ("\(MetricFamily.lastRun.name){\(dead)}", "0+60x90"),
            ("\(MetricFamily.lastRun.name){job=\"node\",instance=\"new\"}", "_x60 3600+60x29"),
          ], ["job": "node", "instance": "a"]
        ),
      ]),
    Alert(
      name: "TracecheckPathsUnseen",
      expression: "max by (job, instance) (\(MetricFamily.unseenPaths.name)) > 0",
      // Who copies a directory may give the right to read it last.
      forMinutes: 15, severity: "warning",
      summary: "{{ $labels.job }} at {{ $labels.instance }} can't see all of its directory",
      description:
        "A server can't look at a part of the directory that it serves: captures there aren't checked, and those that it knew stay as they were. Its /healthz and its first page say which part and why; let it read that. A mounted volume has such a part, lost+found: serve a directory below it.",
      runbook: "TracecheckPathsUnseen",
      firing: [
        ("\(MetricFamily.unseenPaths.name){\(dead)}", "0x60 1x30"),
        ("\(MetricFamily.unseenPaths.name){job=\"tracecheck\",instance=\"b\"}", "0x90"),
      ],
      labels: ["job": "node", "instance": "a"],
      quiet: [("\(MetricFamily.unseenPaths.name){\(dead)}", "0x80 1x10")]),
    Alert(
      name: "TracecheckMissing",
      expression: "absent(\(MetricFamily.build.name))",
      forMinutes: 5, severity: "warning", summary: "No metrics of tracecheck arrive",
      description:
        "Neither a server nor a textfile brings them: the target is gone, or the file isn't written.",
      runbook: "TracecheckMissing",
      firing: [("up{job=\"node\"}", "1x90")],
      quiet: [("\(MetricFamily.build.name){version=\"1\"}", "1x90")]),
  ]
}
