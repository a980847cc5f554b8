// What the program's exit status says to a script. One place, one meaning per number.

public import TraceExport

/// The exit status of every command.
public enum CommandStatus: Int32, Sendable {
  /// Done; nothing at or above the level that fails.
  case done = 0
  /// Findings at or above the level that fails.
  case findings = 1
  /// Usage or configuration error.
  case usage = 2
  /// An input was unreadable or damaged; what could be read was still used.
  case damagedInput = 3
  /// Durations grew, or are over their budgets.
  case slower = 4
  /// A fault of the program itself.
  case internalError = 70

  /// The status of a check.
  ///
  /// Damage weighs more than findings: a script that sees 3 knows that findings may be missing.
  public static func ofCheck(
    _ summary: ReportSummary, failOn: FailureLevel, allowsDamaged: Bool
  ) -> CommandStatus {
    if !allowsDamaged, summary.unreadable > 0 || summary.damaged > 0 { return .damagedInput }
    let fatal =
      switch failOn {
      case .error: summary.errors
      case .warning: summary.errors + summary.warnings
      case .note: summary.findings
      case .never: 0
      }
    return fatal > 0 ? .findings : .done
  }
}

/// From which severity on findings make a check fail.
public enum FailureLevel: String, CaseIterable, Sendable {
  case error, warning, note, never
}
