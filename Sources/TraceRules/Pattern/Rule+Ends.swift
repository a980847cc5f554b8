// Which rules explain an end of the process. This file must not know any of them by name.

public import TraceModel

extension Rule {
  /// Whether a finding of the rule explains an end of one of these rows.
  public func explains(anyOf rows: [Termination]) -> Bool {
    !explains.isEmpty && rows.contains { explains.contains($0.id) }
  }
}

extension Sequence where Element == Rule {
  /// The rules that explain an end of one of these rows, the nearest first: those that judge such
  /// a kill itself, of which the last holds for the newest systems, and then those that find in a
  /// trace what led to it.
  public func explaining(_ rows: [Termination]) -> [Rule] {
    let fitting = filter { $0.explains(anyOf: rows) }
    let judging = fitting.filter { rule in rule.clauses.contains { $0.judges(anyOf: rows) } }
    let others = fitting.filter { rule in !judging.contains { $0.id == rule.id } }
    return judging.reversed() + others
  }
}

extension Clause {
  /// Whether it looks for kills of one of these rows.
  fileprivate func judges(anyOf rows: [Termination]) -> Bool {
    evidence == .kill && rows.contains { ends.contains($0.id) }
  }
}
