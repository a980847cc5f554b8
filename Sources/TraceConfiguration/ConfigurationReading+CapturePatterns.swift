// Reads the list of patterns for an app's own log lines.

import TraceImport
import TraceModel
import TraceRuleFile

extension ConfigurationReading {
  private static let patternKeys = [
    "message", "event", "phase", "args", "process", "thread", "covers",
  ]
  private static let patternKeyMeanings = [
    "glob": "message", "line": "message", "match": "message", "pattern": "message",
    "text": "message", "kind": "event", "arguments": "args", "fields": "args", "app": "process",
    "coverage": "covers",
  ]
  private static let phaseMeanings = [
    "begin": "enter", "start": "enter", "end": "return", "exit": "return", "leave": "return",
    "whole": "instant",
  ]

  /// `capture_patterns: [{message: "sync <id> began", event: work.span, phase: enter}]`
  ///
  /// - Parameter app: The pattern of the section in which the list stands; nil for the whole file.
  func capturePatterns(_ node: YAMLNode, app: String? = nil) -> [Setting<CapturePattern>] {
    guard case .list(let elements) = node.content else {
      if case .text("") = node.content { return [] }
      error(
        .badType, at: node, "'capture_patterns' is \(node.description)",
        expected: "a list of maps, each with a '-'")
      return []
    }
    var patterns: [Setting<CapturePattern>] = []
    for element in elements {
      capturePatternCount += 1
      if capturePatternCount > ConfigurationLimits.capturePatternsMax {
        error(
          .tooMany, at: element, "the file has too many patterns for log lines",
          expected: "at most \(ConfigurationLimits.capturePatternsMax)")
        break
      }
      guard var pattern = capturePattern(element) else { continue }
      var origin = origin(element)
      if let app {
        pattern.apps = CapturePattern.Apps(pattern: app) { Glob(app).matches($0) }
        origin = .app(file, line: element.line, pattern: app)
      }
      patterns.append(Setting(pattern, origin))
    }
    return patterns
  }

