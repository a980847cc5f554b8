// The monitors that are no combination of patterns.

/// A monitor of its own.
public enum HandWritten: String, CaseIterable, Hashable, Sendable {
  /// Whether background tasks are balanced.
  case backgroundTaskBalance
  /// The budget of a task, or what the last sample of the remaining time says.
  case backgroundTaskBudget
  /// Processor time against run time over a sliding window.
  case backgroundProcessorTime
  /// A completion covers all submits up to it.
  case graphicsSubmits
  /// The measured frame rate against the rate before.
  case frameRateThrottling
  /// A rate that was lowered and not raised again.
  case frameRateRestoring
  /// The table of transitions.
  case transitions
  /// Callbacks that lie in each other.
  case nestedCallbacks
  /// Traffic of peers over several sockets.
  case deadSockets
  /// Two samples of memory compared.
  case footprintFall
  /// Samples of memory compared before a kill.
  case memoryWarnings
  /// One launch compared with the next.
  case restoredState
  /// Times of the wall clock.
  case earliestBegin
  /// Imported exits against the other rules' findings.
  case unexplainedExits
}
