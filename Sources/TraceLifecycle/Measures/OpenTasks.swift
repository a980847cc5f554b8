// Counts for how long background tasks are open in the background, on the clock of their budget.
// This file must not know events, nor what becomes of the numbers.

import TraceModel

/// The app's open background tasks in one launch.
///
/// The count of a task runs from its begin or the entry into the background, whichever is later,
/// and begins anew with every stay, as the system's does. It stands still while the app is
/// suspended, and while audio or location is in service under a declared mode.
struct OpenTasks: Sendable {
  /// Tasks measured at once; the system allows about 1,000.
  static let countMax = 1_024

  /// What the count of this stay showed at the begin of each task; 0 for those begun before.
  private var begins: [ArgumentKey: Int64] = [:]
  private var isInStay = false
  /// The count up to the last change.
  private var counted: Int64 = 0
  /// The run time since which the count runs; nil while it stands still.
  private var sinceRun: Int64?

  init() {}

  mutating func begin(_ key: ArgumentKey, atRunNanoseconds run: Int64) {
    guard begins.count < Self.countMax || begins[key] != nil else { return }
    begins[key] = value(run)
  }

  /// For how long the task was open in this stay; nil outside the background, where no time is
  /// counted, and for a task that isn't known.
  mutating func end(_ key: ArgumentKey, atRunNanoseconds run: Int64) -> Int64? {
    guard let begin = begins.removeValue(forKey: key), isInStay else { return nil }
    return value(run).minus(begin)
  }

  /// For how long each open task has been open in this stay, the shortest first.
  func durationsNanoseconds(atRunNanoseconds run: Int64) -> [Int64] {
    isInStay ? begins.values.map { value(run).minus($0) }.sorted() : []
  }

  /// Takes where the app is after an event.
  ///
  /// - Parameters:
  ///   - isInBackground: Whether it is in the background or suspended.
  ///   - isServing: Whether audio or location is in service under a declared mode.
  mutating func follow(isInBackground: Bool, isServing: Bool, atRunNanoseconds run: Int64) {
    if isInBackground && !isInStay {
      counted = 0
      for key in begins.keys { begins[key] = 0 }
    } else {
      counted = value(run)
    }
    isInStay = isInBackground
    sinceRun = isInBackground && !isServing ? run : nil
  }

  /// Forgets the tasks of a launch that is over, or across lost events.
  mutating func removeAll() {
    begins.removeAll(keepingCapacity: true)
    isInStay = false
    counted = 0
    sinceRun = nil
  }

  private func value(_ run: Int64) -> Int64 {
    sinceRun.map { counted.plus(max(0, run.minus($0))) } ?? counted
  }
}
