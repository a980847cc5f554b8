// Which lines about background tasks belong together. UIKit logs up to two lines for a begin and
// up to three for an end. This file must not know events.

import TraceModel

/// The background tasks of one process.
struct TaskLedger: Sendable {
  /// What a line about a task adds to the history.
  enum Outcome {
    case nothing
    case begin(name: Int32, hasHandler: Knowledge)
    case end(isRefused: Bool)
    case expire
    /// The end at this place of the history was refused.
    case refuse(Int)
    /// The event at this place is none of the app's business.
    case drop(Int)
    /// The begin at this place had a handler.
    case addHandler(Int)
  }

  private struct End {
    var eventIndex: Int
    var timeNanoseconds: Int64
    var isCalled: Bool
    var isSettled: Bool
  }

  private struct Task {
    var beginIndex: Int?
    var lastEnd: End?
  }

  private var tasks: [LogToken: Task] = [:]
  private var announcements: [(name: Int32, hasHandler: Knowledge)] = []

  /// Begins that are announced and not yet made: one per thread.
  private static let announcementsMax = 32
  /// The lines of one call follow each other within microseconds; a busy log delays them.
  private static let callNanosecondsMax: Int64 = 1_000_000_000

  mutating func announce(_ fact: Fact) {
    if announcements.count == Self.announcementsMax { announcements.removeFirst() }
    announcements.append((fact.name, fact.hasHandler))
  }

  /// Takes a line; the outcome's event, if it adds one, must go to the place `eventCount`.
  mutating func take(_ fact: Fact, isFramework: Bool, eventCount: Int) -> Outcome {
    switch fact.kind {
    case .taskBegun: begin(fact, eventCount)
    case .taskEndCalled: call(fact, eventCount)
    case .taskEndAccepted: accept(fact, isFramework, eventCount)
    case .taskEndRefused: refuse(fact, eventCount)
    case .taskHandlerCalled: .expire
    default: .nothing
    }
  }

  private mutating func begin(_ fact: Fact, _ eventCount: Int) -> Outcome {
    tasks[fact.token] = Task(beginIndex: eventCount)
    let place =
      fact.token == .hidden && fact.name < 0
      ? announcements.indices.first
      : announcements.firstIndex { $0.name == fact.name }
    guard let place else { return .begin(name: fact.name, hasHandler: .unknown) }
    let announcement = announcements.remove(at: place)
    return .begin(name: announcement.name, hasHandler: announcement.hasHandler)
  }

  private mutating func call(_ fact: Fact, _ eventCount: Int) -> Outcome {
    if let end = lastEnd(fact), !end.isCalled {
      tasks[fact.token]?.lastEnd?.isCalled = true
      return .nothing
    }
    note(
      fact,
      End(
        eventIndex: eventCount, timeNanoseconds: fact.timeNanoseconds, isCalled: true,
        isSettled: false))
    return .end(isRefused: false)
  }

  private mutating func accept(_ fact: Fact, _ isFramework: Bool, _ eventCount: Int) -> Outcome {
    let task = tasks[fact.token]
    // A framework's task that was begun before the capture.
    let isForeign = isFramework && task?.beginIndex == nil && tasks[.hidden] == nil
    if let end = lastEnd(fact), !end.isSettled {
      tasks[fact.token]?.lastEnd?.isSettled = true
      if let begin = task?.beginIndex {
        return fact.hasHandler == .yes ? .addHandler(begin) : .nothing
      }
      return isForeign ? .drop(end.eventIndex) : .nothing
    }
    if isForeign { return .nothing }
    note(
      fact,
      End(
        eventIndex: eventCount, timeNanoseconds: fact.timeNanoseconds, isCalled: false,
        isSettled: true))
    return .end(isRefused: false)
  }

  private mutating func refuse(_ fact: Fact, _ eventCount: Int) -> Outcome {
    if let end = lastEnd(fact), end.isCalled, !end.isSettled {
      tasks[fact.token]?.lastEnd?.isSettled = true
      return .refuse(end.eventIndex)
    }
    note(
      fact,
      End(
        eventIndex: eventCount, timeNanoseconds: fact.timeNanoseconds, isCalled: true,
        isSettled: true))
    return .end(isRefused: true)
  }

  /// The last end of a token, if this line may belong to the same call.
  private func lastEnd(_ fact: Fact) -> End? {
    guard fact.token != .hidden, let end = tasks[fact.token]?.lastEnd,
      abs(fact.timeNanoseconds - end.timeNanoseconds) <= Self.callNanosecondsMax
    else { return nil }
    return end
  }

  private mutating func note(_ fact: Fact, _ end: End) {
    tasks[fact.token, default: Task()].lastEnd = end
  }
}
