// What runs beside the app: sealing, samples of the clocks, and heartbeats in the background.
// A gap between heartbeats is how a suspension shows: the system doesn't tell the app.

import CTraceAtomics
import TraceFormat
import TraceIO
import TraceModel

/// The recorder's thread and what it does from time to time.
///
/// A class, because the thread and the callers of `stop` share its words.
@safe final class Pulse: @unchecked Sendable {
  private let sealInterval: Int32
  private let heartbeatNanoseconds: Int64
  private let sampleNanoseconds: Int64
  /// Shared words: what is asked of the threads, and how many of them run.
  private let words: UnsafeMutablePointer<UInt64>

  private enum Word {
    static let isStopped = 0
    static let isInBackground = 1
    static let running = 2
  }

  /// How many times as long a silent app waits.
  private static let restFactor: Int32 = 8
  /// A gap of so many periods is a suspension (rules D.10).
  private static let gapPeriods: Int64 = 4
  /// The wall clock was set if it moved by more than this against the continuous one.
  private static let stepNanosecondsMin: Int64 = 1_000_000_000

  init(_ configuration: RecorderConfiguration) {
    sealInterval = max(1, configuration.sealIntervalMilliseconds)
    heartbeatNanoseconds = max(1_000_000, configuration.heartbeatNanoseconds)
    sampleNanoseconds = max(1_000_000, configuration.clockSampleNanoseconds)
    unsafe words = .allocate(capacity: 3)
    unsafe words.initialize(repeating: 0, count: 3)
  }

  deinit { unsafe words.deallocate() }

  private func value(_ word: Int) -> UInt64 { unsafe lct_load_ordered(words + word) }

  func setInBackground(_ isInBackground: Bool) {
    unsafe lct_store_ordered(words + Word.isInBackground, isInBackground ? 1 : 0)
  }

  /// Starts the threads. Without them nothing is sealed until `flush` or `stop`, and no suspension
  /// is inferred.
  func start(journal: Journal, sealer: Sealer) {
    run { [self] in keepSealing(journal, sealer) }
    run { [self] in keepBeating(journal) }
  }

  private func run(_ body: @escaping @Sendable () -> Void) {
    unsafe _ = lct_fetch_add(words + Word.running, 1)
    let isRunning = BackgroundThread.start { [self] in
      body()
      unsafe _ = lct_fetch_add(words + Word.running, .max)
    }
    if !isRunning { unsafe _ = lct_fetch_add(words + Word.running, .max) }
  }

  /// Stops the threads and waits for them. False if that was done before.
  func stop() -> Bool {
    guard unsafe lct_exchange(words + Word.isStopped, 1) == 0 else { return false }
    while value(Word.running) != 0 { ProcessClocks.sleep(milliseconds: 1) }
    return true
  }

  private func keepSealing(_ journal: Journal, _ sealer: Sealer) {
    var lastReserved: UInt64 = 0
    var nextSample = ProcessClocks.continuousNanoseconds() + sampleNanoseconds
    var anchor = ClockAnchor.now()
    // At the start there is nothing to seal.
    wait(sealInterval)
    while value(Word.isStopped) == 0 {
      // A failure stays in the sealer's status, and the next look tries again.
      _ = try? sealer.seal()
      if ProcessClocks.continuousNanoseconds() >= nextSample {
        nextSample = ProcessClocks.continuousNanoseconds() + sampleNanoseconds
        anchor = sampleClocks(journal, after: anchor)
      }
      let reserved = journal.reservedChunks
      wait(reserved == lastReserved ? sealInterval * Self.restFactor : sealInterval)
      lastReserved = reserved
    }
  }

  /// Sleeps in small parts, so that stopping doesn't take long.
  private func wait(_ milliseconds: Int32) {
    var rest = milliseconds
    while rest > 0, value(Word.isStopped) == 0 {
      ProcessClocks.sleep(milliseconds: min(rest, 20))
      rest -= 20
    }
  }

  func sampleClocks(_ journal: Journal) {
    guard var event = journal.open(.traceClockSync, .instant, slotsMax: 4) else { return }
    event.add(ClockAnchor.now())
    event.commit()
  }

  /// Samples the clocks, and says so if the wall clock was set since the sample before.
  private func sampleClocks(_ journal: Journal, after old: ClockAnchor) -> ClockAnchor {
    let new = ClockAnchor.now()
    let expected =
      old.wallNanoseconds &+ new.continuousNanoseconds &- old.continuousNanoseconds
    if (new.wallNanoseconds &- expected).magnitude > Self.stepNanosecondsMin.magnitude,
      var event = journal.open(.traceClockStep, .instant, slotsMax: 3)
    {
      event.add(.oldWallNs, expected)
      event.add(.newWallNs, new.wallNanoseconds)
      event.commit()
    }
    sampleClocks(journal)
    return new
  }

  // Heartbeats.

  private struct Beat {
    var continuous = ProcessClocks.continuousNanoseconds()
    var uptime = ProcessClocks.uptimeNanoseconds()
    var processor = ProcessClocks.processorNanoseconds()
  }

  private func keepBeating(_ journal: Journal) {
    let period = Int32(clamping: max(1, heartbeatNanoseconds / 1_000_000))
    var last: Beat?
    while value(Word.isStopped) == 0 {
      if value(Word.isInBackground) == 0 {
        last = nil
        wait(period)
        continue
      }
      let beat = Beat()
      if let last { noteGap(from: last, to: beat, journal) }
      if var event = journal.open(.workSample, .instant, slotsMax: 4, time: beat.continuous) {
        event.add(.label, "heartbeat" as StaticString)
        event.commit()
      }
      last = beat
      ProcessClocks.sleep(milliseconds: period)
    }
  }

  /// Infers a suspension from a gap, if uptime or the process's own time also stood still: a slow
  /// or stopped process alone is none.
  private func noteGap(from last: Beat, to beat: Beat, _ journal: Journal) {
    let gap = beat.continuous - last.continuous
    guard gap > Self.gapPeriods * heartbeatNanoseconds else { return }
    let isAsleep = beat.uptime - last.uptime < gap / 2
    let isIdle = beat.processor - last.processor < heartbeatNanoseconds / 10
    guard isAsleep || isIdle else { return }
    if var event = journal.open(.procSuspend, .instant, slotsMax: 8, time: last.continuous) {
      event.add(.inferred, true)
      event.add(.evidence, "heartbeat_gap" as StaticString)
      event.commit()
    }
    if var event = journal.open(.procResume, .instant, slotsMax: 3, time: beat.continuous) {
      event.add(.inferred, true)
      event.add(.gapNs, gap)
      event.commit()
    }
    sampleClocks(journal)
  }
}
