// The settings as JSON, for `config --show`.

import TraceConfiguration
import TraceExport
import TraceImport
import TraceLifecycle
import TraceModel
import TraceRules

extension JSONBuilder {
  /// Every setting with its origin.
  ///
  /// - Parameter app: The app whose settings they are; nil for what holds for all.
  mutating func configuration(_ effective: EffectiveConfiguration, app: String?) {
    let applied = effective.settings(app: app)
    beginObject()
    key("schema_version")
    integer(1)
    key("file")
    stringOrNull(effective.configuration.file)
    key("app")
    stringOrNull(app)
    key("fail_on")
    setting(effective.failOn) { $0.string($1.rawValue) }
    key("profile")
    setting(applied.profile) { $0.stringOrNull($1?.rawValue) }
    key("watchdog")
    setting(applied.watchdog) { $0.string($1.rawValue) }
    key("rule_files")
    beginArray()
    for file in effective.configuration.ruleFiles { setting(file) { $0.string($1) } }
    endArray()
    key("capture_patterns")
    capturePatterns(effective.configuration.capturePatterns)
    key("rules")
    beginArray()
    for rule in effective.rules { self.rule(rule, applied) }
    endArray()
    key("suppressions")
    suppressions(applied.suppressions, effective.today)
    key("apps")
    beginArray()
    if app == nil {
      for section in effective.configuration.apps { self.section(section, effective) }
    }
    endArray()
    endObject()
  }

  private mutating func rule(_ rule: Rule, _ applied: AppliedSettings) {
    beginObject()
    key("id")
    string(rule.id)
    key("slug")
    string(rule.slug)
    key("enabled")
    setting(applied.isOn(rule), standard: true) { $0.boolean($1) }
    key("severity")
    setting(applied.severity(rule), standard: rule.severity) { $0.string($1.rawValue) }
    key("parameters")
    beginArray()
    for parameter in rule.parameters {
      beginObject()
      key("name")
      string(parameter.name)
      key("unit")
      string(parameter.unit.rawValue)
      key("basis")
      string(parameter.basis.rawValue)
      members(applied.value(of: parameter, in: rule), standard: parameter.value) { $0.integer($1) }
      endObject()
    }
    endArray()
    endObject()
  }

  private mutating func suppressions(_ suppressions: [Suppression], _ today: CalendarDate) {
    beginArray()
    for suppression in suppressions {
      beginObject()
      key("rule")
      string(suppression.rule)
      key("fingerprint")
      stringOrNull(suppression.fingerprint)
      key("subject")
      stringOrNull(suppression.subject)
      key("trace")
      stringOrNull(suppression.trace)
      key("reason")
      string(suppression.reason)
      key("expires")
      stringOrNull(suppression.expires.map { "\($0)" })
      key("expired")
      boolean(suppression.isExpired(today: today))
      key("origin")
      origin(suppression.origin)
      endObject()
    }
    endArray()
  }

  /// What a section for apps says, and nothing else.
  private mutating func section(_ section: AppSettings, _ effective: EffectiveConfiguration) {
    let settings = section.settings
    beginObject()
    key("pattern")
    string(section.pattern)
    key("origin")
    origin(section.origin)
    if let profile = settings.profile {
      key("profile")
      setting(profile) { $0.string($1.rawValue) }
    }
    key("rules")
    beginObject()
    for (id, value) in settings.isOn.sorted(by: { $0.key < $1.key }) {
      key(id)
      setting(value) { $0.boolean($1) }
    }
    endObject()
    key("severities")
    beginObject()
    for (id, value) in settings.severities.sorted(by: { $0.key < $1.key }) {
      key(id)
      setting(value) { $0.string($1.rawValue) }
    }
    endObject()
    key("thresholds")
    beginObject()
    for (name, value) in settings.thresholds.sorted(by: { $0.key < $1.key }) {
      key(name)
      setting(value) { $0.integer($1) }
    }
    endObject()
    key("suppressions")
    suppressions(settings.suppressions, effective.today)
    key("capture_patterns")
    capturePatterns(section.capturePatterns)
    endObject()
  }

  private mutating func capturePatterns(_ patterns: [Setting<CapturePattern>]) {
    beginArray()
    for pattern in patterns {
      beginObject()
      key("message")
      string(pattern.value.message.text)
      key("event")
      string(pattern.value.event.name)
      key("phase")
      string(pattern.value.phase.word)
      key("process")
      stringOrNull(pattern.value.process?.text)
      key("origin")
      origin(pattern.origin)
      endObject()
    }
    endArray()
  }

  private mutating func setting<Value>(
    _ setting: Setting<Value>, standard: Value? = nil, _ write: (inout JSONBuilder, Value) -> Void
  ) {
    beginObject()
    members(setting, standard: standard, write)
    endObject()
  }

  private mutating func members<Value>(
    _ setting: Setting<Value>, standard: Value? = nil, _ write: (inout JSONBuilder, Value) -> Void
  ) {
    key("value")
    write(&self, setting.value)
    if let standard {
      key("default")
      write(&self, standard)
    }
    key("origin")
    origin(setting.origin)
  }

  private mutating func origin(_ origin: SettingOrigin) {
    beginObject()
    key("kind")
    string(origin.kind)
    switch origin {
    case .standard, .commandLine: break
    case .file(let file, let line):
      key("file")
      string(file)
      key("line")
      integer(line)
    case .app(let file, let line, let pattern):
      key("file")
      string(file)
      key("line")
      integer(line)
      key("app")
      string(pattern)
    }
    endObject()
  }
}
