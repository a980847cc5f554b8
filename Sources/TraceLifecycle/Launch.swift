// What is known of one launch and of one suspension, and what an event did to them.
// This file must not know how events lead there.

import TraceModel

/// Where a launch goes to.
public enum LaunchTarget: String, Hashable, Sendable {
  case foreground, background
}

/// One life of the process in a trace.
public struct Launch: Hashable, Sendable {
  /// The launch's number in the trace, from 1.
  public var number: Int
  /// When the launch began, in nanoseconds on the header's clock; nil if the trace doesn't hold
  /// its beginning, or as long as a prewarmed process hasn't been launched.
  public var startNanoseconds: Int64?
  /// Whether the trace holds the launch only from its middle on.
  public var isMidLife: Bool
  /// Where the launch goes to; nil if that isn't known.
  public var into: LaunchTarget?
  public var reason: StartReason
  public var pid: Int64?
  /// Whether events of the launch were lost.
  public var hasGap = false
  /// Whether the device was locked, or known to sleep, since the last entry into the background.
  public var wasLockedOrSlept = false
  /// Whether the process ended, so that nothing of the launch is under way any more.
  public var hasEnded = false

  /// Whether the system started the process before the user asked for the app.
  public var isPrewarmed: Bool { reason == .prewarm }
}

/// An interval in which the app was suspended.
public struct Suspension: Hashable, Sendable {
  /// Nanoseconds on the header's clock.
  public var startNanoseconds: Int64
  public var startOrdinal: Int
  /// The first moment after it; nil while it is in force.
  public var endNanoseconds: Int64?
  public var endOrdinal: Int?
  /// Whether it was concluded from silence, not seen.
  public var isInferred: Bool
  /// Whether it is certain: it was seen, or uptime or the process's CPU time stood still too.
  public var isConfirmed: Bool
}

/// What an event did to the life cycle.
public struct LifecycleEffects: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The state after the event differs from the one before.
  public static let stateChanged = LifecycleEffects(rawValue: 1 << 0)
  /// A process was started, or one that was running already was noticed.
  public static let launchBegan = LifecycleEffects(rawValue: 1 << 1)
  /// The launch ended: by exit or kill, by a new start of the process, or by a reboot.
  public static let launchEnded = LifecycleEffects(rawValue: 1 << 2)
  /// Events were lost here.
  public static let gap = LifecycleEffects(rawValue: 1 << 3)
  /// The recording began here in the middle of a life.
  public static let midLife = LifecycleEffects(rawValue: 1 << 4)
  /// A suspension began.
  public static let suspended = LifecycleEffects(rawValue: 1 << 5)
  /// A suspension ended.
  public static let resumed = LifecycleEffects(rawValue: 1 << 6)
  /// The background was reached from a state other than suspended.
  public static let backgroundEntered = LifecycleEffects(rawValue: 1 << 7)
  /// Background or suspension was left for another state.
  public static let leftBackground = LifecycleEffects(rawValue: 1 << 8)
  /// An inferred suspension, in force or ended last, turned out to be certain.
  public static let suspensionConfirmed = LifecycleEffects(rawValue: 1 << 9)
  /// A prewarmed process was launched: its launch has a start and a target now.
  public static let prewarmLaunched = LifecycleEffects(rawValue: 1 << 10)
}
