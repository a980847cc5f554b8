// On which terms one trace is judged. This file must not know where they come from.

public import TraceModel
public import TraceRules

/// With which rules a trace is judged, and which of its findings don't count.
public struct TraceTerms {
  public var options: CheckOptions
  /// Says why a finding doesn't count; nil if it does. Takes the trace's id too.
  public var suppression: (Finding, _ traceID: String) -> SuppressedFinding?

  public init(
    options: CheckOptions,
    suppression: @escaping (Finding, _ traceID: String) -> SuppressedFinding? = { _, _ in nil }
  ) {
    self.options = options
    self.suppression = suppression
  }

  /// Makes the terms for a trace of a capture.
  public typealias Maker = (_ header: TraceHeader, _ path: String) -> TraceTerms
}
