// The alerts: on symptoms, with counts below which nothing can be concluded.

import TraceExport
import TraceRules

extension Alert {
  static let all = errors + slowness + ends + checking

  private static let app = "app=\"a\",app_version=\"1\""

  private static func seconds(_ id: String, _ parameter: String = "") -> String {
    Panel.number(Dashboard.limit(id, parameter) ?? 0)
  }

  private static let errors = [
    Alert(
      name: "TracecheckErrors",
      expression: """
        sum by (rule, app, app_version) (
          increase(\(MetricFamily.findings.name){severity="error"}[1h])
        ) >= 3
        """,
      forMinutes: 5, severity: "critical",
      summary: "{{ $labels.app }} {{ $labels.app_version }} breaks {{ $labels.rule }}",
      description:
        "At least three traces of the last hour show an error of this rule: the system ends the app, or data is lost. The runbook explains the rule.",
      firing: [
        ("\(MetricFamily.findings.name){rule=\"LC003\",severity=\"error\",\(app)}", "0+1x90")
      ],
      labels: ["rule": "LC003", "app": "a", "app_version": "1"],
      quiet: [
        ("\(MetricFamily.findings.name){rule=\"LC003\",severity=\"error\",\(app)}", "0x60 1x30"),
        ("\(MetricFamily.findings.name){rule=\"LC101\",severity=\"warning\",\(app)}", "0+9x90"),
      ])
  ]

  /// More than one in twenty takes longer than a limit.
  private static func slow(
    _ name: String, _ family: MetricFamily, limit: String, rule: String, what: String
  ) -> Alert {
    let base = family.name
    let growth = "by (app, app_version) (increase(\(base)"
    let bound = limit.contains(".") ? limit : limit + ".0"
    return Alert(
      name: name,
      expression: """
        (
          sum \(growth)_count[1h]))
          - sum \(growth)_bucket{le="\(bound)"}[1h]))
        ) / sum \(growth)_count[1h])) > 0.05
        and sum \(growth)_count[1h])) >= 20
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
      ])
  }

  private static let slowness = [
    slow(
      "TracecheckLaunchSlow", .launchDuration, limit: seconds("LC301"), rule: "LC301",
      what: "Launches"),
    slow(
      "TracecheckBackgroundEntrySlow", .enterBackgroundDuration, limit: seconds("LC003"),
      rule: "LC003", what: "Background entries"),
    slow(
      "TracecheckBackgroundTaskLong", .backgroundTaskDuration,
      limit: seconds("LC105", "budget_ios13"), rule: "LC105", what: "Background tasks"),
    slow(
      "TracecheckBackgroundRunLong", .backgroundRun, limit: seconds("LC206"), rule: "LC206",
      what: "Stays in the background"),
    slow(
      "TracecheckTerminationSlow", .terminateDuration, limit: seconds("LC306"), rule: "LC306",
      what: "Terminations"),
  ]

  private static let ends = [
    Alert(
      name: "TracecheckKills",
      expression: """
        sum by (cause) (
          increase(\(MetricFamily.terminations.name){cause!~"exit.*|user_force_quit|jetsam|unrecorded|unknown"}[1h])
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
      ])
  ]

  private static let checking = [
    Alert(
      name: "TracecheckCapturesUnreadable",
      expression: """
        sum(increase(\(MetricFamily.traces.name){outcome="unreadable"}[1h])) >= 5
        and sum(increase(\(MetricFamily.traces.name){outcome="unreadable"}[1h]))
          / sum(increase(\(MetricFamily.traces.name)[1h])) > 0.1
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
      ]),
    Alert(
      name: "TracecheckEventsLost",
      expression: """
        sum(increase(\(MetricFamily.lostEvents.name)[1h])) / sum(increase(\(MetricFamily.events.name)[1h])) > 0.01
        and sum(increase(\(MetricFamily.events.name)[1h])) >= 1000
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
      ]),
    Alert(
      name: "TracecheckStale",
      expression: "time() - max(\(MetricFamily.lastSuccess.name)) > 3600",
      forMinutes: 5, severity: "warning", summary: "No check succeeded for an hour",
      description:
        "Captures arrive and nobody checks them, or one can't be read. Look at the log of the run.",
      runbook: "TracecheckStale",
      firing: [("\(MetricFamily.lastSuccess.name)", "0x90")],
      // The test's clock begins at 0.
      quiet: [("\(MetricFamily.lastSuccess.name)", "0+60x90")]),
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
