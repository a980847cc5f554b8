// Background tasks that record their beginning, their end and their expiration.

#if canImport(UIKit)
  public import UIKit

  extension UIApplication {
    /// Begins a background task and records it, its name as a literal of the program.
    ///
    /// - Parameters:
    ///   - name: What the task is for.
    ///   - recorder: The recorder.
    ///   - handler: Called shortly before the time runs out; it must end the task.
    /// - Returns: The task, `.invalid` if there is no time in the background.
    public func beginBackgroundTask(
      _ name: StaticString, recorder: TraceRecorder,
      expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
      let token = TokenBox()
      let wrapped: @MainActor @Sendable () -> Void = {
        recorder.backgroundTask.expire(token: token.value) {
          if let handler { handler() }
        }
      }
      let task = beginBackgroundTask(
        withName: "\(name)", expirationHandler: handler == nil ? nil : wrapped)
      token.value = task.rawValue
      recorder.backgroundTask.begin(
        token: task.rawValue, isInvalid: task == .invalid, name: .constant(name),
        hasExpirationHandler: handler != nil, by: .app)
      return task
    }

    /// Records the end of a background task, and ends it.
    public func endBackgroundTask(
      _ task: UIBackgroundTaskIdentifier, recorder: TraceRecorder
    ) {
      recorder.backgroundTask.end(token: task.rawValue, isInvalid: task == .invalid)
      endBackgroundTask(task)
    }

    /// The time that is left in the background, in seconds, recorded.
    public func backgroundTimeRemaining(recorder: TraceRecorder) -> TimeInterval {
      let seconds = backgroundTimeRemaining
      recorder.state.timeRemaining(seconds: seconds)
      return seconds
    }

    /// The state of the app, recorded.
    public func applicationState(recorder: TraceRecorder) -> UIApplication.State {
      let state = applicationState
      recorder.state.application(value: state.recorded)
      return state
    }
  }

  extension UIApplication.State {
    /// The word of the vocabulary.
    var recorded: StateCalls.Value {
      switch self {
      case .active: .active
      case .inactive: .inactive
      case .background: .background
      @unknown default: .inactive
      }
    }
  }

  /// A token that is known only after the handler that needs it was made.
  ///
  /// A class, because both share it.
  @MainActor
  private final class TokenBox {
    var value = 0
  }
#endif
