// The clock of a replay: it stands still until the driver or the app lets time pass.
// This file must not know what happens at a time.

import TraceModel

/// Work of the app that waits for its time.
struct DelayedWork {
  var timeNanoseconds: Int64
  var thread: Int64
  var action: () -> Void
}

/// Virtual time, and what the app wants to do later.
struct VirtualTime {
  /// Nanoseconds on the clock of the recording.
  var nowNanoseconds: Int64 = 0
  /// When the process ends in the recording: nothing that it does comes later.
  var endNanoseconds = Int64.max
  /// Whether the app can run.
  var isRunning = true
  /// In the order in which it was handed in.
  private var waiting: [DelayedWork] = []

  mutating func add(
    _ nanoseconds: Int64, thread: Int64, _ action: @escaping () -> Void
  ) {
    let (time, isOver) = nowNanoseconds.addingReportingOverflow(max(0, nanoseconds))
    waiting.append(
      DelayedWork(timeNanoseconds: isOver ? .max : time, thread: thread, action: action))
  }

  /// Takes what is due first, and moves the clock to its time.
  ///
  /// - Parameter isMainBusy: Whether the main thread is inside a call, so that its work waits.
  mutating func takeDue(until limit: Int64, isMainBusy: Bool) -> DelayedWork? {
    guard isRunning else { return nil }
    var first: Int?
    for place in waiting.indices where !isMainBusy || waiting[place].thread != 1 {
      if first.map({ waiting[place].timeNanoseconds < waiting[$0].timeNanoseconds }) ?? true {
        first = place
      }
    }
    guard let first, waiting[first].timeNanoseconds <= min(limit, endNanoseconds) else {
      return nil
    }
    let work = waiting.remove(at: first)
    nowNanoseconds = max(nowNanoseconds, work.timeNanoseconds)
    return work
  }

  /// Moves all work by a time in which the app was suspended.
  mutating func delay(by nanoseconds: Int64) {
    for place in waiting.indices {
      let (time, isOver) = waiting[place].timeNanoseconds.addingReportingOverflow(nanoseconds)
      waiting[place].timeNanoseconds = isOver ? .max : time
    }
  }

  mutating func removeAll() { waiting.removeAll() }
}
