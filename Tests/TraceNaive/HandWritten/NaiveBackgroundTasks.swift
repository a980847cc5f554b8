// What the two rules of background tasks share: which events begin and end which task.

import TraceLifecycle
import TraceModel
import TraceRules

/// A task, from its begin to its end.
struct NaiveTask {
  var begin: Int
  var token: NaiveToken
  var isOfSystem: Bool
  /// The place of the end, or of the next begin with its token, which says that the end is missing.
  var end: Int?
  var isBegunAgain = false

  func isOpen(at place: Int) -> Bool { begin < place && place < end ?? .max }
}

/// What tells one task from another: bits, in whatever form they were recorded, or a text.
enum NaiveToken: Hashable {
  case bits(UInt64)
  case text(String)

  /// Nil for a token that isn't recorded, or hidden by the log it comes from.
  init?(_ event: NaiveEvent) {
    switch event.arguments["token"] {
    case .integer(let number)?: self = .bits(UInt64(bitPattern: number))
    case .unsigned(let number)?: self = .bits(number)
    case .number(let number)?:
      guard let whole = Int64(exactly: number) else { return nil }
      self = .bits(UInt64(bitPattern: whole))
    case .string("<private>")?, .json("<private>")?, .boolean?, nil: return nil
    case .string(let text)?, .json(let text)?:
      let bits = UInt64(text) ?? Int64(text).map { UInt64(bitPattern: $0) }
      self = bits.map { .bits($0) } ?? .text(text)
    }
  }
}

extension NaiveInterpreter {
  func isTask(_ place: Int, _ kind: EventKind) -> Bool {
    events[place].kind == kind && events[place].truth("is_invalid") != true
  }

  /// The tasks of a launch. UIKit's refusal of an end is news of a task that is no more.
  func tasks(_ launch: NaiveLaunch) -> [NaiveTask] {
    launch.places.filter { isTask($0, .bgtaskBegin) }.compactMap { begin in
      guard let token = NaiveToken(events[begin]) else { return nil }
      let next = launch.places.first {
        $0 > begin && NaiveToken(events[$0]) == token
          && (isTask($0, .bgtaskBegin) || isTask($0, .bgtaskEnd))
      }
      return NaiveTask(
        begin: begin, token: token, isOfSystem: events[begin].text("by") == "uikit", end: next,
        isBegunAgain: next.map { events[$0].kind == .bgtaskBegin } ?? false)
    }
  }

  /// Whether begins and ends of tasks are missing in a log of this level.
  var lacksTaskLines: Bool {
    trace.header.strings(.logLevels).map { !$0.contains("info") } ?? false
  }
}
