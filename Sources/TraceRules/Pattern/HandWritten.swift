// The monitors that are no combination of patterns.

/// A monitor of its own.
public enum HandWritten: String, CaseIterable, Hashable, Sendable {
  /// LC001.
  case backgroundTaskBalance
  /// LC105: the budget of a task, or what the last sample of the remaining time says.
  case backgroundTaskBudget
  /// LC207: processor time against run time over a sliding window.
  case backgroundProcessorTime
  /// LC401: a completion covers all submits up to it.
  case graphicsSubmits
  /// LC405: the measured frame rate against the rate before.
  case frameRateThrottling
  /// LC407: a rate that was lowered and not raised again.
  case frameRateRestoring
  /// LC501: the table of transitions.
  case transitions
  /// LC520: callbacks that lie in each other.
  case nestedCallbacks
  /// LC704: traffic of peers over several sockets.
  case deadSockets
  /// LC842: two samples of memory compared.
  case footprintFall
  /// LC843: samples of memory compared before a kill.
  case memoryWarnings
  /// LC854: one launch compared with the next.
  case restoredState
  /// LM06: times of the wall clock.
  case earliestBegin
  /// LM20: imported exits against the other rules' findings.
  case unexplainedExits
}
