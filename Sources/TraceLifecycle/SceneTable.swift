// The scenes of an app and what they make of the app's state together.
// This file must not know the app's other callbacks.

import TraceModel

/// The stage of every scene that is connected.
struct SceneTable: Sendable {
  /// Scenes kept at once. An iPad app shows a handful; further ones are not followed.
  static let scenesMax = 1_024

  /// Ordered: the app is as active as its most active scene.
  enum Stage: Int, CaseIterable, Sendable {
    case background, enteringBackground, enteringForeground, inactive, resigning, active

    var state: LifecycleState {
      switch self {
      case .background: .background
      case .enteringBackground: .enteringBackground
      case .enteringForeground: .enteringForeground
      case .inactive: .inactive
      case .resigning: .resigning
      case .active: .active
      }
    }
  }

  private var stages: [ArgumentKey: Stage] = [:]
  private var counts = [Int](repeating: 0, count: Stage.allCases.count)

  init() {}

  func stage(_ scene: ArgumentKey) -> Stage? { stages[scene] }

  /// Sets a scene's stage; nil disconnects it.
  mutating func set(_ scene: ArgumentKey, _ stage: Stage?) {
    let old = stages[scene]
    if old == nil && stages.count >= Self.scenesMax { return }
    if let old { counts[old.rawValue] -= 1 }
    if let stage { counts[stage.rawValue] += 1 }
    stages[scene] = stage
  }

  /// The state of the app: that of its most active scene, background where there is none.
  var appState: LifecycleState {
    for stage in Stage.allCases.reversed() where counts[stage.rawValue] > 0 { return stage.state }
    return .background
  }
}
