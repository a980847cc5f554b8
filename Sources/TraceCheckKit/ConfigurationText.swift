// The list that `config --show` prints: one row for each setting.

import TraceConfiguration
import TraceExport
import TraceImport
import TraceLifecycle
import TraceRules

/// The settings as a table for people.
struct ConfigurationText {
  private struct Row {
    var name: String
    var value: String
    /// What it would be otherwise.
    var remark = ""
    var origin: SettingOrigin
  }

  private let effective: EffectiveConfiguration
  private let app: String?
  private let applied: AppliedSettings
  private let showsAll: Bool

  /// Rows that say the same of more rules than this are one.
  private static let equalRowsMax = 8

  /// - Parameter app: The app whose settings are shown; nil for what holds for all.
  init(_ effective: EffectiveConfiguration, app: String?, showsAll: Bool) {
    self.effective = effective
    self.app = app
    self.showsAll = showsAll
    applied = effective.settings(app: app)
  }

  var text: String {
    var rows = generalRows + rows(of: effective.rules, applied)
    if !showsAll { rows.removeAll { $0.origin == .standard } }
    var text = "\(effective.configuration.file ?? "no configuration file")\n"
    text += Self.table(rows) + Self.table(suppressionRows(applied.suppressions))
    if app == nil {
      for section in effective.configuration.apps { text += self.text(of: section) }
    }
    return text + summary
  }

  private var generalRows: [Row] {
    let failOn = effective.failOn
    let profile = applied.profile
    let isStandard = profile.origin == .standard
    return [
      Row(
        name: "fail_on", value: failOn.value.rawValue,
        remark: failOn.origin == .standard ? "" : "default error", origin: failOn.origin),
      Row(
        name: "profile", value: profile.value?.rawValue ?? "that of the trace",
        remark: isStandard ? "" : "default: that of the trace", origin: profile.origin),
      Row(
        name: "watchdog", value: applied.watchdog.value.rawValue,
        remark: applied.watchdog.origin == .standard ? "" : "default documented",
        origin: applied.watchdog.origin),
    ]
      + effective.configuration.ruleFiles.map {
        Row(name: "rule file", value: Self.printable($0.value), origin: $0.origin)
      } + patternRows
  }

  /// The patterns for log lines that are for every app, or for the one that is shown.
  private var patternRows: [Row] {
    let sections = effective.configuration.apps.filter { section in
      app.map(section.applies) ?? false
    }
    return Self.rows(of: sections.reversed().flatMap(\.capturePatterns))
      + Self.rows(of: effective.configuration.capturePatterns)
  }

  private static func rows(of patterns: [Setting<CapturePattern>]) -> [Row] {
    patterns.map { pattern in
      Row(
        name: "pattern \(printable(pattern.value.message.text))", value: pattern.value.eventText,
        remark: pattern.value.process.map { "process \(printable($0.text))" } ?? "",
        origin: pattern.origin)
    }
  }

