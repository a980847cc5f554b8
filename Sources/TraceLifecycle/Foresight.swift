// What must be known of later events before the life cycle takes an event, and how to find out.
// This file must not know who keeps the events in between.

public import TraceModel

/// What later events say of one.
public enum Foresight: Sendable {
  /// Whether the callback returns inside which the event began. If it doesn't, its return was lost
  /// before the event.
  case callbackReturns(CallbackReturn)
  /// Whether the heart goes on beating after its first beat, at the usual pace.
  case heartbeatsFollow(HeartbeatPace)

  /// Takes the next event, and says whether what is asked for holds; nil: that isn't decided.
  public mutating func take(_ event: Event, in batch: EventBatch) -> Bool? {
    switch self {
    case .callbackReturns(var question):
      let holds = question.take(event, in: batch)
      self = .callbackReturns(question)
      return holds
    case .heartbeatsFollow(var question):
      let holds = question.take(event, in: batch)
      self = .heartbeatsFollow(question)
      return holds
    }
  }

  /// Whether the answer found for an earlier event holds for this one: a callback that returns
  /// after one event in it returns after the next.
  public func holds(for event: Event, asking other: Foresight) -> Bool {
    guard case .callbackReturns(let found) = self, case .callbackReturns(let asked) = other else {
      return false
    }
    return found.covers(event, inside: asked.kind)
  }
}

extension Foresight {
  /// Whether the answer says nothing of an event, nor of those after it.
  public func isOver(at event: Event) -> Bool {
    guard case .callbackReturns(let found) = self else { return true }
    return found.isOver(at: event)
  }
}

/// Follows the events after one that began inside a callback.
///
/// The callback doesn't return if it is entered again, its process ends, or events of its thread
/// are lost first.
public struct CallbackReturn: Sendable {
  let kind: EventKind
  private let thread: Int64
  /// The place of the event inside the callback.
  private let ordinal: Int
  /// The place of the return, once it was found.
  private var returnOrdinal: Int?

  init(_ event: Event, inside kind: EventKind) {
    ordinal = event.ordinal
    self.kind = kind
    thread = event.thread
  }

  func covers(_ event: Event, inside kind: EventKind) -> Bool {
    guard let returnOrdinal else { return false }
    return kind == self.kind && event.thread == thread && event.ordinal > ordinal
      && event.ordinal < returnOrdinal
  }

  func isOver(at event: Event) -> Bool { (returnOrdinal ?? 0) <= event.ordinal }

  mutating func take(_ event: Event, in batch: EventBatch) -> Bool? {
    if event.endsForesight { return false }
    if event.kind == .traceLost, batch.lostThread(event) ?? thread == thread { return false }
    guard event.kind == kind, event.thread == thread, event.phase != .instant else { return nil }
    guard event.phase == .return else { return false }
    returnOrdinal = event.ordinal
    return true
  }
}

/// Follows the heartbeats after the first one until two of them are close enough.
public struct HeartbeatPace: Sendable {
  /// Heartbeats after which the pace is another one.
  private static let beatsMax = 8

  private var lastNanoseconds: Int64
  private var beatCount = 1

  init(_ event: Event) { lastNanoseconds = event.timeNanoseconds }

  mutating func take(_ event: Event, in batch: EventBatch) -> Bool? {
    if event.endsForesight { return false }
    guard event.kind == .workSample, batch.isText(.label, "heartbeat", of: event) else {
      return nil
    }
    let distance = event.timeNanoseconds.minus(lastNanoseconds)
    lastNanoseconds = event.timeNanoseconds
    beatCount += 1
    if distance <= RunClock.silenceNanosecondsMin { return true }
    return beatCount < Self.beatsMax ? nil : false
  }
}

extension Event {
  /// Whether nothing after the event belongs to what came before it.
  fileprivate var endsForesight: Bool {
    switch kind {
    case .procStart, .procKill, .procExit, .traceStart, .traceEnd: true
    default: false
    }
  }
}

extension LifecycleModel {
  /// What must be known of later events before the model takes an event; nil: nothing. If nobody
  /// can say, it is taken not to hold.
  public func awaits(_ event: Event, in batch: EventBatch) -> Foresight? {
    if event.kind == .workSample {
      guard clock.awaitsPeriod, batch.isText(.label, "heartbeat", of: event) else { return nil }
      return .heartbeatsFollow(HeartbeatPace(event))
    }
    return callback(around: event).map { .callbackReturns(CallbackReturn(event, inside: $0)) }
  }
}
