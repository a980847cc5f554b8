// The clock of the remaining time in the background: it stands still while a service runs.
// This file must not know tasks.

import TraceLifecycle
import TraceModel

/// Counts run time while it is told to, but for time in which audio or location is in service
/// under a declared mode. A service that goes on within the grace has only paused, so that the time
/// since its stop counts when the grace is over, and not before.
struct ServedClock {
  /// Streams followed at once; beyond it the service counts as running until all are stopped.
  private static let streamsMax = 4_096

  private var hasAudioMode = false
  private var hasLocationMode = false
  private var playing: Set<ArgumentKey> = []
  private var recording: Set<ArgumentKey> = []
  private var hasTooMany = false
  private var isLocating = false
  private var isWanted = false
  private var counted: Int64 = 0
  private var sinceRun: Int64 = 0
  /// The run time at which the last service ended; nil if none did.
  private var pauseRun: Int64?

  init() {}

  init(_ judge: Judge) {
    let modes = judge.header.strings(.backgroundModes)
    hasAudioMode = modes?.contains("audio") ?? true
    hasLocationMode = modes?.contains("location") ?? true
  }

  /// Whether a service runs.
  var isServing: Bool {
    (hasAudioMode && (hasTooMany || !playing.isEmpty || !recording.isEmpty))
      || (hasLocationMode && isLocating)
  }

  /// Whether time counts now.
  var isRunning: Bool { isWanted && !isServing }

  /// What the clock shows at a time not before the last event.
  func value(at time: Int64, _ judge: Judge) -> Int64 {
    pauseLeft(judge.runTimeNanoseconds(at: time), judge) < 0 ? mark(at: time, judge) : counted
  }

  /// What the clock shows if what may be a pause of a service is none: to count from.
  func mark(at time: Int64, _ judge: Judge) -> Int64 {
    isRunning
      ? sum(counted, difference(judge.runTimeNanoseconds(at: time), sinceRun)) : counted
  }

  /// The run time for which a service may still go on as if it had only paused; less than 0 if it
  /// can't any more.
  private func pauseLeft(_ run: Int64, _ judge: Judge) -> Int64 {
    guard let pauseRun else { return -1 }
    return difference(sum(pauseRun, judge.model.graceNanoseconds), run)
  }

  /// The last moment at which the clock can't show more than a value if nothing happens.
  func time(of value: Int64, now: Int64, _ judge: Judge) -> Int64 {
    let left = max(0, difference(value, mark(at: now, judge)))
    return sum(now, max(left, pauseLeft(judge.runTimeNanoseconds(at: now), judge)))
  }

  /// Time counts from here on, or no longer.
  mutating func setRunning(_ isWanted: Bool, at time: Int64, _ judge: Judge) {
    // Marks that were made in what may be a pause are kept: no later stretch may count less.
    counted = mark(at: time, judge)
    self.isWanted = isWanted
    sinceRun = judge.runTimeNanoseconds(at: time)
  }

  /// What is in service isn't known any more.
  mutating func forgetServices() {
    playing.removeAll()
    recording.removeAll()
    hasTooMany = false
    isLocating = false
    pauseRun = nil
  }

  /// Takes the start or the stop of a service.
  ///
  /// - Returns: What the clock shows where the service had only paused, so that no mark is later;
  ///   nil where it hadn't.
  mutating func takeService(_ event: Event, _ batch: EventBatch, _ judge: Judge) -> Int64? {
    let wasServing = isServing
    let time = event.timeNanoseconds
    let shown = value(at: time, judge)
    let run = judge.runTimeNanoseconds(at: time)
    apply(event, batch)
    guard isServing != wasServing else { return nil }
    let hadPaused = isServing && pauseLeft(run, judge) >= 0
    counted = shown
    sinceRun = run
    pauseRun = isServing ? nil : run
    return hadPaused ? counted : nil
  }

  private mutating func apply(_ event: Event, _ batch: EventBatch) {
    switch event.kind {
    case .audioPlay: take(event, batch, \.playing)
    case .audioRecord: take(event, batch, \.recording)
    default:
      if batch.bits(.service, of: event) == nil || batch.isText(.service, "standard", of: event) {
        isLocating = event.kind == .locStart
      }
    }
  }

  private mutating func take(
    _ event: Event, _ batch: EventBatch, _ streams: WritableKeyPath<Self, Set<ArgumentKey>>
  ) {
    let stream = batch.key(.stream, of: event)
    if batch.isText(.op, "start", of: event) {
      if self[keyPath: streams].count < Self.streamsMax {
        self[keyPath: streams].insert(stream)
      } else {
        hasTooMany = true
      }
    } else if batch.isText(.op, "stop", of: event) {
      if stream == .absent {
        // A stop that doesn't say what it stops, stops all.
        self[keyPath: streams].removeAll()
        hasTooMany = false
      } else {
        self[keyPath: streams].remove(stream)
      }
    }
  }
}
