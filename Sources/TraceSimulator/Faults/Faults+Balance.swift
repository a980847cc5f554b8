// Faults of the balance of background tasks: one for each way in which a begin and its end differ.

import TraceModel

extension Fault {
  static let balanceFaults: [Fault] = [
    Fault(
      "task-ended-twice", "LC001", "the work and its clean-up both end the same task",
      "0s open; 2s touch; 3s wait", reason: "double-end",
      at: [
        .uiTouch: { system in
          guard let token = system.beginTask("export", thread: 1, expiration: {}) else { return }
          system.endTask(token, thread: 1)
          system.endTask(token, thread: 1)
        }
      ]),
    Fault(
      "other-task-ended", "LC001", "a task is ended that nobody has begun",
      "0s open; 2s touch; 3s wait", reason: "unknown-token",
      at: [.uiTouch: { $0.endTask(99, thread: 1) }]),
    Fault(
      "task-leaked", "LC001", "a task is never ended, and the system ends the app for it",
      "0s open; 2s home; 60s kill bgtask_expired", reason: "leaked",
      at: [.delegateDidEnterBackground: { leave($0) }]),
    Fault(
      "task-open-at-suspension", "LC001", "the app is suspended with an open task",
      "0s open; 2s home; 20s call proc.suspend", reason: "open-at-suspend", endsAtOnce: true,
      at: [.delegateDidEnterBackground: { leave($0) }]),
    Fault(
      "task-open-at-end", "LC001", "the recording ends, and the task is open in the background",
      "0s open; 2s home; 20s wait", reason: "open-at-end", endsAtOnce: true,
      at: [.delegateDidEnterBackground: { leave($0) }]),
  ]

  /// Begins a task and forgets it.
  private static func leave(_ system: any AppSystem) {
    _ = system.beginTask("export", thread: 1) {}
  }
}
