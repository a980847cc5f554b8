// The pattern `never`, and what one report stands for.

public import TraceModel

/// For what one report is made; further violations for the same raise its count.
public enum ReportUnit: String, CaseIterable, Hashable, Sendable {
  /// Each violation on its own.
  case event
  /// A key in a launch.
  case key
  /// A stretch in the background: from an entry or a resume to the next leaving or resume; with
  /// `never` each key in it.
  case background
  /// A stretch of inactivity: from a callback that resigns to the next one of the life cycle or a
  /// gap; with `never` each key in it.
  case inactive
  case launch
  case trace
}

/// `never: E`: an event must not occur while its condition holds.
///
/// The times of a suspension come from an observer: an event within the tolerance after its
/// beginning counts as before it, and one within the tolerance before its end as after it, while
/// the app ran in the background.
public struct Never: Sendable {
  public var event: EventPattern
  public var unit: ReportUnit
  public var key: [KeyField]
  /// So many events are allowed for each ``unit``. With the unit `event` they are counted for each
  /// key in a launch, and each time that there are too many is one report.
  public var max: Amount
  /// Begins the count of allowed events anew, also where the limit was exceeded before. A pattern
  /// with a key of its own does so for this key only, and for all if the event doesn't say it.
  public var resets: [EventPattern]
  /// Events on other threads than the callback's are allowed for so long after the background was
  /// entered by the return of a callback; nanoseconds.
  public var lateNanoseconds: Int64
  /// Only those events on other threads, so long after the background was entered, are meant.
  public var isLateOnly: Bool
  /// The argument that says how many calls one event stands for.
  public var countArgument: ArgumentName?
  /// Not reported where the system doesn't act: under a debugger, or on the simulator.
  public var silentUnderDebugger: Bool
  /// Events inside a callback that the system made during a suspension don't count.
  public var ignoresCallbacksWhileSuspended: Bool
  /// While suspended, a violation of this rule by the same event replaces the finding.
  public var yieldsWhileSuspendedTo: String?

  public init(
    _ event: EventPattern, per unit: ReportUnit = .launch, key: [KeyField] = [],
    max: Amount = .fixed(0), resets: [EventPattern] = [], lateNanoseconds: Int64 = 0,
    isLateOnly: Bool = false,
    countArgument: ArgumentName? = nil, silentUnderDebugger: Bool = false,
    ignoresCallbacksWhileSuspended: Bool = false, yieldsWhileSuspendedTo: String? = nil
  ) {
    self.event = event
    self.unit = unit
    self.key = key
    self.max = max
    self.resets = resets
    self.lateNanoseconds = lateNanoseconds
    self.isLateOnly = isLateOnly
    self.countArgument = countArgument
    self.silentUnderDebugger = silentUnderDebugger
    self.ignoresCallbacksWhileSuspended = ignoresCallbacksWhileSuspended
    self.yieldsWhileSuspendedTo = yieldsWhileSuspendedTo
  }
}
