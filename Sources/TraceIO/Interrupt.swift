// Notes that the user asked for the end with a signal, without doing anything in the handler.

/// Interrupt, termination and hang-up as a flag.
public enum Interrupt {
  // The signal's number, or 0. Written by the signal handler and read by the loop that waits: one
  // aligned word, so no read can see half a write, and the loop asks again after every wait.
  private nonisolated(unsafe) static var raisedSignal: Int32 = 0

  /// From now on a signal to end sets ``isRaised`` instead of ending the process; a second one
  /// ends it.
  public static func catchNext() {
    unsafe raisedSignal = 0
    SystemCalls.onEndSignals { number in
      unsafe Interrupt.raisedSignal = number
      SystemCalls.endAtNext(signal: number)
    }
  }

  /// Whether a signal came since ``catchNext()``.
  public static var isRaised: Bool { unsafe raisedSignal != 0 }

  /// Ends the process as the signal does that nobody catches, so that a shell sees it.
  public static func endProcess() -> Never { unsafe SystemCalls.end(bySignal: raisedSignal) }
}
