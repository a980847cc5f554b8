// What a configuration file says, as values with their origins.

import TraceCatalogue
public import TraceImport
public import TraceLifecycle
import TraceModel
public import TraceRules

/// A configuration file that was read; empty if there is none.
public struct Configuration: Sendable {
  /// The file's name as messages show it; nil if there is no file.
  public var file: String?
  public var failOn: Setting<FailOn>?
  /// Files of users' rules, as they are written: relative to the configuration file's folder.
  public var ruleFiles: [Setting<String>] = []
  /// Patterns for log lines of every app, in the order of the file.
  public var capturePatterns: [Setting<CapturePattern>] = []
  /// What holds for every app.
  public var general = RuleSettings()
  /// What holds for some apps, in the order of the file: what is said later wins.
  public var apps: [AppSettings] = []

  public init() {}

  /// Every suppression of the file, in its order.
  public var suppressions: [Suppression] {
    (general.suppressions + apps.flatMap(\.settings.suppressions)).sorted { $0.line < $1.line }
  }

  /// All patterns for log lines, the strongest first: sections go before what is for every app,
  /// and later ones before earlier ones.
  public var patterns: CapturePatterns {
    CapturePatterns(
      (apps.reversed().flatMap(\.capturePatterns) + capturePatterns).map(\.value))
  }

  /// A warning for each suppression that no longer applies.
  public func expiryWarnings(today: CalendarDate) -> [ConfigurationProblem] {
    suppressions.filter { $0.isExpired(today: today) }.map(\.expiryWarning)
  }
}

/// A file of users' rules that a configuration names.
public struct NamedRuleFile: Hashable, Sendable {
  /// As it is written: relative to the configuration file's folder.
  public var name: Setting<String>
  /// Where it is named, from 1, in Unicode scalars.
  public var column: Int

  /// Who named the file, for messages: `.tracecheck.yml:4:13`.
  public var place: String { "\(name.origin.description):\(column)" }
}

/// From which severity on findings make a check fail.
public enum FailOn: String, CaseIterable, Hashable, Sendable {
  case error, warning, note, never
}

/// Settings of rules: those of a file, of an app's section, or of the command line.
public struct RuleSettings: Sendable {
  /// By rule id.
  public var isOn: [String: Setting<Bool>] = [:]
  /// By rule id.
  public var severities: [String: Setting<Severity>] = [:]
  /// By rule id and parameter, as in `RULE.grace`; in the parameter's unit.
  public var thresholds: [String: Setting<Int64>] = [:]
  public var profile: Setting<Profile>?
  public var watchdog: Setting<WatchdogAllowance>?
  public var suppressions: [Suppression] = []

  public init() {}
}

/// A section for the apps whose bundle id matches a pattern.
public struct AppSettings: Sendable {
  public var pattern: String
  public var settings: RuleSettings
  /// Patterns for log lines of these apps, in the order of the file.
  public var capturePatterns: [Setting<CapturePattern>] = []
  public var origin: SettingOrigin

  /// Whether the section is for an app.
  public func applies(to bundleID: String) -> Bool { Glob(pattern).matches(bundleID) }
}
