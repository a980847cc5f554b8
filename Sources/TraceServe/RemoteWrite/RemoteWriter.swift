// Sends what a command has to send: a bounded queue, a thread that empties it, and an account of
// what became of everything.

import Foundation
public import TraceExport
import TraceIO
import TraceModel

/// What became of all samples.
public struct RemoteReport: Sendable {
  /// Samples that were refused for one reason.
  public struct Refusal: Sendable {
    /// The receiver's words.
    public var reason: String
    public var sampleCount: Int
  }

  public var sentSampleCount = 0
  /// By the receiver's answer, in the order of the first of each.
  public var refusals: [Refusal] = []
  /// Samples for which there was no time.
  public var unsentSampleCount = 0
  /// Why the last attempt failed.
  public var problem = ""

  public init() {}

  /// Reasons that are told apart: a receiver may name another series in each.
  static let refusalsMax = 8

  /// Whether every sample was taken.
  public var isComplete: Bool { refusals.isEmpty && unsentSampleCount == 0 }

  mutating func addRefusal(_ reason: String, sampleCount: Int) {
    if let place = refusals.firstIndex(where: { $0.reason == reason }) {
      refusals[place].sampleCount += sampleCount
    } else if refusals.count < Self.refusalsMax {
      refusals.append(Refusal(reason: reason, sampleCount: sampleCount))
    } else {
      refusals[Self.refusalsMax - 1].sampleCount += sampleCount
    }
  }
}

/// Sends requests to a receiver while more of them are made.
///
///     let writer = RemoteWriter(target, version: "1", timeoutNanoseconds: 60_000_000_000)
///     metrics.write(run: run, at: moment) { writer.put($0) }
///     let report = writer.finish()
///
/// A class, because two threads share the queue; the lock guards all of its state.
public final class RemoteWriter: @unchecked Sendable {
  /// Requests that wait, and their bytes: who makes more has to wait too.
  public static let batchesMax = 16
  public static let bytesMax = 8 << 20
  /// How long the end of an attempt is waited for that can't be stopped, such as a look-up.
  private static let graceNanoseconds: Int64 = 500_000_000

  private let lock = NSCondition()
  private var queue: [RemoteBatch] = []
  private var queuedByteCount = 0
  private var underWaySampleCount = 0
  private var report = RemoteReport()
  private var isFinished = false
  /// Whether a request couldn't be delivered: then those after it aren't tried.
  private var hasGivenUp = false
  private var hasEnded = false
  /// When it must be over, by the monotonic clock; at once after an interrupt.
  private let deadline: Int64
  private let isInterrupted: @Sendable () -> Bool

  /// Begins to send.
  ///
  /// - Parameters:
  ///   - version: The program's version, told to the receiver.
  ///   - timeoutNanoseconds: For everything together, from now on.
  ///   - isInterrupted: Whether the user wants the end.
  public init(
    _ target: RemoteTarget, version: String, timeoutNanoseconds: Int64,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    let now = ProcessEnvironment.monotonicNanoseconds()
    let (deadline, overflow) = now.addingReportingOverflow(timeoutNanoseconds)
    self.deadline = overflow ? .max : deadline
    self.isInterrupted = isInterrupted
    let thread = Thread { self.work(target, version) }
    thread.name = "remote write"
    thread.start()
  }

  /// Hands over a request, and waits as long as the queue is full.
  public func put(_ batch: RemoteBatch) {
    lock.lock()
    defer { lock.unlock() }
    while !hasEnded, !isOver, queue.count >= Self.batchesMax || queuedByteCount >= Self.bytesMax {
      waitAMoment()
    }
    if hasEnded || isOver {
      report.unsentSampleCount += batch.sampleCount
      return
    }
    queue.append(batch)
    queuedByteCount += batch.body.count
    lock.broadcast()
  }

  /// Waits until everything was sent or the time is over.
  public func finish() -> RemoteReport {
    lock.lock()
    defer { lock.unlock() }
    isFinished = true
    lock.broadcast()
    var end = Int64.max
    while !hasEnded, ProcessEnvironment.monotonicNanoseconds() < end {
      waitAMoment()
      if isOver, end == .max {
        end = ProcessEnvironment.monotonicNanoseconds() + Self.graceNanoseconds
      }
    }
    var report = report
    report.unsentSampleCount +=
      underWaySampleCount + queue.reduce(0) { $0 + $1.sampleCount }
    if report.unsentSampleCount > 0, report.problem.isEmpty {
      report.problem = "the receiver was still waited for"
    }
    return report
  }

  // MARK: The thread

  private func work(_ target: RemoteTarget, _ version: String) {
    var delivery = RemoteDelivery(target, version: version)
    while let batch = take() {
      let outcome = delivery.deliver(
        batch, limit: { self.isInterrupted() ? 0 : self.deadline }, failed: { self.note($0) })
      note(outcome, of: batch)
    }
    lock.lock()
    hasEnded = true
    lock.broadcast()
    lock.unlock()
  }

  private func take() -> RemoteBatch? {
    lock.lock()
    defer { lock.unlock() }
    while queue.isEmpty, !isFinished, !isOver { waitAMoment() }
    if queue.isEmpty || hasGivenUp { return nil }
    let batch = queue.removeFirst()
    queuedByteCount -= batch.body.count
    underWaySampleCount = batch.sampleCount
    lock.broadcast()
    return batch
  }

  private func note(_ problem: String) {
    lock.lock()
    report.problem = problem
    lock.unlock()
  }

  private func note(_ outcome: RemoteDelivery.Outcome, of batch: RemoteBatch) {
    lock.lock()
    underWaySampleCount = 0
    switch outcome {
    case .taken: report.sentSampleCount += batch.sampleCount
    case .refused(let words): report.addRefusal(words, sampleCount: batch.sampleCount)
    case .givenUp(let reason):
      report.unsentSampleCount += batch.sampleCount
      hasGivenUp = true
      if let reason { report.problem = reason }
    }
    lock.unlock()
  }

  // MARK: With the lock

  private var isOver: Bool {
    hasGivenUp || isInterrupted() || ProcessEnvironment.monotonicNanoseconds() >= deadline
  }

  /// Nobody tells of an interrupt or the end of the time.
  private func waitAMoment() { _ = lock.wait(until: Date(timeIntervalSinceNow: 0.1)) }
}
