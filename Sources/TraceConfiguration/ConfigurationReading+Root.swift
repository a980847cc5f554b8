// Reads the keys of a configuration file, and its sections for apps.

import TraceLifecycle
import TraceRuleFile
import TraceRules

extension ConfigurationReading {
  private static let rootKeys = [
    "tracecheck", "severities", "thresholds", "rules", "only", "skip", "fail_on", "profile",
    "rule_files", "suppressions", "capture_patterns", "apps",
  ]
  private static let appKeys = [
    "severities", "thresholds", "rules", "profile", "suppressions", "capture_patterns",
  ]
  /// What people call these things elsewhere.
  private static let keyMeanings = [
    "version": "tracecheck", "ignore": "skip", "exclude": "skip", "disable": "skip",
    "select": "only", "enable": "only", "severity": "severities", "threshold": "thresholds",
    "limits": "thresholds", "suppress": "suppressions", "app": "apps", "rules_files": "rule_files",
    "patterns": "capture_patterns", "log_patterns": "capture_patterns",
  ]

  /// The whole file.
  func configuration(
    rules: [Rule], rulesOfFiles: ([NamedRuleFile]) -> [Rule]
  ) -> Configuration {
    var configuration = Configuration()
    configuration.file = file
    guard let entries = rootEntries() else { return configuration }
    checkKeys(entries, Self.rootKeys)
    checkVersion(entries)
    func value(_ key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    // Rules of users first: the rest of the file may speak of them.
    let files = value("rule_files").map { ruleFiles($0) } ?? []
    configuration.ruleFiles = files.map(\.name)
    table = RuleTable(rules + (files.isEmpty ? [] : rulesOfFiles(files)))

    configuration.general = settings(entries)
    configuration.general.isOn = switches(
      only: value("only"), skip: value("skip"), rules: configuration.general.isOn)
    configuration.failOn = value("fail_on").flatMap { failOn($0) }
    configuration.capturePatterns = value("capture_patterns").map { capturePatterns($0) } ?? []
    configuration.apps = value("apps").map { apps($0) } ?? []
    return configuration
  }

  private func checkVersion(_ entries: [YAMLNode.Entry]) {
    guard let version = entries.first(where: { $0.key == "tracecheck" })?.value else {
      guard hasRoom else { return }
      // A slip in the key is reported once, as the unknown key that it is.
      let isSlip = entries.contains { entry in
        !Self.rootKeys.contains(entry.key)
          && (Self.keyMeanings[entry.key] == "tracecheck"
            || NameSuggestion.nearest(to: entry.key, among: Self.rootKeys) == "tracecheck")
      }
      if isSlip { return }
      return error(
        .missingKey, line: 1, column: 1, "the file doesn't say its version",
        expected: "the line 'tracecheck: 1'")
    }
    if version.text != "1" {
      error(
        .badVersion, at: version, "the version of the file is \(version.description)",
        expected: "1", suggestion: "1")
    }
  }

  /// Reports keys that nobody knows.
  func checkKeys(_ entries: [YAMLNode.Entry], _ known: [String], in place: String = "") {
    let names = Set(known)
    for entry in entries where !names.contains(entry.key) && hasRoom {
      if Self.rootKeys.contains(entry.key) {
        error(
          .unknownKey, at: entry.node, "'\(entry.key)' has no meaning\(place)",
          expected: "one of \(known.joined(separator: ", "))")
      } else {
        let meant = Self.keyMeanings[entry.key.lowercased()]
        unknown(
          .unknownKey, "key", entry.key, at: entry.node, in: place, among: known,
          meanings: meant.map { names.contains($0) ? [entry.key.lowercased(): $0] : [:] } ?? [:])
      }
    }
  }

  /// What files and sections for apps have in common.
  private func settings(_ entries: [YAMLNode.Entry]) -> RuleSettings {
    var settings = RuleSettings()
    for entry in entries {
      switch entry.key {
      case "severities": settings.severities = severities(entry.value)
      case "thresholds": settings.thresholds = thresholds(entry.value)
      case "rules": settings.isOn = onOrOff(entry.value)
      case "profile": settings.profile = profile(entry.value)
      case "suppressions": settings.suppressions = suppressions(entry.value)
      default: break
      }
    }
    return settings
  }

  private func apps(_ node: YAMLNode) -> [AppSettings] {
    guard let entries = entries(node, "'apps'", of: "bundle ids to settings") else { return [] }
    var apps: [AppSettings] = []
    for entry in entries {
      if apps.count == ConfigurationLimits.appsMax {
        error(
          .tooMany, at: entry.node, "the file has \(entries.count) sections for apps",
          expected: "at most \(ConfigurationLimits.appsMax)")
        break
      }
      guard isPattern(entry.key, at: entry.node, "the pattern of an app"),
        let own = self.entries(entry.value, "the section of an app")
      else { continue }
      checkKeys(own, Self.appKeys, in: " in the section of an app")
      let origin = SettingOrigin.app(file, line: entry.node.line, pattern: entry.key)
      var section = AppSettings(
        pattern: entry.key, settings: settings(own).marked(for: entry.key), origin: origin)
      if let patterns = own.first(where: { $0.key == "capture_patterns" })?.value {
        section.capturePatterns = capturePatterns(patterns, app: entry.key)
      }
      apps.append(section)
    }
    return apps
  }

  private func failOn(_ node: YAMLNode) -> Setting<FailOn>? {
    guard let word = text(node, "'fail_on'") else { return nil }
    if let level = FailOn(rawValue: word) { return Setting(level, origin(node)) }
    unknown(
      .badWord, "level", word, at: node, among: FailOn.allCases.map(\.rawValue),
      meanings: ["warn": "warning", "info": "note", "none": "never", "off": "never"])
    return nil
  }

  private func profile(_ node: YAMLNode) -> Setting<Profile>? {
    guard let word = text(node, "'profile'") else { return nil }
    if let profile = Profile(rawValue: word) { return Setting(profile, origin(node)) }
    unknown(
      .unknownProfile, "profile", word, at: node, among: Profile.allCases.map(\.rawValue),
      listsAll: true)
    return nil
  }

  private func ruleFiles(_ node: YAMLNode) -> [NamedRuleFile] {
    var files: [NamedRuleFile] = []
    for element in elements(node) {
      if files.count == ConfigurationLimits.ruleFilesMax {
        error(
          .tooMany, at: element, "the file names too many files of rules",
          expected: "at most \(ConfigurationLimits.ruleFilesMax)")
        break
      }
      guard let name = text(element, "the name of a file of rules") else { continue }
      if name.unicodeScalars.contains("\0") {
        error(.badType, at: element, "the name of a file has a zero byte in it")
      } else if files.contains(where: { $0.name.value == name }) {
        error(.duplicateKey, at: element, "the file '\(YAMLDocument.shown(name))' is named twice")
      } else {
        files.append(NamedRuleFile(name: Setting(name, origin(element)), column: element.column))
      }
    }
    return files
  }

  /// Whether a text can be a pattern; a problem if not.
  func isPattern(_ text: String, at node: YAMLNode, _ what: String) -> Bool {
    let count = text.unicodeScalars.count
    if count > 0, count <= ConfigurationLimits.patternScalarsMax { return true }
    error(
      .badPattern, at: node, "\(what) has \(count) characters",
      expected: "1 to \(ConfigurationLimits.patternScalarsMax)")
    return false
  }
}

extension RuleSettings {
  /// The settings with the section's pattern in their origins.
  fileprivate func marked(for pattern: String) -> RuleSettings {
    func mark(_ origin: SettingOrigin) -> SettingOrigin {
      guard case .file(let file, let line) = origin else { return origin }
      return .app(file, line: line, pattern: pattern)
    }
    var marked = self
    marked.isOn = isOn.mapValues { Setting($0.value, mark($0.origin)) }
    marked.severities = severities.mapValues { Setting($0.value, mark($0.origin)) }
    marked.thresholds = thresholds.mapValues { Setting($0.value, mark($0.origin)) }
    marked.profile = profile.map { Setting($0.value, mark($0.origin)) }
    for index in suppressions.indices {
      marked.suppressions[index].origin = mark(suppressions[index].origin)
    }
    return marked
  }
}
