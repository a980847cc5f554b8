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

  /// Calls to scenes that haven't returned. A call takes a moment; beyond this the oldest is
  /// forgotten, and its return is that of no call.
  private static let openCallsMax = 64

  private struct OpenCall {
    var kind: EventKind
    var thread: Int64
    var scene: ArgumentKey

    func isMade(by event: Event) -> Bool { kind == event.kind && thread == event.thread }
  }

  private var openCalls: [OpenCall] = []
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

  /// Notes which scene a call is made to, as its return may not say.
  mutating func enterCall(_ event: Event, _ scene: ArgumentKey) {
    if openCalls.count >= Self.openCallsMax { openCalls.removeFirst() }
    openCalls.append(OpenCall(kind: event.kind, thread: event.thread, scene: scene))
  }

  /// The scene of a call that returns: the one that the return names, or else that of the last call
  /// of its kind on its thread; nil if neither is known. A call that named no scene has one called
  /// ``ArgumentKey/absent``.
  mutating func leaveCall(_ event: Event, _ scene: ArgumentKey) -> ArgumentKey? {
    let isAbsent = scene == .absent
    let place =
      openCalls.lastIndex { $0.isMade(by: event) && (isAbsent || $0.scene == scene) }
      ?? openCalls.lastIndex { $0.isMade(by: event) && $0.scene == .absent }
    if let place { return openCalls.remove(at: place).scene }
    return isAbsent ? nil : scene
  }

  /// The state of the app: that of its most active scene, background where there is none.
  var appState: LifecycleState {
    for stage in Stage.allCases.reversed() where counts[stage.rawValue] > 0 { return stage.state }
    return .background
  }
}
