// Reads the list of suppressions.

import TraceRuleFile
import TraceRules

extension ConfigurationReading {
  private static let suppressionKeys = [
    "rule", "fingerprint", "subject", "trace", "reason", "expires",
  ]
  private static let keyMeanings = [
    "id": "rule", "until": "expires", "expiry": "expires", "because": "reason", "why": "reason",
    "comment": "reason", "path": "trace", "file": "trace",
  ]

  /// `suppressions: [{rule: RULE, subject: "sync*", reason: "known", expires: 2026-03-01}]`
  func suppressions(_ node: YAMLNode) -> [Suppression] {
    guard case .list(let elements) = node.content else {
      if case .text("") = node.content { return [] }
      error(
        .badType, at: node, "'suppressions' is \(node.description)",
        expected: "a list of maps, each with a '-'")
      return []
    }
    var suppressions: [Suppression] = []
    for element in elements {
      suppressionCount += 1
      if suppressionCount > ConfigurationLimits.suppressionsMax {
        error(
          .tooMany, at: element, "the file has too many suppressions",
          expected: "at most \(ConfigurationLimits.suppressionsMax)")
        break
      }
      if let suppression = suppression(element) { suppressions.append(suppression) }
    }
    return suppressions
  }

  private func suppression(_ node: YAMLNode) -> Suppression? {
    guard case .map(let entries) = node.content else {
      error(
        .badType, at: node, "a suppression is \(node.description)",
        expected: "a map with 'rule', 'reason' and what is suppressed")
      return nil
    }
    for entry in entries where !Self.suppressionKeys.contains(entry.key) {
      unknown(
        .unknownKey, "key", entry.key, at: entry.node, in: " in a suppression",
        among: Self.suppressionKeys, meanings: Self.keyMeanings)
    }
    func value(_ key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    let rule = required("rule", value, entries, node).flatMap { text($0, "'rule'") }
    let rules = rule.flatMap { name in value("rule").map { rulesNamed(name, at: $0) } } ?? []
    let fingerprint = value("fingerprint").flatMap { self.fingerprint($0) }
    let subject = value("subject").flatMap { pattern($0, "'subject'") }
    let trace = value("trace").flatMap { pattern($0, "'trace'") }
    let isAimed = ["fingerprint", "subject", "trace"].contains { value($0) != nil }
    if !isAimed {
      error(
        .missingKey, at: node, "the suppression doesn't say of what",
        expected: "'fingerprint', 'subject' or 'trace'; a whole rule is switched off below 'rules'")
    }
    let reason = required("reason", value, entries, node).flatMap { text($0, "'reason'") }
    let expiry = value("expires").map { date($0) }
    guard let rule, !rules.isEmpty, let reason, isAimed,
      fingerprint != nil || subject != nil || trace != nil
    else { return nil }
    return Suppression(
      rule: rule, ruleIDs: rules.map(\.id), fingerprint: fingerprint, subject: subject,
      trace: trace, reason: reason, expires: expiry ?? nil, origin: origin(node), file: file,
      line: node.line, column: node.column, excerpt: expiry == nil ? "" : excerpt(node))
  }

  private func required(
    _ key: String, _ value: (String) -> YAMLNode?, _ entries: [YAMLNode.Entry], _ node: YAMLNode
  ) -> YAMLNode? {
    if let value = value(key) { return value }
    guard hasRoom else { return nil }
    let isSlip = entries.contains {
      Self.keyMeanings[$0.key] == key
        || (!Self.suppressionKeys.contains($0.key)
          && NameSuggestion.nearest(to: $0.key, among: [key]) != nil)
    }
    if !isSlip {
      error(
        .missingKey, at: node, "the suppression has no '\(key)'", expected: "the key '\(key)'")
    }
    return nil
  }

  private func pattern(_ node: YAMLNode, _ what: String) -> String? {
    guard let text = text(node, what), isPattern(text, at: node, what) else { return nil }
    return text
  }

  private func fingerprint(_ node: YAMLNode) -> String? {
    guard let text = text(node, "'fingerprint'") else { return nil }
    let digits = text.dropFirst(3).utf8
    let isGood =
      text.hasPrefix("v1:") && digits.count == 16
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    if isGood { return text }
    error(
      .badFingerprint, at: node, "'\(YAMLDocument.shown(text))' is no fingerprint",
      expected: "'v1:' and 16 hexadecimal digits, as in the JSON report")
    return nil
  }

  private func date(_ node: YAMLNode) -> CalendarDate? {
    guard let text = text(node, "'expires'") else { return nil }
    if let date = CalendarDate(text) { return date }
    error(
      .badDate, at: node, "'\(YAMLDocument.shown(text))' is no day of the calendar",
      expected: "a day such as 2026-03-01", suggestion: Self.dateMeant(by: text))
    return nil
  }

  /// `2026-3-1` and `2026/03/01` mean `2026-03-01`.
  private static func dateMeant(by text: String) -> String? {
    guard text.utf8.count <= 10 else { return nil }
    let parts = text.split { "-/. ".contains($0) }.map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
      return nil
    }
    return CalendarDate(year: year, month: month, day: day).map { "\($0)" }
  }
}
