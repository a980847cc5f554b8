// One set of totals after the other, on its way to the receiver: what is sent, what is replaced,
// and what people are told of it. This file must not know threads.

import TraceExport
import TraceIO
import TraceModel

/// Sends totals, and remembers what the receiver has taken.
struct PushRound: ~Copyable {
  /// What is sent at one time.
  struct Totals {
    var metrics: MetricSet
    var run: MetricRun
    /// Series that an earlier run may have sent.
    var shown: SeenSeries
  }

  private let settings: RemoteWriteSettings
  private var delivery: RemoteDelivery
  private var seen: SeenSeries?
  /// When totals were last sent, or when the server began: nothing was counted then of a series
  /// that appears since.
  private var lastMilliseconds: Int64
  /// Whether the newest totals took the place of older ones last time: then these are sent to the
  /// end, so that no series waits for ever.
  private var hasReplaced = false
  /// When requests began to fail; nil while they don't.
  private var failingSince: Int64?
  private var lastReason: String?
  /// What was told of refusals; nil while nothing is refused.
  private var toldRefusal: String?

  init(_ settings: RemoteWriteSettings, version: String) {
    self.settings = settings
    delivery = RemoteDelivery(settings.target, version: version)
    lastMilliseconds = ProcessEnvironment.nanosecondsSince1970() / 1_000_000
  }

  /// Sends totals until they are taken, refused or replaced, or the time is over.
  ///
  /// - Parameters:
  ///   - isStale: Whether newer totals are due.
  ///   - isEnding: Whether the server ends, and these totals aren't the last ones.
  ///   - limit: When it must be over at the latest, by the monotonic clock.
  ///   - count: Changes what is known to have become of samples.
  ///   - warn: Called with sentences for the terminal.
  mutating func push(
    _ totals: Totals, isStale: () -> Bool, isEnding: () -> Bool, limit: () -> Int64,
    count: ((inout RemoteWriteCounts) -> Void) -> Void, warn: (String) -> Void
  ) {
    let batches = batches(of: totals)
    var waiting = batches.reduce(0) { $0 + $1.sampleCount }
    var hasFailed = false
    var hasRefused = false
    let mayReplace = !hasReplaced
    hasReplaced = false
    for batch in batches {
      if isEnding() || hasFailed && mayReplace && isStale() {
        hasReplaced = true
        count { $0.supersededSamples += UInt64(waiting) }
        break
      }
      count { $0.pendingSamples = UInt64(waiting) }
      let outcome = deliver(batch, limit, &hasFailed, count, warn)
      waiting -= batch.sampleCount
      switch outcome {
      case .taken:
        seen?.insert(batch)
        count { $0.sentSamples += UInt64(batch.sampleCount) }
        tellRecovery(warn)
      case .refused(let words):
        hasRefused = true
        count { $0.refusedSamples += UInt64(batch.sampleCount) }
        tellRecovery(warn)
        tell(refusal: words, batch.sampleCount, warn)
      case .givenUp:
        let rest = waiting + batch.sampleCount
        count { $0.pendingSamples = UInt64(rest) }
        // There are newer ones, which are given up too.
        if isEnding() { return }
        let reason = lastReason.map { ": \($0)" } ?? ""
        warn("\(settings.target.shown): the last \(rest) samples weren't sent\(reason)")
        return
      }
    }
    count { $0.pendingSamples = 0 }
    if !hasRefused, !hasReplaced, toldRefusal != nil {
      toldRefusal = nil
      warn("\(settings.target.shown) takes all samples again")
    }
  }

  /// The requests that bring totals over.
  private mutating func batches(of totals: Totals) -> [RemoteBatch] {
    let seen = seen ?? totals.shown
    self.seen = seen
    // A clock that was set back must not make samples that are older than the ones before.
    let now = max(
      ProcessEnvironment.nanosecondsSince1970() / 1_000_000, lastMilliseconds + 1)
    let moment = RemoteMoment(milliseconds: now, zeroMilliseconds: lastMilliseconds)
    lastMilliseconds = now
    var batches: [RemoteBatch] = []
    totals.metrics.write(run: totals.run, at: moment, labels: settings.labels, seen: seen) {
      batches.append($0)
    }
    return batches
  }

  private mutating func deliver(
    _ batch: RemoteBatch, _ limit: () -> Int64, _ hasFailed: inout Bool,
    _ count: ((inout RemoteWriteCounts) -> Void) -> Void, _ warn: (String) -> Void
  ) -> RemoteDelivery.Outcome {
    var reasons = 0
    var since = failingSince
    var last = lastReason
    let shown = settings.target.shown
    let outcome = delivery.deliver(batch, limit: limit) { reason in
      reasons += 1
      last = reason
      count { $0.failedRequests += 1 }
      if since == nil {
        since = ProcessEnvironment.monotonicNanoseconds()
        warn("\(shown) can't be sent to, which is tried again and again: \(reason)")
      }
    }
    failingSince = since
    lastReason = last
    hasFailed = hasFailed || reasons > 0
    return outcome
  }

  private mutating func tellRecovery(_ warn: (String) -> Void) {
    guard let since = failingSince else { return }
    failingSince = nil
    lastReason = nil
    let seconds = (ProcessEnvironment.monotonicNanoseconds() - since) / 1_000_000_000
    warn("\(settings.target.shown) can be sent to again, after \(seconds) s")
  }

  /// Tells of a refusal once, until something else is refused or nothing any more.
  private mutating func tell(refusal words: String, _ sampleCount: Int, _ warn: (String) -> Void) {
    // Words name the sample that was found first, and that changes.
    let status = String(words.prefix(3))
    if toldRefusal == status { return }
    toldRefusal = status
    warn("\(settings.target.shown) refused \(sampleCount) samples: \(words)")
  }
}
