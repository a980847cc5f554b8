// Sends the metrics of a server at an interval, on a thread of its own: who comes to look at a page
// never waits for the receiver. This file must not know files or pages.

import Foundation
public import TraceExport
import TraceIO
import TraceModel

/// Where and how often a server sends its metrics.
public struct RemoteWriteSettings: Sendable {
  public var target: RemoteTarget
  /// Labels that all series get.
  public var labels = RemoteLabels()
  /// From one time to the next.
  public var intervalNanoseconds: Int64 = 15_000_000_000

  public init(_ target: RemoteTarget) { self.target = target }
}

/// Sends totals again and again.
///
/// There is one set of totals under way at a time. Counters only grow, so that the newest totals
/// say all that older ones did: what waits for a receiver that can't take it is replaced by them,
/// and nothing is lost but how a number grew meanwhile. A request that was begun is never replaced:
/// it is sent again as it is until the receiver takes or refuses it, since it may have taken it
/// already.
///
/// A class, because the server's thread and its own share it; the lock guards its state.
final class RemotePusher: @unchecked Sendable {
  /// How long the end of the server waits for the receiver.
  static let finishNanosecondsMax: Int64 = 5_000_000_000

  private let settings: RemoteWriteSettings
  private let version: String
  private let catalogue: CaptureCatalogue
  private let warn: @Sendable (String) -> Void
  private let lock = NSCondition()
  private var known = RemoteWriteCounts()
  private var last: MetricSet?
  /// When all must be over; nil while the server runs.
  private var endNanoseconds: Int64?
  private var isStarted = false
  private var hasEnded = false

  /// - Parameter warn: Called with sentences for the terminal.
  init(
    _ settings: RemoteWriteSettings, version: String, catalogue: CaptureCatalogue,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.settings = settings
    self.version = version
    self.catalogue = catalogue
    self.warn = warn
  }

  /// What became of samples until now.
  var counts: RemoteWriteCounts {
    lock.lock()
    defer { lock.unlock() }
    return known
  }

  /// Begins to send.
  func start() {
    isStarted = true
    let thread = Thread { self.work() }
    thread.name = "remote write"
    thread.start()
  }

  /// Sends the last totals, and waits for that a moment.
  ///
  /// - Parameter metrics: Everything that was counted.
  func finish(_ metrics: MetricSet) {
    guard isStarted else { return }
    lock.lock()
    defer { lock.unlock() }
    last = metrics
    let end = ProcessEnvironment.monotonicNanoseconds() + Self.finishNanosecondsMax
    endNanoseconds = end
    lock.broadcast()
    // A look-up can't be stopped: the process ends without it.
    let grace: Int64 = 500_000_000
    while !hasEnded, ProcessEnvironment.monotonicNanoseconds() < end + grace {
      _ = lock.wait(until: Date(timeIntervalSinceNow: 0.1))
    }
    if !hasEnded { warn("\(settings.target.shown): the last totals weren't sent") }
  }

  // MARK: The thread

  private func work() {
    var round = PushRound(settings, version: version)
    var next = ProcessEnvironment.monotonicNanoseconds() + settings.intervalNanoseconds
    while true {
      let isLast = waitUntil(next)
      if let totals = totals(isLast: isLast) {
        let due = next.addingReportingOverflow(settings.intervalNanoseconds)
        let dueNanoseconds = due.overflow ? Int64.max : due.partialValue
        round.push(
          totals,
          isStale: { ProcessEnvironment.monotonicNanoseconds() >= dueNanoseconds },
          isEnding: { self.isEnding != isLast },
          limit: { self.limit }, count: { self.count($0) }, warn: warn)
      } else if isLast {
        warn(
          "\(settings.target.shown): the last totals weren't sent, as the captures of the state"
            + " weren't read again yet")
      }
      if isLast { break }
      // Times that have passed are left out.
      let now = ProcessEnvironment.monotonicNanoseconds()
      next += max(1, (now - next) / settings.intervalNanoseconds + 1) * settings.intervalNanoseconds
    }
    lock.lock()
    hasEnded = true
    lock.broadcast()
    lock.unlock()
  }

  private var isEnding: Bool {
    lock.lock()
    defer { lock.unlock() }
    return endNanoseconds != nil
  }

  private var limit: Int64 {
    lock.lock()
    defer { lock.unlock() }
    return endNanoseconds ?? .max
  }

  private func count(_ change: (inout RemoteWriteCounts) -> Void) {
    lock.lock()
    change(&known)
    lock.unlock()
  }

  /// Waits for a time, and returns whether the end came.
  private func waitUntil(_ next: Int64) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    while endNanoseconds == nil {
      let rest = next - ProcessEnvironment.monotonicNanoseconds()
      if rest <= 0 { return false }
      _ = lock.wait(until: Date(timeIntervalSinceNow: Double(rest) / 1e9))
    }
    return true
  }

  // MARK: Totals

  /// What there is to send; nil if what an earlier run counted isn't known yet.
  private func totals(isLast: Bool) -> PushRound.Totals? {
    var numbers = numbers()
    // The news of the worker may still be on their way.
    var attemptsLeft = isLast ? 20 : 0
    while numbers.shown == nil, attemptsLeft > 0 {
      RemoteHost.pause(milliseconds: 50)
      numbers = self.numbers()
      attemptsLeft -= 1
    }
    guard let shown = numbers.shown else { return nil }
    lock.lock()
    defer { lock.unlock() }
    return PushRound.Totals(
      metrics: isLast ? last ?? numbers.metrics : numbers.metrics,
      run: numbers.run(version: version, remoteWrite: known), shown: shown)
  }

  private func numbers() -> CaptureCatalogue.Numbers {
    let answer = Answer()
    let catalogue = catalogue
    Task { answer.give(await catalogue.numbers) }
    return answer.wait()
  }

  /// Carries a value from a task to the thread.
  ///
  /// A class, because both share it; the semaphore orders what they do.
  private final class Answer: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private var numbers: CaptureCatalogue.Numbers?

    func give(_ numbers: CaptureCatalogue.Numbers) {
      self.numbers = numbers
      semaphore.signal()
    }

    func wait() -> CaptureCatalogue.Numbers {
      while true {
        semaphore.wait()
        if let numbers { return numbers }
      }
    }
  }
}
