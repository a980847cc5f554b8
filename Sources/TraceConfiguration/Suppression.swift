// A finding that somebody knows of and doesn't want to hear of, until a day.

import TraceRules

/// Findings that don't count, and why.
public struct Suppression: Hashable, Sendable {
  /// The rules as they are written: an id, a slug or a family.
  public var rule: String
  /// The ids of these rules.
  public var ruleIDs: [String]
  /// All that is given must hold.
  public var fingerprint: String?
  public var subject: String?
  public var trace: String?
  public var reason: String
  /// The last day on which it applies.
  public var expires: CalendarDate?
  public var origin: SettingOrigin
  public var file: String
  public var line: Int
  public var column: Int
  /// What the warning of its expiry shows below the headline.
  var excerpt: String

  /// Whether it no longer applies. It does on the day itself.
  public func isExpired(today: CalendarDate) -> Bool {
    expires.map { $0 < today } ?? false
  }

  /// Whether it is meant for a finding; the caller knows that the rule is one of ``ruleIDs``.
  ///
  /// - Parameters:
  ///   - path: The capture's path as it is shown.
  ///   - traceID: The trace's id.
  func matches(_ finding: Finding, path: String, traceID: String) -> Bool {
    if let fingerprint, fingerprint != finding.fingerprint { return false }
    if let subject, !Glob(subject).matches(finding.subject) { return false }
    if let trace, !Self.matches(trace, path: path, traceID: traceID) { return false }
    return true
  }

  /// A pattern without a slash is for the file's name, any other for the end of its path.
  private static func matches(_ pattern: String, path: String, traceID: String) -> Bool {
    let glob = Glob(pattern)
    if glob.matches(path) || glob.matches(traceID) { return true }
    // Only as many of the last folders as the pattern names.
    let count = pattern.utf8.count { $0 == UInt8(ascii: "/") } + 1
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).suffix(count)
    guard parts.count == count, let start = parts.first?.startIndex else { return false }
    return glob.matches(path[start...])
  }

  /// What it is for, in words: `RULE subject "sync*"`.
  public var scope: String {
    var text = rule
    if let fingerprint { text += " \(fingerprint)" }
    if let subject { text += " subject '\(subject)'" }
    if let trace { text += " trace '\(trace)'" }
    return text
  }

  var expiryWarning: ConfigurationProblem {
    ConfigurationProblem(
      file: file, line: line, column: column, level: .warning, code: .expiredSuppression,
      message: "this suppression of \(rule) expired on \(expires.map { "\($0)" } ?? "")"
        + " and no longer applies",
      expected: "a later day, or no suppression", suggestion: nil, excerpt: excerpt)
  }
}
