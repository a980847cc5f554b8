// A finding that somebody doesn't want to hear of. This file must not know who decides that.

/// A finding that doesn't count, and why.
public struct SuppressedFinding: Hashable, Sendable {
  public var finding: Finding
  /// What the person said who suppressed it.
  public var reason: String
  /// The last day of the suppression, as `2026-03-01`; nil if it has none.
  public var expires: String?
  /// Where it was said: `.tracecheck.yml:4`.
  public var origin: String

  public init(finding: Finding, reason: String, expires: String?, origin: String) {
    self.finding = finding
    self.reason = reason
    self.expires = expires
    self.origin = origin
  }
}
