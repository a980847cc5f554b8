// Work on several threads, with results in order and few of them ahead of their turn.
// This file must not know what the work is.

import TraceIO

/// Numbered pieces of work whose results are taken in their order, whichever is done first.
///
/// A class, because threads share it: what changes is touched under the lock alone.
final class OrderedWork<Result: Sendable>: @unchecked Sendable {
  /// Does the piece with a number. Each is made on the thread that it is for.
  typealias Worker = (Int) -> Result

  private let count: Int
  private let lock = SystemLock()
  /// Pieces that may be begun: memory is bounded by the results that nobody has taken.
  private let room: SystemGate
  /// Given once for each result.
  private let done: SystemGate
  private var next = 0
  private var results: [Int: Result] = [:]
  private var isStopped = false

  /// As large as the stack of a program's first thread: patterns and nested values are followed
  /// by recursion.
  private var stackBytes: Int { 8 << 20 }

  /// Begins with the first pieces. Nil if the system has no threads to give.
  ///
  /// - Parameters:
  ///   - aheadMax: Results that may wait for their turn, with those in the making.
  ///   - makeWorker: Makes what does the work on one thread.
  init?(
    count: Int, threads: Int, aheadMax: Int, makeWorker: @escaping @Sendable () -> Worker
  ) {
    guard let room = SystemGate(count: aheadMax), let done = SystemGate(count: 0) else {
      return nil
    }
    self.count = count
    self.room = room
    self.done = done
    var started = 0
    for _ in 0..<min(threads, count) {
      if BackgroundThread.start(stackBytes: stackBytes, { self.work(makeWorker()) }) {
        started += 1
      }
    }
    if started == 0 { return nil }
  }

  private func work(_ worker: Worker) {
    while true {
      room.wait()
      let number: Int? = lock.withLock {
        guard !isStopped, next < count else { return nil }
        next += 1
        return next - 1
      }
      guard let number else {
        // Whoever else waits finds the same.
        room.signal()
        return
      }
      let result = worker(number)
      lock.withLock { results[number] = result }
      done.signal()
    }
  }

  /// The result of a piece; waits until it is there. They are taken in order, each once.
  func take(_ number: Int) -> Result {
    while true {
      if let result = lock.withLock({ results.removeValue(forKey: number) }) {
        room.signal()
        return result
      }
      done.wait()
    }
  }

  /// Has nothing more begun.
  func stop() {
    lock.withLock { isStopped = true }
    room.signal()
  }
}
