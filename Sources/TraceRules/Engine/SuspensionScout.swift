// Looks ahead whether an inferred suspension was one: the app may have run in it.

import TraceLifecycle
import TraceModel

/// Follows the events after an inferred suspension until it is decided whether it was one.
///
/// It was none if only a running app can have had an event in it: more than the tolerance after its
/// beginning, and more than the tolerance before its end.
struct SuspensionScout {
  /// The place of the suspension in the trace.
  let ordinal: Int
  private var model: LifecycleModel
  private let startNanoseconds: Int64
  private let toleranceNanoseconds: Int64
  /// The first event that shows that the app ran.
  private var runningNanoseconds: Int64?
  /// The events that show it, as evidence.
  private(set) var proof: [WitnessEvent] = []

  /// Nil if the event doesn't suspend the app.
  init?(_ event: Event, in batch: EventBatch, _ judge: Judge) {
    model = judge.model
    guard model.apply(event, in: batch).contains(.suspended) else { return nil }
    ordinal = event.ordinal
    startNanoseconds = event.timeNanoseconds
    toleranceNanoseconds = judge.toleranceNanoseconds
  }

  /// Takes the next event, and says whether the app was suspended; nil if that isn't decided.
  mutating func take(_ event: Event, in batch: EventBatch) -> Bool? {
    let isReal = decide(event, in: batch)
    if isReal == false { proof.append(batch.witness(event, role: "void")) }
    return isReal
  }

  private mutating func decide(_ event: Event, in batch: EventBatch) -> Bool? {
    model.apply(event, in: batch)
    let time = event.timeNanoseconds
    if model.suspension?.isInferred != true { return end(at: time) }
    if let running = runningNanoseconds {
      return time > sum(running, toleranceNanoseconds) ? false : nil
    }
    if time > sum(startNanoseconds, toleranceNanoseconds), Self.provesRunning(event, batch) {
      runningNanoseconds = time
      proof.append(batch.witness(event, role: "void"))
    }
    return nil
  }

  /// Whether the app was suspended if that ended at a time.
  func end(at time: Int64) -> Bool {
    guard let running = runningNanoseconds else { return true }
    return time <= sum(running, toleranceNanoseconds)
  }

  /// Whether nothing but a running app can have an event: its work, or a call into it.
  static func provesRunning(_ event: Event, _ batch: EventBatch) -> Bool {
    ListenRows.callbackKinds.contains(event.kind)
      || (AppWork.kinds.contains(event.kind) && AppWork.counts(event, in: batch))
  }
}

extension Engine {
  /// Events held at most while it isn't decided whether the app was suspended.
  private static let heldMax = 65_536

  /// Hands events on to be judged, but for those that wait for the decision on a suspension.
  func sift(_ batch: EventBatch, _ range: Range<Int>, _ anomalies: [SpanAnomaly]) {
    var start = range.lowerBound
    while start < range.upperBound {
      if scout == nil {
        guard let stop = judgeEvents(batch, start..<range.upperBound, anomalies) else { return }
        for index in stop..<range.upperBound { hold(index, batch, anomalies) }
        return
      }
      hold(start, batch, anomalies)
      let event = batch.event(at: start)
      start += 1
      if let isReal = scout?.take(event, in: batch) {
        release(isReal)
      } else if held.isFull || held.batch.count >= Self.heldMax {
        release(true)
      }
    }
  }

  private func hold(_ index: Int, _ batch: EventBatch, _ anomalies: [SpanAnomaly]) {
    for var anomaly in anomalies where anomaly.index == index {
      anomaly.index = held.batch.count
      heldAnomalies.append(anomaly)
    }
    held.copy(index, of: batch)
  }

  /// Has the events that were held judged.
  func release(_ isReal: Bool) {
    guard let decided = scout else { return }
    scout = nil
    decision = (decided.ordinal, isReal, decided.proof)
    var batch = EventBatch()
    held.take(into: &batch)
    let anomalies = heldAnomalies
    heldAnomalies.removeAll()
    sift(batch, 0..<batch.count, anomalies)
  }

  /// Has the events that were held judged, as nothing that comes later can decide: at the end, or
  /// before events that were lost.
  func releaseAll(endingAt time: Int64) {
    while let scout { release(scout.end(at: time)) }
  }

  /// Whether it is decided if the app was suspended at an event; looks ahead in the part at hand.
  func isDecided(_ event: Event, _ batch: EventBatch, upTo end: Int) -> Bool {
    guard event.kind == .procSuspend, decision?.ordinal != event.ordinal,
      batch.boolean(.inferred, of: event) == true,
      var ahead = SuspensionScout(event, in: batch, judge)
    else { return true }
    for index in event.index + 1..<max(end, event.index + 1) {
      if let isReal = ahead.take(batch.event(at: index), in: batch) {
        decision = (event.ordinal, isReal, ahead.proof)
        return true
      }
    }
    scout = ahead
    return false
  }
}
