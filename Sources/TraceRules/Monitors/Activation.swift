// The callback that makes the app active: the delegate's, or in its place that of a scene.

import TraceLifecycle
import TraceModel

/// Follows the callbacks that make the app active to their ends.
struct Activation {
  /// The thread of the scene's callback that made the app active and hasn't returned.
  private var thread: Int64?
  /// How many further ones lie in it.
  private var innerCount = 0

  init() {}

  /// Whether an event that the life cycle has taken is the end of such a callback, in an active
  /// app. With scenes the delegate's callbacks are echoes, and only the scene counts that moved the
  /// app.
  mutating func isEnd(_ event: Event, _ model: LifecycleModel) -> Bool {
    guard model.state == .active else { return false }
    guard model.isMovedByScenes else {
      return event.kind == .delegateDidBecomeActive && event.phase != .enter
    }
    guard event.kind == .sceneDidBecomeActive else { return false }
    let moves = model.stateBefore != .active
    switch event.phase {
    case .enter:
      if moves {
        thread = event.thread
        innerCount = 0
      } else if thread == event.thread {
        innerCount += 1
      }
      return false
    case .instant: return moves
    case .return:
      let isOwn = thread == event.thread && innerCount == 0
      if isOwn { thread = nil } else if thread == event.thread { innerCount -= 1 }
      return moves || isOwn
    }
  }
}
