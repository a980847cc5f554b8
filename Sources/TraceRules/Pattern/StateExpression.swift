// In which states of the app a pattern is in scope.

public import TraceLifecycle

/// A condition on the life cycle.
public struct StateExpression: Hashable, Sendable {
  /// The states in which the scope is open.
  public var states: Set<LifecycleState>
  /// True: only while the app has no reason left to run in the background.
  public var withoutReasonToRun: Bool

  public init(_ states: Set<LifecycleState>, withoutReasonToRun: Bool = false) {
    self.states = states
    self.withoutReasonToRun = withoutReasonToRun
  }
}
