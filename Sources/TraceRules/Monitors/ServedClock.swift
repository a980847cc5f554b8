// The clock of the remaining time in the background: it stands still while a service runs.
// This file must not know tasks.

import TraceLifecycle
import TraceModel

/// Counts run time while it is told to, but for time in which audio or location is in service
/// under a declared mode.
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
  /// The count and the run time at which the last service ended in this stretch.
  private var pause: (counted: Int64, run: Int64)?

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
    isRunning
      ? sum(counted, difference(judge.runTimeNanoseconds(at: time), sinceRun)) : counted
  }

  /// Time counts from here on, or no longer.
  mutating func setRunning(_ isWanted: Bool, at time: Int64, _ judge: Judge) {
    change(at: time, judge) { $0.isWanted = isWanted }
    pause = nil
  }

  /// What is in service isn't known any more.
  mutating func forgetServices() {
    playing.removeAll()
    recording.removeAll()
    hasTooMany = false
    isLocating = false
  }

  /// Takes the start or the stop of a service.
  mutating func takeService(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let wasServing = isServing
    let time = event.timeNanoseconds
    change(at: time, judge) { $0.apply(event, batch) }
    guard isWanted else { return }
    let run = judge.runTimeNanoseconds(at: time)
    if wasServing && !isServing {
      pause = (counted, run)
    } else if isServing && !wasServing, let pause {
      // A stream that goes on soon has only paused.
      if difference(run, pause.run) <= judge.model.graceNanoseconds { counted = pause.counted }
      self.pause = nil
    }
  }

  private mutating func change(
    at time: Int64, _ judge: Judge, _ body: (inout ServedClock) -> Void
  ) {
    counted = value(at: time, judge)
    body(&self)
    sinceRun = judge.runTimeNanoseconds(at: time)
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
