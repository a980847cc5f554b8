// The reasons for which a background app may run, by name.
// This file must not know how they are kept.

/// Why an app in the background may run.
public enum RunReason: String, CaseIterable, Hashable, Sendable {
  /// A background task of the app's own is open.
  case task
  /// Audio is played or recorded under the declared mode.
  case audio
  /// Standard location is in force under the declared mode.
  case location
  /// The system woke the app, and the wake-up isn't over.
  case wake
  /// A callback of the system is open.
  case callback
  /// A completion handler hasn't been called.
  case completion
  /// A scheduled background task is in force.
  case scheduledRun = "scheduled_run"
  /// A call is in progress.
  case call
  /// The process holds an assertion.
  case assertion
  /// A background task of UIKit's own is open.
  case uikitTask = "uikit_task"
}
