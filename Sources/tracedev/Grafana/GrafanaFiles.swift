// Every generated file of Grafana/, with its text.

import TraceCatalogue
import TraceCheckKit
import TraceExport
import TraceLifecycle
import TraceRules

enum GrafanaFiles {
  /// Path from the top of the repository, and text.
  static var all: [(path: String, text: String)] {
    Dashboard.all.map { ($0.path, $0.node.document) }
      + [
        ("Grafana/prometheus/rules/recording.yml", recordingRules),
        ("Grafana/prometheus/rules/alerts.yml", alertRules),
        ("Grafana/prometheus/tests/alerts.yml", alertTests),
        ("Grafana/prometheus/tests/recording.yml", recordingTests),
      ] + runbooks
  }

  private static let head = "# Made by 'tracedev generate'; a test compares it.\n"

  // MARK: Rules

  /// Quantiles of the durations over an hour, so that graphs of months are quick.
  private static let recorded: [MetricFamily] = [
    .launchDuration, .enterBackgroundDuration, .backgroundTaskDuration, .backgroundRun,
    .suspendLatency, .terminateDuration,
  ]

  private static func recording(_ name: String, _ expression: String) -> String {
    "      - record: \(name)\n        expr: \(expression)\n"
  }

  private static func counted(_ family: MetricFamily, _ suffix: String = "") -> String {
    Query.counted(family, suffix, chosen: [], over: "1h", hasBackfill: false)
  }

  private static var recordingRules: String {
    var text = head + "groups:\n  - name: tracecheck_recording\n    interval: 1m\n    rules:\n"
    text += recording(
      "rule_severity_app:\(MetricFamily.findings.name):increase1h",
      "sum by (rule, severity, app, app_version) (\(counted(.findings)))")
    text += recording(
      "outcome:\(MetricFamily.traces.name):increase1h",
      "sum by (outcome) (\(counted(.traces)))")
    text += recording(
      "cause:\(MetricFamily.terminations.name):increase1h",
      "sum by (cause) (\(counted(.terminations)))")
    for family in recorded {
      text += recording(
        "app_version:\(family.name):p95_1h",
        "histogram_quantile(0.95, sum by (le, app, app_version) (\(counted(family, "_bucket"))))")
    }
    return text
  }

  private static var alertRules: String {
    head + "groups:\n  - name: tracecheck_alerts\n    interval: 1m\n    rules:\n"
      + Alert.all.map(\.yaml).joined()
  }

  private static var alertTests: String {
    head + "rule_files:\n  - ../rules/alerts.yml\nevaluation_interval: 5m\ntests:\n"
      + Alert.all.map(\.tests).joined()
  }

  private static let sample = Catalogue.limit(of: .enterBackground)?.rule.id ?? ""

  /// Sixty a minute are 3,600 an hour, and so are 3,600 that appear at once; all durations below a
  /// bound of 0.1 s give 0.095 s.
  private static var recordingTests: String {
    var inputs = """
            - series: '\(MetricFamily.findings.name){rule="\(sample)",severity="error",app="a",app_version="1"}'
              values: '0+60x120'
            - series: '\(MetricFamily.traces.name){outcome="clean"}'
              values: '_x100 3600x20'
            - series: '\(MetricFamily.terminations.name){cause="jetsam"}'
              values: '0+60x120'

      """
    var expected = ""
    func expect(_ name: String, _ labels: String, _ value: String) {
      expected += """
              - expr: \(name)
                eval_time: 2h
                exp_samples:
                  - labels: '\(name){\(labels)}'
                    value: \(value)

        """
    }
    expect(
      "rule_severity_app:\(MetricFamily.findings.name):increase1h",
      "rule=\"\(sample)\",severity=\"error\",app=\"a\",app_version=\"1\"", "3600")
    expect("outcome:\(MetricFamily.traces.name):increase1h", "outcome=\"clean\"", "3600")
    expect("cause:\(MetricFamily.terminations.name):increase1h", "cause=\"jetsam\"", "3600")
    for family in recorded {
      for bound in ["0.1", "+Inf"] {
        inputs += """
                - series: '\(family.name)_bucket{app="a",app_version="1",le="\(bound)"}'
                  values: '0+60x120'

          """
      }
      expect("app_version:\(family.name):p95_1h", "app=\"a\",app_version=\"1\"", "0.095")
    }
    return head + """
      rule_files:
        - ../rules/recording.yml
      evaluation_interval: 1m
      tests:
        - name: recorded
          interval: 1m
          input_series:
      \(inputs)    promql_expr_test:
      \(expected)
      """
  }

  // MARK: Runbooks

  private static var runbooks: [(path: String, text: String)] {
    let rules = Catalogue.all.sorted { $0.id < $1.id }.map { rule in
      ("Grafana/runbooks/\(rule.id).md", RuleDocument.markdown(of: rule))
    }
    let alerts = Alert.all.filter { ($0.runbook ?? $0.name) == $0.name }.map { alert in
      (
        "Grafana/runbooks/\(alert.name).md",
        """
        # \(alert.name)

        **\(alert.severity)**: \(alert.heading)

        \(alert.description)

        It fires when this holds for \(alert.forMinutes) minutes:

        ```
        \(alert.expression)
        ```

        """
      )
    }
    return rules + alerts
  }
}
