// What became of a trace that was checked, in the word that metrics have for it.

import TraceRules

/// The outcome of checking a trace.
public enum TraceOutcome: String, CaseIterable, Codable, Hashable, Sendable {
  case clean, findings, unreadable

  /// - Parameters:
  ///   - findingCount: Findings that count.
  ///   - eventCount: Events that could be read. Of none there is nothing clean to say.
  public init(findingCount: Int, eventCount: Int) {
    self = findingCount > 0 ? .findings : eventCount > 0 ? .clean : .unreadable
  }

  init(_ trace: Judgement) {
    self.init(findingCount: trace.findings.count, eventCount: trace.eventCount)
  }
}

extension MetricSet {
  /// The outcome of one trace and nothing else, for who counts it later than the rest.
  ///
  /// - Parameter format: The capture's format; empty if it wasn't recognised.
  public init(_ outcome: TraceOutcome, format: String) {
    self.init()
    add(1, .traces, [outcome.rawValue, Self.source(format)])
  }
}
