// How a trace ended, as reports say it.

/// Whether a trace is whole.
public enum Completeness: String, Hashable, Sendable {
  /// The recorder closed it: it ends with `trace.end` of reason clean.
  case complete
  /// It simply stops, or was rotated. Normal life of an app that was killed.
  case truncated
  /// Something in its middle is missing or wrong.
  case damaged
}
