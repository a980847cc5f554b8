// Numbers in patterns: written down, or a parameter of the rule that a caller may change.

public import TraceLifecycle
public import TraceModel

/// A number that a pattern compares with.
public enum Amount: Hashable, Sendable {
  /// The rule's parameter of this name, in the parameter's unit.
  case parameter(String)
  /// A number that nobody changes: nanoseconds for times, else a count.
  case fixed(Int64)
  /// A number above those of ``fixed(_:)``, such as a token that an argument is compared with.
  case large(UInt64)
  /// What the opening event says, in units of so many nanoseconds.
  case argument(ArgumentName, unitNanoseconds: Int64)
}

/// The clock on which a time is measured.
public enum Clock: String, CaseIterable, Hashable, Sendable {
  /// The run time of the app: stands still while it is suspended and while the device sleeps.
  case run
  /// Stands still while the app is suspended only.
  case watchdog
  /// The header's clock as it is.
  case continuous
}

/// A length of time on a clock.
public struct Time: Hashable, Sendable {
  public var amount: Amount
  public var clock: Clock
  /// Only time in these states counts; nil: all time.
  public var states: Set<LifecycleState>?

  public init(_ amount: Amount, on clock: Clock = .run, in states: Set<LifecycleState>? = nil) {
    self.amount = amount
    self.clock = clock
    self.states = states
  }

  /// A parameter of the rule, on the clock of run time unless another is named.
  public static func parameter(
    _ name: String, on clock: Clock = .run, in states: Set<LifecycleState>? = nil
  ) -> Time { Time(.parameter(name), on: clock, in: states) }

  /// So many nanoseconds that nobody changes.
  public static func nanoseconds(
    _ count: Int64, on clock: Clock = .run, in states: Set<LifecycleState>? = nil
  ) -> Time { Time(.fixed(count), on: clock, in: states) }
}
