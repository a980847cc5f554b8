// What a checker must say of a planted fault: the rule, how severe it is, and how often.
// The severities are copied from the specification of the rules, never from their code.

/// One report that a fault must give.
package struct ExpectedFinding: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case warning, error
  }

  package let rule: String
  package let severity: Severity
  /// Which case of the rule it is; nil for rules that have one, or where any will do.
  package let reason: String?
  /// How many violations the report counts.
  package let count: Int

  /// - Parameter severity: Nil for the severity that the rule has in general.
  init(_ rule: String, _ severity: Severity? = nil, reason: String? = nil, count: Int = 1) {
    self.rule = rule
    self.severity = severity ?? (Self.errorRules.contains(rule) ? .error : .warning)
    self.reason = reason
    self.count = count
  }

  /// The rules whose violation gets the app killed, or loses data.
  private static let errorRules: Set<String> = [
    "LC001", "LC002", "LC003", "LC004", "LC102", "LC201", "LC204", "LC205", "LC301", "LC306",
    "LC310", "LC401", "LC506", "LC613", "LC702", "LM01", "LM02", "LM11", "LM12", "LM14", "LM18",
    "LM19",
  ]
}

extension ExpectedFinding: CustomStringConvertible {
  package var description: String {
    Self.text(rule, severity.rawValue, reason, count)
  }

  /// A report in one word, as it stands in the matrix.
  package static func text(
    _ rule: String, _ severity: String, _ reason: String?, _ count: Int
  ) -> String {
    "\(rule):\(severity)" + (reason.map { ":\($0)" } ?? "") + (count == 1 ? "" : "x\(count)")
  }
}
