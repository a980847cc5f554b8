// Permits that threads take and give: who finds none waits.

import CTraceAtomics

/// A counted number of permits.
@safe public final class SystemGate: @unchecked Sendable {
  private let gate: UnsafeMutableRawPointer

  /// Nil if the system has no memory for it.
  ///
  /// - Parameter count: Permits that are there from the start.
  public init?(count: Int) {
    guard let gate = unsafe lct_gate_create(count) else { return nil }
    unsafe self.gate = gate
  }

  // Made by the call that destroys it; nobody waits once its last owner is gone.
  deinit { unsafe lct_gate_destroy(gate) }

  /// Takes a permit, and waits for one if there is none.
  public func wait() { unsafe lct_gate_wait(gate) }

  /// Gives a permit.
  public func signal() { unsafe lct_gate_signal(gate) }
}

/// What the machine can do at once.
public enum ProcessorCores {
  /// How many threads run at the same time; at least 1.
  public static var count: Int { lct_core_count() }
}
