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

  /// Whether nothing that both records say of why the process ended differs.
  func agrees(with other: ExitRecord) -> Bool {
    func agree<Value: Equatable>(_ one: Value?, _ another: Value?) -> Bool {
      one == nil || another == nil || one == another
    }
    return cause == other.cause && agree(code, other.code) && agree(signal, other.signal)
      && agree(watchdogEvent, other.watchdogEvent)
      && agree(allowanceSeconds, other.allowanceSeconds)
  }
}
