// What a caller asks of the reading of log lines. This file must not know line formats.

public import TraceModel

/// How the lines of a log are read.
public struct LineOptions: Sendable {
  public var patterns = CapturePatterns()
  /// Whether an account of the lines is kept.
  public var keepsLedger = false

  public init(patterns: CapturePatterns = CapturePatterns(), keepsLedger: Bool = false) {
    self.patterns = patterns
    self.keepsLedger = keepsLedger
  }

  /// Whether nothing is asked beyond known messages.
  public var isStandard: Bool { patterns.isEmpty && !keepsLedger }
}

/// A decoder of a format of log lines.
public protocol LineDecoder: CaptureDecoder {
  /// Sets how lines are read, before the first bytes are fed.
  mutating func prepare(_ options: LineOptions)
  /// What became of the lines so far; nil if no account is kept.
  var ledger: LineLedger? { get }
}
