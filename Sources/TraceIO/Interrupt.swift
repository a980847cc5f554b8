// Notes that the user asked for the end with an interrupt, without doing anything in the handler.

/// The interrupt signal as a flag.
public enum Interrupt {
  // Written by the signal handler and read by the loop that waits: one byte, so no read can see
  // half a write, and the loop asks again after every wait.
  private nonisolated(unsafe) static var wasRaised = false

  /// From now on an interrupt sets ``isRaised`` instead of ending the process; a second one ends
  /// it.
  public static func catchNext() {
    unsafe wasRaised = false
    SystemCalls.onInterrupt { _ in
      unsafe Interrupt.wasRaised = true
      SystemCalls.endAtNextInterrupt()
    }
  }

  /// Whether an interrupt came since ``catchNext()``.
  public static var isRaised: Bool { unsafe wasRaised }
}