  private func rows(of rules: [Rule], _ applied: AppliedSettings) -> [Row] {
    var rows: [Row] = []
    for (setting, group) in switches(applied) {
      if group.count > Self.equalRowsMax, !showsAll {
        let shown = group.prefix(3).map(\.id).joined(separator: ", ")
        rows.append(
          Row(
            name: "\(group.count) rules", value: setting.value ? "on" : "off",
            remark: "\(shown), …", origin: setting.origin))
        continue
      }
      for rule in group {
        rows.append(
          Row(
            name: rule.id, value: setting.value ? "on" : "off",
            remark: setting.origin == .standard ? rule.slug : "default on",
            origin: setting.origin))
      }
    }
    for rule in rules {
      let severity = applied.severity(rule)
      rows.append(
        Row(
          name: "\(rule.id) severity", value: severity.value.rawValue,
          remark: severity.origin == .standard ? "" : "default \(rule.severity.rawValue)",
          origin: severity.origin))
      for parameter in rule.parameters {
        let value = applied.value(of: parameter, in: rule)
        let standard = LimitText.text(parameter.value, parameter.unit)
        rows.append(
          Row(
            name: "\(rule.id).\(parameter.name)",
            value: LimitText.text(value.value, parameter.unit),
            remark: value.origin == .standard
              ? parameter.basis.rawValue : "default \(standard), \(parameter.basis.rawValue)",
            origin: value.origin))
      }
    }
    let order = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, $0) })
    return rows.enumerated().sorted { a, b in
      (rank(a.element, order), a.offset) < (rank(b.element, order), b.offset)
    }.map(\.element)
  }

  /// Rows of many rules stand first, then those of each rule together.
  private func rank(_ row: Row, _ order: [String: Int]) -> Int {
    let id = row.name.prefix { $0 != " " }
    return order[String(id)] ?? order[String(id.prefix { $0 != "." })] ?? -1
  }

  /// The rules that are on or off for the same reason.
  private func switches(_ applied: AppliedSettings) -> [(Setting<Bool>, [Rule])] {
    var groups: [(setting: Setting<Bool>, rules: [Rule])] = []
    var places: [Setting<Bool>: Int] = [:]
    for rule in effective.rules {
      let setting = applied.isOn(rule)
      if let place = places[setting] {
        groups[place].rules.append(rule)
      } else {
        places[setting] = groups.count
        groups.append((setting, [rule]))
      }
    }
    return groups
  }

  private func suppressionRows(_ suppressions: [Suppression]) -> [Row] {
    suppressions.map { suppression in
      var state = "applies"
      if let expires = suppression.expires {
        let isExpired = suppression.isExpired(today: effective.today)
        state = isExpired ? "expired on \(expires)" : "until \(expires)"
      }
      return Row(
        name: "suppressed \(Self.printable(suppression.scope))", value: state,
        remark: Self.printable(suppression.reason), origin: suppression.origin)
    }
  }

  /// What a section says, whether or not the command line says otherwise.
  private func text(of section: AppSettings) -> String {
    let settings = section.settings
    var rows: [Row] = []
    if let profile = settings.profile {
      rows.append(Row(name: "profile", value: profile.value.rawValue, origin: profile.origin))
    }
    for rule in effective.rules {
      if let isOn = settings.isOn[rule.id] {
        rows.append(Row(name: rule.id, value: isOn.value ? "on" : "off", origin: isOn.origin))
      }
      if let severity = settings.severities[rule.id] {
        rows.append(
          Row(
            name: "\(rule.id) severity", value: severity.value.rawValue,
            remark: "else \(applied.severity(rule).value.rawValue)", origin: severity.origin))
      }
      for parameter in rule.parameters {
        let name = "\(rule.id).\(parameter.name)"
        guard let value = settings.thresholds[name] else { continue }
        let general = applied.value(of: parameter, in: rule).value
        rows.append(
          Row(
            name: name, value: LimitText.text(value.value, parameter.unit),
            remark: "else \(LimitText.text(general, parameter.unit))", origin: value.origin))
      }
    }
    rows += Self.rows(of: section.capturePatterns)
    return "app \(Self.printable(section.pattern))\n" + Self.table(rows)
      + Self.table(suppressionRows(settings.suppressions))
  }

  private var summary: String {
    let set = effective.rules.count { rule in
      applied.isOn(rule).origin != .standard || applied.severity(rule).origin != .standard
        || rule.parameters.contains { applied.value(of: $0, in: rule).origin != .standard }
    }
    let off = effective.rules.count { !applied.isOn($0).value }
    var text = "\(set) of \(effective.rules.count) rules are set"
    if off > 0 { text += ", \(off) of them off" }
    let suppressions = app == nil ? effective.configuration.suppressions : applied.suppressions
    if !suppressions.isEmpty {
      let expired = suppressions.count { $0.isExpired(today: effective.today) }
      text += "; \(suppressions.count) suppression\(suppressions.count == 1 ? "" : "s")"
      if expired > 0 { text += ", \(expired) expired" }
    }
    let apps = effective.configuration.apps.count
    if app == nil, apps > 0 { text += "; \(apps) section\(apps == 1 ? "" : "s") for apps" }
    return text + "\n"
  }

  private static func printable(_ text: String) -> String {
    PrintableText.printable(text, scalarsMax: 80)
  }

  /// Rows in columns, as wide as the widest cell that isn't an exception.
  private static func table(_ rows: [Row]) -> String {
    let cells = rows.map { row in
      [row.name, row.value, row.remark.isEmpty ? "" : "(\(row.remark))", row.origin.description]
    }
    let widths = (0..<3).map { column in
      min(40, cells.map { $0[column].unicodeScalars.count }.max() ?? 0)
    }
    var text = ""
    for row in cells {
      text += "  "
      for (column, width) in widths.enumerated() where width > 0 {
        let count = row[column].unicodeScalars.count
        text += row[column] + String(repeating: " ", count: max(0, width - count) + 2)
      }
      text += row[3] + "\n"
    }
    return text
  }
}
