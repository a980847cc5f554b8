// What the recorded system answered, and which of its answers is for a question of now.
// This file must not know who asks.

import TraceModel

/// What the recorded system answered in one process.
///
/// An answer belongs to its time and not to its number, so that a question more, or one less,
/// leaves the answers to all others as they were.
struct RecordedAnswers {
  struct Task {
    var token: Int64
    var isRefused: Bool
  }

  private struct Read<Value> {
    var timeNanoseconds: Int64
    var value: Value
  }

  private struct RecordedTask {
    var task: Task
    var timeNanoseconds: Int64
    /// The call of the system in which it was begun, by place; nil outside of all.
    var enclosingPlace: Int?
  }

  /// How many turns of life have come.
  var turns = 0
  private let toleranceNanoseconds: Int64
  private var tasks: [String: [RecordedTask]] = [:]
  /// By the task's name: the first of ``tasks`` that nobody asked for.
  private var nextTask: [String: Int] = [:]
  private var states: [Int: [Read<String>]] = [:]
  private var timesRemaining: [Int: [Read<Double>]] = [:]
  /// Tokens that no recording has: far above those that systems give.
  private var nextNewToken: Int64 = 1_000_000_001

  init() { toleranceNanoseconds = 0 }

  init(_ events: [RecordedEvent], toleranceNanoseconds: Int64) {
    self.toleranceNanoseconds = toleranceNanoseconds
    var turn = 0
    for event in events {
      if event.isTurnOfLife { turn += 1 }
      let time = event.timeNanoseconds
      switch event.kind {
      case .bgtaskBegin where !event.isMadeBySystem:
        let task = Task(
          token: event.integer(.token) ?? 0, isRefused: event.boolean(.isInvalid) == true)
        tasks[event.text(.name) ?? "", default: []].append(
          RecordedTask(
            task: task, timeNanoseconds: time, enclosingPlace: event.enclosingPlace))
      case .stateApplication:
        guard let state = event.text(.value) else { continue }
        states[turn, default: []].append(Read(timeNanoseconds: time, value: state))
      case .stateTimeRemaining:
        let seconds = event.number(.seconds) ?? .infinity
        timesRemaining[turn, default: []].append(Read(timeNanoseconds: time, value: seconds))
      default: break
      }
    }
  }

  // MARK: Tasks

  /// The answer to a task that is begun: that of the task of this name which was begun at this time
  /// or in this call of the system, or else of one that is overdue.
  ///
  /// - Returns: A task with a token of its own if the recording has none that fits.
  mutating func task(named name: String, at time: Int64, enclosingPlace: Int?) -> Task {
    let recorded = tasks[name] ?? []
    let first = nextTask[name] ?? 0
    var (low, high) = (first, recorded.count)
    while low < high {
      let middle = (low + high) / 2
      if recorded[middle].timeNanoseconds < time.minus(toleranceNanoseconds) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    if low < recorded.count {
      let next = recorded[low]
      let isInSameCall = enclosingPlace != nil && next.enclosingPlace == enclosingPlace
      if isInSameCall || next.timeNanoseconds <= time.plus(toleranceNanoseconds) {
        nextTask[name] = low + 1
        return next.task
      }
    }
    if low > first {
      nextTask[name] = low
      return recorded[low - 1].task
    }
    nextNewToken += 1
    return Task(token: nextNewToken, isRefused: false)
  }

  // MARK: State

  /// What was read of the application's state since the last turn of life and before the next one;
  /// nil if nobody read it.
  func applicationState(at time: Int64) -> String? {
    Self.nearest(states[turns], to: time)?.value
  }

  /// Seconds of time in the background, counted on from where they were read; nil if nobody read
  /// them, infinity if there was no limit.
  func timeRemaining(at time: Int64) -> Double? {
    guard let read = Self.nearest(timesRemaining[turns], to: time) else { return nil }
    if read.value >= Self.unlimitedSeconds { return .infinity }
    return max(0, read.value - Double(time.minus(read.timeNanoseconds)) / 1e9)
  }

  /// No system gives a limit of years; without a limit it says the largest number there is.
  private static let unlimitedSeconds = 1e9

  private static func nearest<Value>(_ reads: [Read<Value>]?, to time: Int64) -> Read<Value>? {
    guard let reads else { return nil }
    var (low, high) = (0, reads.count)
    while low < high {
      let middle = (low + high) / 2
      if reads[middle].timeNanoseconds < time { low = middle + 1 } else { high = middle }
    }
    if low == 0 { return reads.first }
    if low == reads.count { return reads.last }
    let (before, after) = (reads[low - 1], reads[low])
    let isLaterNearer =
      after.timeNanoseconds.minus(time) < time.minus(before.timeNanoseconds)
    return isLaterNearer ? after : before
  }
}
