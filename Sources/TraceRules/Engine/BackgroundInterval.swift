// Stretches of time in the background, as the monitors of one trace share them.

import TraceModel

/// A stretch of time in the background: from an entry or a resume to the next leaving or resume.
struct BackgroundInterval {
  var number = 0
  /// Whether the app is in it now.
  var isOpen = false
  var startNanoseconds: Int64 = 0
  /// The thread and time of the callback by whose return the background was entered; nil if it was
  /// entered otherwise.
  var callback: (thread: Int64, timeNanoseconds: Int64)?
  /// The events that put the app there.
  var witness: [PendingWitness] = []
  /// The enter of the callback whose return put the app there; nil if none did.
  var callbackEnter: PendingWitness?

  /// Takes note of the event with which the state became background.
  mutating func noteEntry(_ event: Event) {
    let isReturn = event.phase != .enter && Engine.callbacksIntoBackground.contains(event.kind)
    callback = isReturn ? (event.thread, event.timeNanoseconds) : nil
  }

  /// Whether an event is on another thread than the callback that entered the background, and not
  /// later after it than this.
  func isLate(_ event: Event, by nanoseconds: Int64) -> Bool {
    guard isOpen, let callback else { return false }
    return callback.thread != event.thread
      && event.timeNanoseconds <= sum(callback.timeNanoseconds, nanoseconds)
  }
}

/// A stay in the background, suspensions included: from an entry to the next leaving.
struct BackgroundStay {
  var isOpen = false
  /// Run time at which the state became background.
  var startRunNanoseconds: Int64 = 0
  var witness: [PendingWitness] = []
}