  private func capturePattern(_ node: YAMLNode) -> CapturePattern? {
    guard case .map(let entries) = node.content else {
      error(
        .badType, at: node, "a pattern for log lines is \(node.description)",
        expected: "a map with 'message' and 'event'")
      return nil
    }
    for entry in entries where !Self.patternKeys.contains(entry.key) {
      unknown(
        .unknownKey, "key", entry.key, at: entry.node, in: " in a pattern for log lines",
        among: Self.patternKeys, meanings: Self.patternKeyMeanings)
    }
    func value(_ key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    let message = needed("message", entries, node).flatMap { glob($0, "'message'") }
    let event = needed("event", entries, node).flatMap { self.event($0) }
    let process = value("process").map { glob($0, "'process'") }
    if let process = process ?? nil, !process.fields.isEmpty, let node = value("process") {
      error(
        .badPattern, at: node, "'process' has a field, which nothing can use",
        expected: "a name, in which * stands for any text")
    }
    guard let message, let event else { return nil }
    let phase = value("phase").map { self.phase($0, of: event) } ?? .instant
    var pattern = CapturePattern(
      message: message, event: event, phase: phase ?? .instant,
      origin: "\(file):\(node.line)")
    pattern.process = process ?? nil
    if let thread = value("thread") {
      pattern.thread = template(thread, "'thread'", message, .integer)
    }
    if let covers = value("covers") {
      pattern.coversNamespace = boolean(covers, "'covers'")
    }
    if let arguments = value("args") {
      pattern.arguments = self.arguments(arguments, of: event, message)
    }
    return pattern
  }

  /// The value of a key that must be there; a slip in the key is reported once, as what it is.
  private func needed(
    _ key: String, _ entries: [YAMLNode.Entry], _ node: YAMLNode
  ) -> YAMLNode? {
    if let entry = entries.first(where: { $0.key == key }) { return entry.value }
    guard hasRoom else { return nil }
    let isSlip = entries.contains {
      Self.patternKeyMeanings[$0.key] == key
        || (!Self.patternKeys.contains($0.key)
          && NameSuggestion.nearest(to: $0.key, among: [key]) != nil)
    }
    if !isSlip {
      error(
        .missingKey, at: node, "the pattern for log lines has no '\(key)'",
        expected: "the key '\(key)'")
    }
    return nil
  }

  private func glob(_ node: YAMLNode, _ what: String) -> LineGlob? {
    guard let text = text(node, what) else { return nil }
    do throws(LineGlob.Problem) {
      return try LineGlob(text)
    } catch {
      self.error(
        .badPattern, at: node, offset: Self.offset(error.offset, in: text, of: node),
        "\(what): \(error.message)")
      return nil
    }
  }

  /// Columns from a value's place to a byte of its text.
  private static func offset(_ byte: Int, in text: String, of node: YAMLNode) -> Int {
    let scalars = String(decoding: text.utf8.prefix(byte), as: UTF8.self).unicodeScalars
    return node.textOffset + scalars.count
  }

  private func event(_ node: YAMLNode) -> KindDescription? {
    guard let name = text(node, "'event'") else { return nil }
    let kind = Vocabulary.kind(named: name)
    guard let kind, let event = Vocabulary.description(of: kind) else {
      guard hasRoom else { return nil }
      let nearest = NameSuggestion.nearest(to: name, among: Vocabulary.kinds.map(\.name))
      error(
        .unknownEvent, at: node, "there is no event '\(YAMLDocument.shown(name))'",
        expected: nearest == nil ? "a kind of 'tracecheck vocabulary'" : "", suggestion: nearest)
      return nil
    }
    if event.namespace == "trace", kind != .traceMarker {
      error(
        .badValue, at: node, "\(event.name) is about the recording itself, and no line can mean it",
        expected: "another event; trace.marker marks a moment")
      return nil
    }
    return event
  }

  private func phase(_ node: YAMLNode, of event: KindDescription) -> Phase? {
    guard let word = text(node, "'phase'") else { return nil }
    let phases: [String: Phase] = ["enter": .enter, "return": .return, "instant": .instant]
    guard let phase = phases[word] else {
      unknown(
        .badWord, "phase", word, at: node, among: ["enter", "return", "instant"],
        meanings: Self.phaseMeanings)
      return nil
    }
    if phase != .instant, event.shape == .instant {
      error(
        .badWord, at: node, "\(event.name) happens at one moment, and has no \(word)",
        expected: "no 'phase'")
      return nil
    }
    return phase
  }

  private func arguments(
    _ node: YAMLNode, of event: KindDescription, _ message: LineGlob
  ) -> [CapturePattern.Argument] {
    guard let entries = entries(node, "'args'", of: "arguments to values") else { return [] }
    var arguments: [CapturePattern.Argument] = []
    for entry in entries {
      let known = event.arguments.first { $0.name.knownText == entry.key }
      guard let known else {
        reportUnknownArgument(entry, of: event)
        continue
      }
      let reading = ValueReading(known)
      guard let template = template(entry.value, entry.key, message, reading) else { continue }
      arguments.append(
        CapturePattern.Argument(name: known.name, reading: reading, template: template))
    }
    return arguments
  }

  private func reportUnknownArgument(_ entry: YAMLNode.Entry, of event: KindDescription) {
    let names = event.arguments.compactMap(\.name.knownText)
    if names.isEmpty {
      error(
        .unknownArgument, at: entry.node, "\(event.name) has no arguments", expected: "no 'args'")
    } else {
      unknown(
        .unknownArgument, "argument of \(event.name) called", entry.key, at: entry.node,
        among: names)
    }
  }

  /// A value with fields of the message, or a constant that is what the argument needs.
  private func template(
    _ node: YAMLNode, _ what: String, _ message: LineGlob, _ reading: ValueReading
  ) -> ValueTemplate? {
    guard let text = text(node, what) else { return nil }
    let template: ValueTemplate
    do throws(ValueTemplate.Problem) {
      template = try ValueTemplate(text, fields: message.fields)
    } catch {
      let meant = error.unknownField.flatMap {
        NameSuggestion.nearest(to: $0, among: message.fields)
      }
      let isUnknown = error.unknownField != nil
      self.error(
        isUnknown ? .unknownField : .badPattern, at: node,
        offset: Self.offset(error.offset, in: text, of: node), "\(what): \(error.message)",
        expected: isUnknown ? Self.listed(message.fields) : "",
        suggestion: meant.map { "<\($0)>" })
      return nil
    }
    guard let constant = template.constant, reading.value(constant) == nil else { return template }
    var meant: String?
    if case .words(let words) = reading {
      meant = NameSuggestion.nearest(to: constant, among: words)
    }
    error(
      .badValue, at: node, "\(what) is '\(YAMLDocument.shown(constant))'",
      expected: reading.expectation, suggestion: meant)
    return nil
  }

  private static func listed(_ fields: [String]) -> String {
    fields.isEmpty
      ? "a constant, as the message has no fields"
      : "one of " + fields.map { "<\($0)>" }.joined(separator: ", ")
  }

  private func boolean(_ node: YAMLNode, _ what: String) -> Bool? {
    guard let word = text(node, what) else { return nil }
    guard let value = ["true": true, "false": false][word] else {
      unknown(
        .badWord, "answer", word, at: node, among: ["true", "false"],
        meanings: ["yes": "true", "no": "false", "on": "true", "off": "false"])
      return nil
    }
    return value
  }
}
