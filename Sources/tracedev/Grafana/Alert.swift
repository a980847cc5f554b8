// Alerts on symptoms, each with a series that makes it fire and one that doesn't.

import TraceCatalogue
import TraceExport
import TraceRules

/// An alert, and what it takes to fire.
struct Alert {
  /// Series of a test, one value a minute.
  typealias Series = (series: String, values: String)

  var name: String
  var expression: String
  /// At least two evaluations, in minutes.
  var forMinutes: Int
  /// `critical` for what users notice, `warning` for what nobody would see otherwise.
  var severity: String
  var summary: String
  /// What it means, why it matters, and what to look at, for the runbook.
  var description: String
  /// The runbook's name; nil for that of the rule in the alert's labels, and for a rule of a user's
  /// own, which has none, the alert's.
  var runbook: String?
  /// Makes the alert fire after ``testMinutes``.
  var firing: [Series]
  /// Labels of the alert that fires, beside the severity.
  var labels: [String: String] = [:]
  /// Comes close, and makes it fire not.
  var quiet: [Series]
  /// More series that make it fire, or don't.
  var further: [(what: String, series: [Series], labels: [String: String]?)] = []

  static let testMinutes = 90
  /// Where runbooks are published; the folder's README says how to change it.
  static let runbookBase = "https://example.com/tracecheck/runbooks"

  private var runbookAddress: String {
    let ofRule = "{{ if match `^L[CM][0-9]+$` $labels.rule }}{{ $labels.rule }}"
    return "\(Self.runbookBase)/\(runbook ?? "\(ofRule){{ else }}\(name){{ end }}").md"
  }

  /// The address for an alert with these labels.
  private func runbookAddress(_ labels: [String: String]) -> String {
    let rule = labels["rule"] ?? ""
    let isOurs = Catalogue.all.contains { $0.id == rule }
    return "\(Self.runbookBase)/\(runbook ?? (isOurs ? rule : name)).md"
  }

  /// The alert as Prometheus reads it.
  var yaml: String {
    """
          - alert: \(name)
            expr: |
    \(expression.split(separator: "\n").map { "          \($0)" }.joined(separator: "\n"))
            for: \(forMinutes)m
            labels:
              severity: \(severity)
            annotations:
              summary: "\(summary)"
              description: "\(description)"
              runbook_url: "\(runbookAddress)"

    """
  }

  /// Tests for promtool: at least one in which it fires, and one in which it doesn't.
  var tests: String {
    test("fires", firing, labels) + test("stays quiet", quiet, nil)
      + further.map { test($0.what, $0.series, $0.labels) }.joined()
  }

  /// - Parameter labels: Those of the alert that fires; nil if none does.
  private func test(_ what: String, _ series: [Series], _ labels: [String: String]?) -> String {
    let inputs = series.map { entry in
      "      - series: '\(entry.series)'\n        values: '\(entry.values)'\n"
    }.joined()
    let expected = labels.map(alerts) ?? "        exp_alerts: []\n"
    return """
        - name: \(name) \(what)
          interval: 1m
          input_series:
      \(inputs)    alert_rule_test:
            - eval_time: \(Self.testMinutes)m
              alertname: \(name)
      \(expected)
      """
  }

  private func alerts(_ labels: [String: String]) -> String {
    let lines = labels.sorted { $0.key < $1.key }.map {
      "              \($0.key): \"\($0.value)\"\n"
    }
    return """
              exp_alerts:
                - exp_labels:
                    severity: \(severity)
      \(lines.joined())
                  exp_annotations:
                    summary: "\(filled(summary, labels))"
                    description: "\(filled(description, labels))"
                    runbook_url: "\(runbookAddress(labels))"

      """
  }

  private func filled(_ text: String, _ labels: [String: String]) -> String {
    labels.reduce(text) { text, label in
      text.replacing("{{ $labels.\(label.key) }}", with: label.value)
    }
  }

  /// The summary without a place for labels' values.
  var heading: String {
    ["app", "app_version", "cause", "instance", "job", "rule"].reduce(summary) { text, label in
      text.replacing("{{ $labels.\(label) }}", with: "(the \(label))")
    }
  }
}
