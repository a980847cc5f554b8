// Two records of one end, as one. This file must not know in which line or report they stand.

extension ExitRecord {
  /// The record that explains most; among equals this one. What an app prints of a crash is told
  /// with the signal of the lines that follow.
  func joined(with other: ExitRecord) -> ExitRecord {
    if other.rank > rank {
      var richer = other
      richer.isMetalRefusal = isMetalRefusal || other.isMetalRefusal
      return richer
    }
    guard cause == "crash", other.cause == "crash", code == nil, namespace == nil,
      signal == nil || other.namespace != nil
    else { return self }
    var joined = self
    joined.signal = other.signal ?? signal
    joined.namespace = other.namespace
    joined.isMetalRefusal = isMetalRefusal || other.isMetalRefusal
    return joined
  }

  /// Whether another record says all that this one does of why the process ended.
  func saysNoMore(than other: ExitRecord) -> Bool {
    cause == other.cause && (code == nil || code == other.code)
      && (signal == nil || signal == other.signal)
      && (watchdogEvent == nil || watchdogEvent == other.watchdogEvent)
      && (allowanceSeconds == nil || allowanceSeconds == other.allowanceSeconds)
  }
}
