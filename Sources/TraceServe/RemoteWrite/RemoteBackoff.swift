// How long a sender waits before it tries again.

import TraceModel

/// Waits that double up to a limit, each half by chance: many senders that were cut off at once
/// mustn't come back at once.
struct RemoteBackoff {
  static let firstNanoseconds: Int64 = 100_000_000
  static let longestNanoseconds: Int64 = 5_000_000_000
  /// The longest wait that a receiver can ask for.
  static let retryAfterSecondsMax: Int64 = 60

  private var nextNanoseconds = firstNanoseconds

  /// The wait after another failure.
  ///
  /// - Parameter chance: A number from 0 to 1.
  mutating func wait(chance: Double) -> Int64 {
    let whole = nextNanoseconds
    nextNanoseconds = min(2 * whole, Self.longestNanoseconds)
    return whole / 2 + Int64(Double(whole / 2) * min(max(chance, 0), 1))
  }

  /// What a receiver asked for, within the limit.
  static func nanoseconds(retryAfterSeconds: Int64) -> Int64 {
    min(max(retryAfterSeconds, 0), retryAfterSecondsMax) * 1_000_000_000
  }

  mutating func reset() { nextNanoseconds = Self.firstNanoseconds }
}
