// Looks ahead whether an inferred suspension was one: the app may have run in it.

import TraceLifecycle
import TraceModel

/// Follows the events after an inferred suspension until it is decided whether it was one.
///
/// It was none if only a running app can have had an event in it: more than the tolerance after its
/// beginning, and more than the tolerance before its end.
struct SuspensionScout {
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
    DeliveryTable.callbackKinds.contains(event.kind)
      || (AppWork.kinds.contains(event.kind) && AppWork.counts(event, in: batch))
  }
}
