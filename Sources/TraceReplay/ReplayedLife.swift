// The state of the replayed app and its scenes, as the calls of the system have it.
// This file must not know what a recording answered.

import TraceModel

/// The state of a scene, as `UIScene.ActivationState` has it.
public enum SceneActivationState: String, Sendable {
  case unattached, foregroundActive, foregroundInactive, background
}

/// Follows the calls that tell an app of its life.
struct ReplayedLife {
  /// active, inactive or background.
  private(set) var applicationState = "inactive"
  /// The scenes that are connected.
  private(set) var scenes: [String: SceneActivationState] = [:]
  /// Whether the app has scenes: it is then in the background while it is launched.
  let hasScenes: Bool

  init(hasScenes: Bool) { self.hasScenes = hasScenes }

  /// Takes note of a call before it is delivered.
  mutating func enter(_ event: RecordedEvent) {
    switch event.kind {
    case .procStart:
      applicationState =
        hasScenes || event.text(.into) == "background" ? "background" : "inactive"
    case .delegateDidBecomeActive: applicationState = "active"
    case .delegateDidEnterBackground: applicationState = "background"
    case .delegateWillEnterForeground: applicationState = "inactive"
    case .sceneWillConnect: set(.unattached, event)
    case .sceneWillEnterForeground: set(.foregroundInactive, event)
    case .sceneDidBecomeActive: set(.foregroundActive, event)
    case .sceneDidEnterBackground: set(.background, event)
    case .sceneDidDisconnect: set(nil, event)
    default: break
    }
    if let state = event.text(.applicationState) { applicationState = state }
  }

  /// Takes note that a call has returned.
  mutating func leave(_ event: RecordedEvent) {
    switch event.kind {
    case .delegateWillResignActive: applicationState = "inactive"
    case .sceneWillConnect: set(.background, event)
    case .sceneWillResignActive: set(.foregroundInactive, event)
    default: break
    }
  }

  /// An app is in the state of its most active scene.
  private mutating func set(_ state: SceneActivationState?, _ event: RecordedEvent) {
    scenes[event.text(.scene) ?? ""] = state
    let states = scenes.values
    if states.contains(.foregroundActive) {
      applicationState = "active"
    } else {
      applicationState = states.contains(.foregroundInactive) ? "inactive" : "background"
    }
  }
}
