// What a log speaks against an end for a background task that was open for too long, where only
// a code says so. This file must not know any line.

import TraceModel

/// What is known of the time for background tasks of one process.
struct ExpiryDoubt: Sendable {
  /// Whether the time was over, and the app wasn't suspended since nor on the screen.
  private var hasExpired = false
  /// Whether the process was suspended, and not on the screen since.
  private var wasSuspended = false
  /// Whether the log shows each task that may be open.
  private var showsEveryBegin = false

  /// How long after the end of a task that was open for long a kill may still be for it.
  private static let lateNanoseconds: Int64 = 5_000_000_000

  mutating func expire() { hasExpired = true }

  mutating func begin(_ token: LogToken) {
    // Tasks are counted from 1: the first one shows that none was begun before the log.
    if token == .number(1) { showsEveryBegin = true }
  }

  /// Who is suspended has no task whose time is over, nor one that goes on.
  mutating func suspend() {
    wasSuspended = true
    hasExpired = false
    showsEveryBegin = true
  }

  mutating func resume() { showsEveryBegin = true }

  /// On the screen the time begins anew.
  mutating func comeToScreen() {
    hasExpired = false
    wasSuspended = false
  }

  /// What speaks against it at an end, in words; nil if nothing does.
  func contradiction(
    at nanoseconds: Int64, isInForeground: Bool, tasks: TaskLedger, assertionCount: Int
  ) -> String? {
    if hasExpired { return nil }
    if isInForeground, !wasSuspended { return "the app was in the foreground" }
    guard showsEveryBegin, tasks.showsEveryEnd, assertionCount <= 0,
      nanoseconds.minus(tasks.lastLateEndNanoseconds) > Self.lateNanoseconds
    else { return nil }
    return "each task that the log shows was ended"
  }
}
