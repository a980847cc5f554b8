// The callbacks that move an app from state to state, apart from who makes them.
// This file must not know where a trace says so.

public import TraceModel

/// What a life-cycle callback says, whether the delegate or a scene receives it.
enum LifecycleMove: Sendable {
  case becomeActive, resign, enterBackground, enterForeground, terminate

  init?(delegate kind: EventKind) {
    switch kind {
    case .delegateDidBecomeActive: self = .becomeActive
    case .delegateWillResignActive: self = .resign
    case .delegateDidEnterBackground: self = .enterBackground
    case .delegateWillEnterForeground: self = .enterForeground
    case .delegateWillTerminate: self = .terminate
    default: return nil
    }
  }

  init?(scene kind: EventKind) {
    switch kind {
    case .sceneDidBecomeActive: self = .becomeActive
    case .sceneWillResignActive: self = .resign
    case .sceneDidEnterBackground: self = .enterBackground
    case .sceneWillEnterForeground: self = .enterForeground
    default: return nil
    }
  }

  /// The state inside the callback.
  var during: LifecycleState {
    switch self {
    case .becomeActive: .active
    case .resign: .resigning
    case .enterBackground: .enteringBackground
    case .enterForeground: .enteringForeground
    case .terminate: .terminating
    }
  }

  /// The state from its return on.
  var after: LifecycleState {
    switch self {
    case .becomeActive: .active
    case .resign, .enterForeground: .inactive
    case .enterBackground: .background
    case .terminate: .terminating
    }
  }

  /// The stages of a scene inside the callback and from its return on.
  var stages: (during: SceneTable.Stage, after: SceneTable.Stage) {
    switch self {
    case .becomeActive: (.active, .active)
    case .resign: (.resigning, .inactive)
    case .enterBackground: (.enteringBackground, .background)
    case .enterForeground: (.enteringForeground, .inactive)
    case .terminate: (.background, .background)
    }
  }

  /// Whether it is the return, not the enter, that fixes an unknown state.
  var fixesAtReturn: Bool { self == .resign || self == .enterBackground }
}

/// The callback of a scene that stands for one of the delegate's, and the states it leads to.
public struct SceneTwin: Sendable {
  public let sceneKind: EventKind
  /// The state of the app inside the callback, if the scene moves the whole app.
  public let during: LifecycleState
  /// The state from its return on.
  public let after: LifecycleState

  /// The twin of a callback of the delegate; nil for those that scenes don't have.
  public init?(of kind: EventKind) {
    let twins: [(EventKind, EventKind)] = [
      (.delegateDidBecomeActive, .sceneDidBecomeActive),
      (.delegateWillResignActive, .sceneWillResignActive),
      (.delegateDidEnterBackground, .sceneDidEnterBackground),
      (.delegateWillEnterForeground, .sceneWillEnterForeground),
    ]
    guard let twin = twins.first(where: { $0.0 == kind }),
      let move = LifecycleMove(delegate: kind)
    else { return nil }
    sceneKind = twin.1
    during = move.during
    after = move.after
  }
}
