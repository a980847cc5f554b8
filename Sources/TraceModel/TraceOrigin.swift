// Which process a trace is of, and when it ran by the clock on the wall, as far as a capture tells.
// This file must not know how traces are brought together.

/// What ties a trace to a process and to the calendar. It is no part of a stored header.
public struct TraceOrigin: Hashable, Sendable {
  public var processID: Int64?
  public var processName: String?
  /// Nil for a capture without times.
  public var wallClock: WallAnchor?
  /// By how much the clock on the wall shows less than ``wallClock`` says, where it was set while a
  /// capture was written: at the trace's first event, then from each `trace.clock_step` on.
  /// Nanoseconds; empty if the clock wasn't set, or the capture says itself what its clock shows.
  public var setBacksNanoseconds: [Int64] = []
  /// Whether the trace is a report of an end, and tells nothing of what came before.
  public var isReport = false

  public init(
    processID: Int64? = nil, processName: String? = nil, wallClock: WallAnchor? = nil
  ) {
    self.processID = processID
    self.processName = processName
    self.wallClock = wallClock
  }
}

/// What the clock on the wall shows at time 0 of a trace, and how much of it a capture prints.
public struct WallAnchor: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00: in UTC with a zone, else in local time; in 1971
  /// without a year; on 1970-01-01 without a date.
  public var nanosecondsAtZero: Int64
  public var hasZone = true
  public var hasYear = true
  public var hasDate = true
  /// The local time zone's distance from UTC in seconds, east positive, where it is printed.
  public var localOffsetSeconds: Int32?

  public init(nanosecondsAtZero: Int64) { self.nanosecondsAtZero = nanosecondsAtZero }
}
