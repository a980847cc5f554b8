// What a callback of the delegate is in an app that lives by its scenes.

import TraceLifecycle
package import TraceModel

enum NaiveScenes {
  /// What a callback of a scene is called, and the states of the app inside it and after it.
  struct Move: Sendable {
    var scene: EventKind
    var during: LifecycleState
    var after: LifecycleState
  }

  /// By the delegate's callback.
  static let moves: [EventKind: Move] = [
    .delegateDidBecomeActive: Move(
      scene: .sceneDidBecomeActive, during: .active, after: .active),
    .delegateWillResignActive: Move(
      scene: .sceneWillResignActive, during: .resigning, after: .inactive),
    .delegateDidEnterBackground: Move(
      scene: .sceneDidEnterBackground, during: .enteringBackground, after: .background),
    .delegateWillEnterForeground: Move(
      scene: .sceneWillEnterForeground, during: .enteringForeground, after: .inactive),
  ]
}

extension NaiveTrace {
  /// Whether an event is a callback of the delegate, or what a scene has in its place; nil if it
  /// isn't known whether the callback moves the app.
  package func isCallback(_ kind: EventKind, at place: Int) -> Bool? {
    let event = events[place]
    guard let move = NaiveScenes.moves[kind] else { return event.kind == kind }
    if event.model.isMoverHidden {
      return event.kind == kind || event.kind == move.scene ? nil : false
    }
    guard event.model.isMovedByScenes else { return event.kind == kind }
    guard event.kind == move.scene else { return false }
    let moves = movesApp(move, at: place)
    if moves == false, event.phase == .return, let enter = enters[place] {
      return movesApp(move, at: enter)
    }
    return moves
  }

  private func movesApp(_ move: NaiveScenes.Move, at place: Int) -> Bool? {
    let event = events[place]
    if event.stateAfter == .unknown { return nil }
    let state = event.phase == .enter ? move.during : move.after
    return event.stateAfter == state && event.stateBefore != state
  }
}
