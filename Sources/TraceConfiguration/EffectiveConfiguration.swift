// What holds in the end: the defaults, a file, its sections for apps, and the command line, the
// later ones being stronger.

import TraceCatalogue
public import TraceLifecycle
import TraceModel
public import TraceRules

/// A configuration file and a command line together.
public struct EffectiveConfiguration: Sendable {
  public let rules: [Rule]
  public let configuration: Configuration
  public let commandLine: RuleSettings
  public let today: CalendarDate
  public let failOn: Setting<FailOn>

  /// - Parameters:
  ///   - rules: All rules, users' included.
  ///   - failOn: What the command line says; nil if it says nothing.
  public init(
    rules: [Rule], configuration: Configuration, commandLine: RuleSettings = RuleSettings(),
    failOn: FailOn? = nil, today: CalendarDate
  ) {
    self.rules = rules
    self.configuration = configuration
    self.commandLine = commandLine
    self.today = today
    self.failOn =
      failOn.map { Setting($0, .commandLine) } ?? configuration.failOn
      ?? Setting(.error, .standard)
  }

  /// What holds for the traces of an app.
  ///
  /// - Parameter app: The bundle id of the trace's header; nil if it has none.
  public func settings(app: String?) -> AppliedSettings {
    let sections = configuration.apps.filter { section in app.map(section.applies) ?? false }
    return AppliedSettings(
      rules: rules,
      layers: [commandLine] + sections.reversed().map(\.settings) + [configuration.general],
      today: today)
  }
}

/// What holds for the traces of an app.
public struct AppliedSettings: Sendable {
  public let rules: [Rule]
  /// Every suppression, those that are expired too.
  public let suppressions: [Suppression]
  /// The strongest first.
  private let layers: [RuleSettings]
  private let suppressionsOfRules: [String: [Suppression]]

  init(rules: [Rule], layers: [RuleSettings], today: CalendarDate) {
    self.rules = rules
    self.layers = layers
    suppressions = layers.reversed().flatMap(\.suppressions)
    var ofRules: [String: [Suppression]] = [:]
    for suppression in suppressions where !suppression.isExpired(today: today) {
      for id in suppression.ruleIDs { ofRules[id, default: []].append(suppression) }
    }
    suppressionsOfRules = ofRules
  }

  public func isOn(_ rule: Rule) -> Setting<Bool> {
    first { $0.isOn[rule.id] } ?? Setting(true, .standard)
  }

  public func severity(_ rule: Rule) -> Setting<Severity> {
    first { $0.severities[rule.id] } ?? Setting(rule.severity, .standard)
  }

  /// The value of a rule's parameter, in its unit.
  public func value(of parameter: RuleParameter, in rule: Rule) -> Setting<Int64> {
    first { $0.thresholds["\(rule.id).\(parameter.name)"] } ?? Setting(parameter.value, .standard)
  }

  /// The profile instead of the one that a trace's header selects; nil if the header does.
  public var profile: Setting<Profile?> {
    first { $0.profile }.map { Setting($0.value, $0.origin) } ?? Setting(nil, .standard)
  }

  /// Which allowance of the watchdogs is an error.
  public var watchdog: Setting<WatchdogAllowance> {
    first { $0.watchdog } ?? Setting(.documented, .standard)
  }

  /// The options of a check.
  public var options: CheckOptions {
    var options = CheckOptions()
    options.rules = rules.filter { isOn($0).value }
    options.profile = profile.value
    options.watchdog = watchdog.value
    for layer in layers.reversed() {
      for (id, setting) in layer.severities { options.severities[id] = setting.value }
      for (name, setting) in layer.thresholds { options.thresholds[name] = setting.value }
    }
    return options
  }

  /// The suppression that a finding falls under; nil if it counts.
  ///
  /// - Parameters:
  ///   - path: The capture's path as it is shown.
  ///   - traceID: The trace's id.
  public func suppression(
    of finding: Finding, path: String, traceID: String
  ) -> Suppression? {
    suppressionsOfRules[finding.rule]?.first {
      $0.matches(finding, path: path, traceID: traceID)
    }
  }

  private func first<Value>(_ setting: (RuleSettings) -> Setting<Value>?) -> Setting<Value>? {
    for layer in layers {
      if let found = setting(layer) { return found }
    }
    return nil
  }
}
