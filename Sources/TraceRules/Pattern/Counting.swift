// The patterns that count: durations in sum, things open at once, and rates.

public import TraceModel

/// `sums`: the durations of spans, added up for each unit, must not exceed a time. Reported at the
/// return that does.
public struct Sums: Sendable {
  /// The beginnings of the spans.
  public var spans: [EventPattern]
  /// Begins the sum anew.
  public var resets: [EventPattern]
  public var unit: ReportUnit
  public var max: Time

  public init(
    _ spans: [EventPattern], resets: [EventPattern] = [], per unit: ReportUnit, max: Time
  ) {
    self.spans = spans
    self.resets = resets
    self.unit = unit
    self.max = max
  }
}

/// `open_at_most`: how many keys may be open at once, or how much they may weigh together. A close
/// without its key closes every key.
public struct OpenAtMost: Sendable {
  public var opens: [EventPattern]
  public var closes: [EventPattern]
  public var closesAll: [EventPattern]
  public var key: [KeyField]
  public var max: Amount
  /// The argument of the opening event that is added up: whole numbers, none less than zero; nil:
  /// each key counts one.
  public var weight: ArgumentName?
  /// Judged at these events only, before what they close and open; empty: at every opening.
  public var at: [EventPattern]
  public var unit: ReportUnit
  public var outlivesLaunch: Bool

  public init(
    opens: [EventPattern], closes: [EventPattern], closesAll: [EventPattern] = [],
    key: [KeyField], max: Amount, weight: ArgumentName? = nil, at: [EventPattern] = [],
    per unit: ReportUnit, outlivesLaunch: Bool = false
  ) {
    self.opens = opens
    self.closes = closes
    self.closesAll = closesAll
    self.key = key
    self.max = max
    self.weight = weight
    self.at = at
    self.unit = unit
    self.outlivesLaunch = outlivesLaunch
  }
}

/// `limit`: at most `max` events in any stretch of time of this length, on the header's clock.
/// Reported at the event that is one too many; events exactly `window` apart are in one stretch.
public struct Limit: Sendable {
  public var event: EventPattern
  public var key: [KeyField]
  public var max: Amount
  public var window: Amount
  /// Reported only when every event for so long was one too many, in nanoseconds; nil: at once.
  public var sustained: Amount?
  public var unit: ReportUnit

  public init(
    _ event: EventPattern, key: [KeyField] = [], max: Amount, window: Amount,
    sustained: Amount? = nil, per unit: ReportUnit = .launch
  ) {
    self.event = event
    self.key = key
    self.max = max
    self.window = window
    self.sustained = sustained
    self.unit = unit
  }
}

/// `order`: a state machine for each key. A listed event without an edge from the state it meets
/// is a violation, after which the machine is in the state that the event leads to elsewhere: in
/// any of them, if there are several.
public struct Order: Sendable {
  public struct Edge: Sendable {
    public var from: String
    public var event: EventPattern
    public var to: String

    public init(_ from: String, _ event: EventPattern, _ to: String) {
      self.from = from
      self.event = event
      self.to = to
    }
  }

  public var key: [KeyField]
  /// The state of a key that hasn't been seen in this launch. After a start in mid-life or a gap a
  /// key may be in any state: an event is a violation if it may come in none of those in which the
  /// key may be, and undecided if it may come in some of them only.
  public var start: String
  public var edges: [Edge]
  public var unit: ReportUnit

  public init(key: [KeyField], start: String, edges: [Edge], per unit: ReportUnit = .event) {
    self.key = key
    self.start = start
    self.edges = edges
    self.unit = unit
  }
}
