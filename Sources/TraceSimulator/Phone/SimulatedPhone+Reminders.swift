// Notifications that the app schedules, and the system shows when their time has come.

import TraceModel

extension SimulatedPhone {
  func observeReminder(_ kind: EventKind, _ arguments: EventArguments) {
    let id = arguments[.id]?.text ?? ""
    switch kind {
    case .localnoteCancelAll: memory.reminders.removeAll()
    case .localnoteCancel: memory.reminders.remove(id)
    default:
      guard let wall = arguments[.fireWallNs]?.integer, wall >= Self.wallStartNanoseconds else {
        return
      }
      memory.reminders.insert(id)
      queue.add(at: wall - Self.wallStartNanoseconds, thread: WorkQueue.systemThread) {
        [weak self] in self?.fireReminder(id)
      }
    }
  }

  /// An app in the foreground is told, and otherwise the user.
  private func fireReminder(_ id: String) {
    guard !memory.isOff, memory.reminders.remove(id) != nil else { return }
    let isInFront = state == .active || state == .inactive
    write(.localnoteFire, .instant, [.id: .init(id), .to: isInFront ? "app" : "user"])
    if isInFront {
      call(.delegateDidReceiveLocalNotification, [.id: .init(id)])
    } else {
      memory.shownReminder = id
    }
  }
}
