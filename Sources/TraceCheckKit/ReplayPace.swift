// When the events of a replay are due.
// This file must not know who waits, and how.

import TraceModel

/// Times of a recording as times of the replay.
struct ReplayPace {
  /// Nobody sits through more, and the times of a damaged capture can be centuries apart.
  static let daysMax: Int64 = 7

  /// How many nanoseconds of the recording pass in one; nil if nothing is waited for.
  let factor: Int64?
  /// When the first event happens again.
  let startNanoseconds: Int64
  private var firstNanoseconds: Int64?

  init(factor: Int64?, startNanoseconds: Int64) {
    self.factor = factor
    self.startNanoseconds = startNanoseconds
  }

  var waits: Bool { factor != nil }

  /// When an event happens again. The first one of the trace does at once, and so does one that the
  /// clock of the recording has before it.
  ///
  /// - Returns: nil if that is too far away.
  mutating func dueNanoseconds(of time: Int64) -> Int64? {
    guard let factor else { return startNanoseconds }
    let first = firstNanoseconds ?? time
    firstNanoseconds = first
    let passed = max(0, time.minus(first)) / max(1, factor)
    guard passed <= Self.daysMax * 86_400_000_000_000 else { return nil }
    return startNanoseconds.plus(passed)
  }
}
