// The pattern `lasts`: how long a span, a launch or a condition may last.

/// What is measured must not last longer than `max`.
public struct Lasts: Sendable {
  public enum Subject: Sendable {
    /// Spans that begin so; each is matched with its own return. Windows (`sys.*`, `wake.window`,
    /// `voip.call`, `audio.interruption`, `bgsched.run`) by kind alone.
    case span([EventPattern])
    /// The launch: into the foreground from its start to the enter of the first
    /// did_become_active, or to the return of did_finish_launching if it ends in an interruption;
    /// into the background from its start to the return of did_finish_launching.
    case launch
    /// A condition, from the event that makes it true to the one that makes it false; reported
    /// when the time is over. The facts of the rule must name every event that changes it.
    case condition(Condition)
  }

  public var subject: Subject
  public var max: Time
  /// Longer spans than this are no business of this rule.
  public var upTo: Amount?
  /// Causes of a kill that prove that the open span was too long.
  public var killCauses: [String]
  /// Codes of a kill that prove the same.
  public var killCodes: [UInt32]
  /// Of spans on a thread that are too long and lie in each other, the innermost is reported.
  public var isInnermost: Bool
  public var unit: ReportUnit
  /// The message for a span that hadn't returned when the launch ended; nil: an open span is no
  /// violation.
  public var openMessage: MessageTemplate?

  public init(
    _ subject: Subject, max: Time, upTo: Amount? = nil, killCauses: [String] = [],
    killCodes: [UInt32] = [], isInnermost: Bool = false, per unit: ReportUnit = .event,
    openMessage: MessageTemplate? = nil
  ) {
    self.subject = subject
    self.max = max
    self.upTo = upTo
    self.killCauses = killCauses
    self.killCodes = killCodes
    self.isInnermost = isInnermost
    self.unit = unit
    self.openMessage = openMessage
  }
}
