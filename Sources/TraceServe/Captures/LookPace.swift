// When the directory is looked at next: soon after a hint, and never so often that looking alone
// keeps the machine busy.

import TraceModel

/// The time of the next look. All times are of one clock that never goes back, in nanoseconds.
struct LookPace: Sendable {
  /// When the directory is to be looked at.
  private(set) var nextNanoseconds = Int64.min
  /// When it may be looked at because of a hint.
  private var soonestNanoseconds = Int64.min

  /// The longest time between two looks where the system gives no hints.
  private static let pollNanoseconds: Int64 = 2_000_000_000
  /// The same where it gives them, in case one was lost.
  private static let patientNanoseconds: Int64 = 30_000_000_000
  /// The time between two looks while files are waited for to become quiet.
  static let waitMilliseconds: Int32 = 250
  /// The part of the time that looking may take, as one in so many.
  private static let lookShare: Int64 = 10

  /// Says when the next look is, after one.
  ///
  /// - Parameters:
  ///   - now: When the look and all that it brought up were done.
  ///   - cost: What finding out what there is took. To check captures is no part of it: who held
  ///     that back would be blind after much work.
  ///   - isWaiting: Whether files are waited for to become quiet.
  ///   - hasHints: Whether the system tells of changes everywhere in the directory.
  mutating func looked(at now: Int64, cost: Int64, isWaiting: Bool, hasHints: Bool) {
    let pause = cost * (Self.lookShare - 1)
    let usual = hasHints ? Self.patientNanoseconds : Self.pollNanoseconds
    soonestNanoseconds = now + pause
    nextNanoseconds =
      now + max(pause, isWaiting ? Int64(Self.waitMilliseconds) * 1_000_000 : usual)
  }

  /// Makes the next look the next thing to do.
  mutating func lookAtOnce() { nextNanoseconds = .min }

  /// Brings the next look forward, as something may have changed.
  mutating func takeHint() { nextNanoseconds = min(nextNanoseconds, soonestNanoseconds) }
}
