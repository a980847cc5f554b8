// The frame of every dashboard: variables, links to the others, marks of releases, and rows of
// panels.

import TraceExport

/// A dashboard with its panels.
struct Dashboard {
  var name: String
  var title: String
  var description: String
  var variables: [MetricLabel]
  var panels: [Panel]

  static let datasource: JSONNode = ["type": "prometheus", "uid": "${datasource}"]
  private static let widthMax = 24

  var path: String { "Grafana/dashboards/\(name).json" }

  var node: JSONNode {
    [
      "annotations": ["list": .array([Self.releases])],
      "description": .text(description), "editable": false, "fiscalYearStartMonth": 0,
      "graphTooltip": 1, "links": .array(links), "panels": .array(placed), "refresh": "1m",
      "schemaVersion": 41, "tags": ["tracecheck"],
      "templating": ["list": .array([Self.datasourceVariable] + variables.map(variable))],
      "time": ["from": "now-7d", "to": "now"], "timepicker": [:], "timezone": "browser",
      "title": .text("tracecheck / \(title)"), "uid": .text("tracecheck-\(name)"), "version": 1,
      "weekStart": "",
    ]
  }

  /// Panels from left to right, in rows as high as their first.
  private var placed: [JSONNode] {
    var nodes: [JSONNode] = []
    var x = 0
    var y = 0
    var rowHeight = 0
    for (place, panel) in panels.enumerated() {
      if x + panel.width > Self.widthMax {
        x = 0
        y += rowHeight
        rowHeight = 0
      }
      nodes.append(panel.node(id: place + 1, x: x, y: y))
      x += panel.width
      rowHeight = max(rowHeight, panel.height)
    }
    return nodes
  }

  // MARK: Variables

  private static let datasourceVariable: JSONNode = [
    "current": ["text": "Prometheus", "value": "prometheus"], "hide": 0, "includeAll": false,
    "label": "Data source", "multi": false, "name": "datasource", "options": [],
    "query": "prometheus", "refresh": 1, "regex": "", "skipUrlSync": false, "type": "datasource",
  ]

  /// Each variable offers what the ones before it leave.
  private func variable(_ label: MetricLabel) -> JSONNode {
    let before = Query.chosen.prefix { $0 != label }.filter(variables.contains)
    let family =
      switch label {
      case .app: MetricFamily.stateSeconds
      case .appVersion: MetricFamily.launchDuration
      default: MetricFamily.findings
      }
    let series = Query.series(
      family, family.kind == .histogram ? "_count" : "", chosen: Array(before))
    let query = "label_values(\(series), \(label.rawValue))"
    let titles: [MetricLabel: String] = [
      .app: "App", .appVersion: "Version", .osVersion: "System", .deviceModel: "Device",
    ]
    return [
      "allValue": ".+", "current": ["text": ["All"], "value": ["$__all"]],
      "datasource": Self.datasource, "hide": 0, "includeAll": true,
      "label": .text(titles[label] ?? label.rawValue), "multi": true,
      "name": .text(label.rawValue), "options": [],
      "query": .text(query), "refresh": 2, "regex": "", "skipUrlSync": false, "sort": 1,
      "type": "query",
    ]
  }

  // MARK: Links

  private var links: [JSONNode] {
    [
      [
        "asDropdown": false, "icon": "dashboard", "includeVars": true, "keepTime": true,
        "tags": ["tracecheck"], "targetBlank": false, "title": "", "tooltip": "",
        "type": "dashboards", "url": "",
      ]
    ]
  }

  /// A link of a row to another dashboard, with the time, with what was chosen, and with the row's
  /// value of one label.
  static func link(_ title: String, to name: String, setting label: MetricLabel) -> JSONNode {
    let kept = Query.chosen.filter { $0 != label }.map { "${\($0.rawValue):queryparam}" }
    let all =
      ["${__url_time_range}", "${datasource:queryparam}"] + kept
      + ["var-\(label.rawValue)=${__data.fields.\(label.rawValue):percentencode}"]
    return [
      "asDropdown": false, "icon": "external link", "includeVars": false, "keepTime": false,
      "tags": [], "targetBlank": false, "title": .text(title), "tooltip": "", "type": "link",
      "url": .text("/d/tracecheck-\(name)?\(all.joined(separator: "&"))"),
    ]
  }

  /// A mark where a version of an app is seen for the first time in three months. Backfilled series
  /// have samples around their changes only: a version that is between two changes isn't new.
  private static let releases: JSONNode = {
    let series = Query.series(.launchDuration, "_count", chosen: [])
    func seen(_ span: String) -> String {
      "count by (app, app_version) (last_over_time(\(series)[\(span)]))"
    }
    return [
      "datasource": datasource, "enable": true,
      "expr": .text("\(seen("2h")) unless last_over_time((\(seen("10m")))[90d:10m] offset 1h)"),
      "hide": false, "iconColor": "purple",
      "name": "Releases", "step": "5m", "tagKeys": "app", "textFormat": "{{app}} {{app_version}}",
      "titleFormat": "First seen",
    ]
  }()
}
