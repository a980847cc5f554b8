// Judges all mutants of a capture on several threads. This file must not know what is judged.

import Dispatch
import TraceIO

/// A class, as its threads share the counts.
final class DamageWorkers: @unchecked Sendable {
  private let lock = SystemLock()
  private var tally = DamageTally()
  private var failure: (any Error)?

  /// Judges every mutation once.
  ///
  /// - Parameter judging: Makes the judge of a thread.
  func run<Judge: DamageJudge>(
    _ mutations: Mutations, jobs: Int, _ judging: @Sendable (_ worker: Int) throws -> Judge
  ) throws -> DamageTally {
    DispatchQueue.concurrentPerform(iterations: jobs) { worker in
      var own = DamageTally()
      do {
        var judge = try judging(worker)
        for number in stride(from: worker, to: mutations.count, by: jobs) {
          try judge.judge(mutations[number], &own)
        }
      } catch {
        lock.withLock { failure = error }
      }
      lock.withLock { tally.add(own) }
    }
    return try lock.withLock {
      if let failure { throw failure }
      return tally
    }
  }
}
