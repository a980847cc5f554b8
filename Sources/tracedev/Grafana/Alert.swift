// Alerts on symptoms, each with a series that makes it fire and one that doesn't.

import TraceExport

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
  /// The runbook's name; nil for that of the rule in the alert's labels.
  var runbook: String?
  /// Makes the alert fire after ``testMinutes``.
  var firing: [Series]
  /// Labels of the alert that fires, beside the severity.
  var labels: [String: String] = [:]
  /// Comes close, and makes it fire not.
  var quiet: [Series]

  static let testMinutes = 90
  /// Where runbooks are published; the folder's README says how to change it.
  static let runbookBase = "https://example.com/tracecheck/runbooks"

  var runbookAddress: String { "\(Self.runbookBase)/\(runbook ?? "{{ $labels.rule }}").md" }

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

  /// Two tests for promtool.
  var tests: String {
    test("fires", firing, isFiring: true) + test("stays quiet", quiet, isFiring: false)
  }

  private func test(_ what: String, _ series: [Series], isFiring: Bool) -> String {
    let inputs = series.map { entry in
      "      - series: '\(entry.series)'\n        values: '\(entry.values)'\n"
    }.joined()
    let expected =
      isFiring
      ? """
              exp_alerts:
                - exp_labels:
                    severity: \(severity)
      \(labels.sorted { $0.key < $1.key }.map { "              \($0.key): \"\($0.value)\"\n" }.joined())
                  exp_annotations:
                    summary: "\(filled(summary))"
                    description: "\(filled(description))"
                    runbook_url: "\(filled(runbookAddress))"

      """ : "        exp_alerts: []\n"
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

  private func filled(_ text: String) -> String {
    labels.reduce(text) { text, label in
      text.replacing("{{ $labels.\(label.key) }}", with: label.value)
    }
  }
}
