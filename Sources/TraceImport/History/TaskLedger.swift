// Which lines about background tasks belong together. UIKit logs up to two lines for a begin and
// up to three for an end. This file must not know events.

import TraceModel

/// The background tasks of one process.
struct TaskLedger: Sendable {
  /// What a line about a task adds to the history.
  enum Outcome {
    case nothing
    case begin(name: String?, hasHandler: Knowledge)
    case end(isRefused: Bool)
    case expire
    /// A task whose begin isn't in the capture is open for long.
    case overdue
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
    /// The begin of the task, if the capture holds it.
    var beginIndex: Int?
  }

  /// Where and when a task was begun.
  private struct Begin {
    var eventIndex: Int
    var timeNanoseconds: Int64
  }

  /// The begins of tasks that weren't ended.
  private var begun: [LogToken: Begin] = [:]
  private var hasBegins = false
  /// Whether the begin of a task isn't followed, so that nobody knows whether it is open.
  private var hasUnfollowed = false
  /// The last ends.
  private var ends: [LogToken: End] = [:]
  private var announcements: [(name: String?, hasHandler: Knowledge)] = []
  /// Tokens that were ended, in the order of their ends.
  private var ended: [LogToken] = []
  private var endedHead = 0

  /// Tasks that are followed, as many as a table of 65,536 places takes: no app begins more, and
  /// their ends are believed as they are.
  private static let tasksMax = 49_152
  /// Tasks that are remembered after their end, as up to three lines tell of it.
  private static let endedMax = 1_024
  /// Begins that are announced and not yet made: one per thread.
  private static let announcementsMax = 32
  /// The lines of one call follow each other within microseconds; a busy log delays them.
  private static let callNanosecondsMax: Int64 = 1_000_000_000

  /// When a task of the app was ended last that was open for so long that its time may have been
  /// over.
  private(set) var lastLateEndNanoseconds = Int64.min
  private static let shortNanosecondsMax: Int64 = 5_000_000_000

  /// Whether lines tell of tasks of the app that were begun, and of the end of each.
  var showsEveryEnd: Bool { hasBegins && !hasUnfollowed && begun.isEmpty }

  mutating func announce(_ fact: Fact) {
    if announcements.count == Self.announcementsMax { announcements.removeFirst() }
    announcements.append((fact.name, fact.hasHandler))
  }

  /// Takes a line; the outcome's event, if it adds one, must go to the place `eventCount`.
  mutating func take(_ fact: Fact, isFramework: Bool, eventCount: Int) -> Outcome {
    switch fact.kind {
    case .taskBegun: begin(fact, isFramework, eventCount)
    case .taskEndCalled: call(fact, eventCount)
    case .taskEndAccepted: accept(fact, isFramework, eventCount)
    case .taskEndRefused: refuse(fact, eventCount)
    case .taskHandlerCalled: .expire
    case .taskOverdue: warn(fact, isFramework, eventCount)
    default: .nothing
    }
  }

  private mutating func begin(_ fact: Fact, _ isFramework: Bool, _ eventCount: Int) -> Outcome {
    follow(fact, isFramework, eventCount)
    ends[fact.token] = nil
    let place =
      fact.token == .hidden && fact.name == nil
      ? announcements.indices.first
      : announcements.firstIndex { $0.name == fact.name }
    guard let place else { return .begin(name: fact.name, hasHandler: .unknown) }
    let announcement = announcements.remove(at: place)
    return .begin(name: announcement.name, hasHandler: announcement.hasHandler)
  }

  /// The begin of a task that the capture shows is there already; one that was ended in it was
  /// begun again.
  private mutating func warn(_ fact: Fact, _ isFramework: Bool, _ eventCount: Int) -> Outcome {
    if fact.token == .hidden || begun[fact.token] != nil { return .nothing }
    follow(fact, isFramework, eventCount)
    ends[fact.token] = nil
    return .overdue
  }

  /// Remembers where a task was begun.
  private mutating func follow(_ fact: Fact, _ isFramework: Bool, _ eventCount: Int) {
    if !isFramework { hasBegins = true }
    if begun.count < Self.tasksMax || begun[fact.token] != nil {
      begun[fact.token] = Begin(eventIndex: eventCount, timeNanoseconds: fact.timeNanoseconds)
    } else {
      hasUnfollowed = true
    }
  }

  private mutating func call(_ fact: Fact, _ eventCount: Int) -> Outcome {
    if let end = lastEnd(fact), !end.isCalled {
      ends[fact.token]?.isCalled = true
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
    let beginIndex = begun[fact.token]?.eventIndex ?? ends[fact.token]?.beginIndex
    // A framework's task that was begun before the capture.
    let isForeign = isFramework && beginIndex == nil && begun[.hidden] == nil
    if let end = unacceptedEnd(fact) {
      ends[fact.token]?.isSettled = true
      if let begin = beginIndex {
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
      ends[fact.token]?.isSettled = true
      return .refuse(end.eventIndex)
    }
    note(
      fact,
      End(
        eventIndex: eventCount, timeNanoseconds: fact.timeNanoseconds, isCalled: true,
        isSettled: true))
    return .end(isRefused: true)
  }

  /// The end that a line accepts: the last one that was called, however long UIKit took for it, as
  /// a begin of the same token would have made it another's.
  private func unacceptedEnd(_ fact: Fact) -> End? {
    guard fact.token != .hidden, let end = ends[fact.token], end.isCalled, !end.isSettled else {
      return nil
    }
    return end
  }

  /// The last end of a token, if this line may belong to the same call.
  private func lastEnd(_ fact: Fact) -> End? {
    guard fact.token != .hidden, let end = ends[fact.token],
      abs(fact.timeNanoseconds - end.timeNanoseconds) <= Self.callNanosecondsMax
    else { return nil }
    return end
  }

  private mutating func note(_ fact: Fact, _ end: End) {
    var end = end
    // What hides its number may be any task.
    let begin = fact.token == .hidden ? begun[.hidden] : begun.removeValue(forKey: fact.token)
    end.beginIndex = begin?.eventIndex ?? ends[fact.token]?.beginIndex
    ends[fact.token] = end
    if let begin,
      fact.timeNanoseconds.minus(begin.timeNanoseconds) > Self.shortNanosecondsMax
    {
      lastLateEndNanoseconds = max(lastLateEndNanoseconds, fact.timeNanoseconds)
    }
    ended.append(fact.token)
    guard ended.count - endedHead > Self.endedMax else { return }
    ends[ended[endedHead]] = nil
    endedHead += 1
    guard endedHead > Self.endedMax else { return }
    ended.removeFirst(endedHead)
    endedHead = 0
  }
}
