// Panels of dashboards: what they show, in which unit, and where the limit is.
// This file must not know which dashboards there are.

import TraceExport
import TraceRules

/// A panel before it has a place.
struct Panel {
  struct Target {
    var query: Query
    var legend = ""
    var isInstant = false
    var format = "time_series"
  }

  var type: String
  var title: String
  var description: String
  var unit: String
  var targets: [Target]
  var width = 12
  var height = 8
  /// Values from which a panel is no longer green.
  var steps: [(color: String, value: Double)] = []
  var options: JSONNode
  var custom: JSONNode?
  var mappings: [JSONNode] = []
  var transformations: [JSONNode] = []
  var links: [JSONNode] = []
  var hasThresholdColors = true

  private static let tooltip: JSONNode = ["mode": "multi", "sort": "desc"]
  private static let reduced: JSONNode = ["calcs": ["lastNotNull"], "fields": "", "values": false]

  static func legend(calcs: [JSONNode] = []) -> JSONNode {
    ["calcs": .array(calcs), "displayMode": "list", "placement": "bottom", "showLegend": true]
  }

  /// One number.
  static func stat(
    _ title: String, _ query: Query, unit: String, legend: String = "", _ description: String,
    steps: [(String, Double)] = []
  ) -> Panel {
    Panel(
      type: "stat", title: title, description: description, unit: unit,
      targets: [Target(query: query, legend: legend, isInstant: true)], width: 4, height: 4,
      steps: steps,
      options: [
        "colorMode": "value", "graphMode": "none", "justifyMode": "auto", "orientation": "auto",
        "percentChangeColorMode": "standard", "reduceOptions": reduced, "showPercentChange": false,
        "textMode": "auto", "wideLayout": true,
      ])
  }

  /// Lines over time; a limit is drawn as a dashed line.
  static func lines(
    _ title: String, _ targets: [(Query, String)], unit: String, _ description: String,
    limit: Double? = nil, isStacked: Bool = false
  ) -> Panel {
    Panel(
      type: "timeseries", title: title, description: description, unit: unit,
      targets: targets.map { Target(query: $0.0, legend: $0.1) },
      steps: limit.map { [("red", $0)] } ?? [],
      options: ["legend": legend(), "tooltip": tooltip],
      custom: [
        "drawStyle": isStacked ? "bars" : "line", "fillOpacity": isStacked ? 60 : 10,
        "lineInterpolation": "linear", "lineWidth": isStacked ? 0 : 2, "pointSize": 6,
        "showPoints": "auto", "spanNulls": isStacked ? false : 3_600_000,
        "stacking": ["group": "A", "mode": isStacked ? "normal" : "none"],
        "thresholdsStyle": ["mode": limit == nil ? "off" : "dashed"],
      ], hasThresholdColors: false)
  }

  /// Rows, the largest first.
  static func table(
    _ title: String, _ query: Query, unit: String, _ description: String,
    steps: [(String, Double)] = [], links: [JSONNode] = []
  ) -> Panel {
    var panel = Panel(
      type: "table", title: title, description: description, unit: unit,
      targets: [Target(query: query, isInstant: true, format: "table")], steps: steps,
      options: [
        "cellHeight": "sm", "frameIndex": 0, "showHeader": true,
        "footer": ["countRows": false, "fields": [], "reducer": ["sum"], "show": false],
        "sortBy": [["desc": true, "displayName": "Value"]],
      ],
      custom: [
        "align": "auto", "filterable": true, "inspect": false,
      ])
    panel.transformations = [
      [
        "id": "organize",
        "options": ["excludeByName": ["Time": true], "indexByName": [:], "renameByName": [:]],
      ]
    ]
    panel.links = links
    return panel
  }

  /// How often each bucket of a histogram was hit, over time.
  static func heatmap(_ family: MetricFamily, _ title: String) -> Panel {
    Panel(
      type: "heatmap", title: title, description: family.help, unit: "s",
      targets: [Target(query: .buckets(family), legend: "{{le}}", format: "heatmap")],
      options: [
        "calculate": false, "cellGap": 1,
        "color": [
          "exponent": 0.5, "fill": "dark-orange", "mode": "scheme", "reverse": false,
          "scale": "exponential", "scheme": "Oranges", "steps": 64,
        ],
        "exemplars": ["color": "rgba(255,0,255,0.7)"], "filterValues": ["le": 1e-9],
        "legend": ["show": true], "rowsFrame": ["layout": "auto"], "showValue": "never",
        "tooltip": ["mode": "single", "showColorScale": false, "yHistogram": false],
        "yAxis": ["axisPlacement": "left", "reverse": false, "unit": "s"],
      ],
      custom: [
        "hideFrom": ["legend": false, "tooltip": false, "viz": false],
        "scaleDistribution": ["type": "linear"],
      ])
  }

  /// In which state each app was, as in a timeline.
  static func states(
    _ title: String, _ query: Query, legend: String, _ description: String, mappings: [JSONNode]
  ) -> Panel {
    Panel(
      type: "state-timeline", title: title, description: description, unit: "short",
      targets: [Target(query: query, legend: legend)], width: 24, height: 9,
      options: [
        "alignValue": "left", "legend": Self.legend(), "mergeValues": true, "rowHeight": 0.9,
        "showValue": "never", "tooltip": ["mode": "single", "sort": "none"],
      ],
      custom: ["fillOpacity": 85, "lineWidth": 0],
      mappings: mappings, hasThresholdColors: false)
  }

  /// The panel at its place.
  func node(id: Int, x: Int, y: Int) -> JSONNode {
    var defaults: JSONNode = [
      "color": ["mode": hasThresholdColors ? "thresholds" : "palette-classic"],
      "links": .array(links), "mappings": .array(mappings), "unit": .text(unit),
      "thresholds": [
        "mode": "absolute",
        "steps": .array(
          [["color": "green", "value": nil]]
            + steps.map { ["color": .text($0.color), "value": .number(Self.number($0.value))] }),
      ],
    ]
    if let custom { defaults = defaults.adding(["custom": custom]) }
    var node: JSONNode = [
      "datasource": Dashboard.datasource, "description": .text(description),
      "fieldConfig": ["defaults": defaults, "overrides": []],
      "gridPos": [
        "h": .number("\(height)"), "w": .number("\(width)"), "x": .number("\(x)"),
        "y": .number("\(y)"),
      ],
      "id": .number("\(id)"), "options": options,
      "targets": .array(targets.enumerated().map { place, target in target.node(place) }),
      "title": .text(title), "type": .text(type),
    ]
    if !transformations.isEmpty {
      node = node.adding(["transformations": .array(transformations)])
    }
    return node
  }

  static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}

extension Panel.Target {
  fileprivate func node(_ place: Int) -> JSONNode {
    let letters = ["A", "B", "C", "D", "E", "F"]
    return [
      "datasource": Dashboard.datasource, "editorMode": "code",
      "exemplar": .boolean(!isInstant && query.expression.contains("_bucket")),
      "expr": .text(query.expression), "format": .text(format), "instant": .boolean(isInstant),
      "legendFormat": .text(legend.isEmpty ? "__auto" : legend), "range": .boolean(!isInstant),
      "refId": .text(letters[place]),
    ]
  }
}
