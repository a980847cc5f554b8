// Which part of a trace is cut out for a bug report about one finding.
// This file must not know how traces are read or written.

import TraceModel
public import TraceRules

/// A stretch of time, both ends included.
public struct TimeWindow: Hashable, Sendable {
  public var from: Int64
  public var through: Int64

  public init(from: Int64, through: Int64) {
    self.from = from
    self.through = through
  }

  public func contains(_ time: Int64) -> Bool { from <= time && time <= through }

  /// The window with a margin on both sides.
  func widened(by margin: Int64) -> TimeWindow {
    TimeWindow(from: from.minus(margin), through: through.plus(margin))
  }

  private func covers(_ other: TimeWindow) -> Bool {
    from <= other.from && other.through <= through
  }

  /// The windows in which to look for a finding, the shortest first; the last is nil, the whole
  /// trace.
  ///
  /// They grow around what the finding rests on, and each stands a second time from the beginning
  /// of the launch on, without which nobody knows in what state the app was.
  ///
  /// - Parameters:
  ///   - finding: The finding that must still be there.
  ///   - margin: Nanoseconds on both sides of the first window.
  ///   - trace: The time of the whole trace.
  public static func candidates(
    for finding: Finding, margin: Int64, in trace: TimeWindow
  ) -> [TimeWindow?] {
    let times =
      [finding.timeNanoseconds, finding.lastTimeNanoseconds]
      + finding.witness.map(\.timeNanoseconds)
    let core = TimeWindow(
      from: times.min() ?? finding.timeNanoseconds, through: times.max() ?? finding.timeNanoseconds)
    var windows: [TimeWindow] = []
    var margin = max(0, margin)
    for _ in 0..<growthsMax {
      let window = core.widened(by: margin)
      if window.covers(trace) { break }
      windows.append(window)
      if let start = finding.launchStartNanoseconds, start < window.from {
        windows.append(TimeWindow(from: start, through: window.through))
      }
      let (next, overflow) = max(margin, 1_000_000).multipliedReportingOverflow(by: growth)
      if overflow { break }
      margin = next
    }
    let lengths = windows.map { $0.through.minus($0.from) }
    let order = windows.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    return order.map { windows[$0] } + [nil]
  }

  /// How much larger each margin is than the one before.
  private static let growth: Int64 = 8
  /// Each growth reads the trace twice; eight of them reach from a second to half a year.
  private static let growthsMax = 9
}

/// One trace of a capture, or a part of it.
public struct TraceCut: Sendable {
  /// Which trace of the capture, from 1.
  public var traceNumber: Int
  /// Nil for the whole trace.
  public var window: TimeWindow?

  public init(traceNumber: Int, window: TimeWindow?) {
    self.traceNumber = traceNumber
    self.window = window
  }
}

/// What tells a finding from others of its trace, and is the same in a part of the trace.
struct FindingIdentity: Hashable {
  private let rule: String
  private let reason: String?
  private let severity: Severity
  private let confidence: Confidence
  private let subject: String
  private let timeNanoseconds: Int64
  private let thread: Int64

  init(_ finding: Finding) {
    rule = finding.rule
    reason = finding.reason
    severity = finding.severity
    confidence = finding.confidence
    subject = finding.subject
    timeNanoseconds = finding.timeNanoseconds
    thread = finding.thread
  }
}
