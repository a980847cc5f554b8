// The part of a notes app that saves when the user leaves.

import TraceModel
import TraceReplay

/// Saves in the background, under a background task.
public final class NotesDelegate: ApplicationDelegate {
  /// Whether the task is forgotten once it was ended, so that nothing ends it twice.
  private let forgetsEndedTask: Bool
  private var task: Int64?

  public init(forgetsEndedTask: Bool) { self.forgetsEndedTask = forgetsEndedTask }

  public func applicationDidEnterBackground(_ application: ReplayedApplication) {
    task = application.beginBackgroundTask(withName: "save notes") { [self] in
      endTask(application)
    }
    // The save is done on another thread, and takes two seconds.
    application.after(2_000_000_000, thread: 4) { [self] in endTask(application, thread: 4) }
  }

  public func applicationWillEnterForeground(_ application: ReplayedApplication) {
    // The user is back: nothing needs time in the background any more.
    endTask(application)
  }

  private func endTask(_ application: ReplayedApplication, thread: Int64 = 1) {
    guard let task else { return }
    if forgetsEndedTask { self.task = nil }
    application.endBackgroundTask(task, thread: thread)
  }
}
