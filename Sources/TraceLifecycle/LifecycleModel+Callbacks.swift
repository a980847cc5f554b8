// What callbacks of the delegate and of scenes do to the state, and how the model finds back after
// one that was lost or shouldn't have come.

import TraceModel

extension LifecycleModel {
  mutating func applyCallback(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    // Who observes the end of a process may be earlier than what the process itself recorded.
    if hasRecordedEnd { return }
    if prewarm != nil { noteCallbackOfPrewarmed(event, &effects) }
    switch event.kind {
    case .delegateWillFinishLaunching: revive(event, &effects)
    case .delegateDidFinishLaunching:
      revive(event, &effects)
      if event.phase != .enter && state == .launchingBackground { finishLaunching(event) }
    case .delegateWillTerminate: move(.terminate, event, &effects)
    case .delegateOpenUrl: break
    case .uiTouch: noteOutsideOfCallback(event)
    default:
      if let moving = LifecycleMove(delegate: event.kind) {
        if delegateMoves() {
          move(moving, event, &effects)
        } else if sceneRole == .hidden {
          moveSomewhere(event, &effects)
        }
      } else if Self.isScene(event.kind) {
        if scenesMove() {
          applyScene(event, batch, &effects)
        } else if sceneRole == .hidden {
          moveSomewhere(event, &effects)
        } else {
          noteOutsideOfCallback(event)
        }
      } else if Self.isDelegate(event.kind) {
        noteOutsideOfCallback(event)
        // The handler of what the app was launched for: launching is over.
        if event.phase != .return && state == .launchingBackground { finishLaunching(event) }
      }
    }
  }

  static func isScene(_ kind: EventKind) -> Bool {
    (EventKind.sceneWillConnect...EventKind.sceneDidDisconnect).contains(kind)
  }

  static func isDelegate(_ kind: EventKind) -> Bool {
    (EventKind.delegateWillFinishLaunching...EventKind.delegateShouldSaveState).contains(kind)
  }

  /// With scenes the delegate's calls are echoes; they count only where no scene is recorded.
  private mutating func delegateMoves() -> Bool {
    if sceneRole == .hidden { return false }
    if profile == .scene { return sceneRole != .scenes }
    if sceneRole == .open { sceneRole = .delegate }
    return sceneRole == .delegate
  }

  /// Scenes move the app in profile scene, and in profile ios13 where the header leaves open
  /// whether there are scenes and no call of the delegate came first.
  private mutating func scenesMove() -> Bool {
    if profile == .scene || (profile == .ios13 && sceneRole == .open) { sceneRole = .scenes }
    return sceneRole == .scenes
  }

  /// A callback moves the app, or is the echo of one that does and was lost: the app runs, and
  /// where it is now isn't known.
  private mutating func moveSomewhere(_ event: Event, _ effects: inout LifecycleEffects) {
    revive(event, &effects)
    if isLaunched { adopt(.unknown, event, &effects) }
  }

  private mutating func finishLaunching(_ event: Event) {
    setState(.background, event)
    origin = .launched
  }

  /// A process whose start the trace doesn't hold shows that it lives.
  private mutating func revive(_ event: Event, _ effects: inout LifecycleEffects) {
    if !isLaunched && event.phase != .return { beginMidLife(event, &effects) }
  }

  // MARK: Delegate

  private mutating func move(
    _ moving: LifecycleMove, _ event: Event, _ effects: inout LifecycleEffects
  ) {
    revive(event, &effects)
    switch event.phase {
    case .enter:
      endWakeWindows()
      if state == .unknown && moving.fixesAtReturn { return }
      enterCallback(event)
      adopt(moving.during, event, &effects)
    case .return:
      let isFixed = state == .unknown && moving.fixesAtReturn && isLaunched
      if state == moving.during || isFixed { adopt(moving.after, event, &effects) }
    case .instant:
      // One line inside the span of the same call is its echo, as a notification twin is.
      if state == moving.during { return }
      endWakeWindows()
      adopt(moving.after, event, &effects)
    }
  }

  /// Takes the state that the scenes imply. One that nobody has seen may be more active.
  private mutating func adoptScenes(
    _ new: LifecycleState, _ event: Event, _ effects: inout LifecycleEffects
  ) {
    adopt(mayHideScenes && new != .active ? .unknown : new, event, &effects)
  }

  /// Takes the state that a callback implies, whatever was before.
  private mutating func adopt(
    _ new: LifecycleState, _ event: Event, _ effects: inout LifecycleEffects
  ) {
    if state == .suspended && new != .suspended {
      endSuspension(at: event.timeNanoseconds, event.ordinal)
      clock.resume(at: event.timeNanoseconds)
      effects.insert(.resumed)
    }
    let isEntry = new == .background && state != .background
    setState(new, event)
    if isEntry { origin = .entered }
  }

  // MARK: Nesting

  private mutating func enterCallback(_ event: Event) {
    callbackThread = event.thread
    callbackKind = event.kind
  }

  /// An event that comes inside a callback which doesn't return later proves that the return was
  /// lost.
  private mutating func noteOutsideOfCallback(_ event: Event) {
    guard event.phase != .return, isInMovingCallback(event), !isForeseen else { return }
    setState(.unknown, event)
  }

  private func isInMovingCallback(_ event: Event) -> Bool {
    guard event.thread == callbackThread else { return false }
    switch state {
    case .resigning, .enteringBackground, .enteringForeground: return true
    default: return false
    }
  }

  /// The callback that is open on the thread of an event which may be nested in it.
  func callback(around event: Event) -> EventKind? {
    guard event.phase != .return, event.kind != .delegateOpenUrl,
      Self.isDelegate(event.kind) || Self.isScene(event.kind) || event.kind == .uiTouch,
      LifecycleMove(delegate: event.kind) == nil, LifecycleMove(scene: event.kind) == nil
    else { return nil }
    if isInMovingCallback(event) { return callbackKind }
    return event.thread == mainThread ? reasons.innermostSpan(ofThread: event.thread) : nil
  }

  // MARK: Scenes

  private mutating func applyScene(
    _ event: Event, _ batch: EventBatch, _ effects: inout LifecycleEffects
  ) {
    let scene = batch.key(.scene, of: event)
    if let moving = LifecycleMove(scene: event.kind) {
      revive(event, &effects)
      moveScene(scene, moving, event, &effects)
    } else if event.kind == .sceneWillConnect {
      if event.phase != .return && scenes.stage(scene) == nil { scenes.set(scene, .background) }
    } else if event.phase != .return, scenes.stage(scene) != nil {
      scenes.set(scene, nil)
      switch state {
      case .active, .resigning, .inactive, .enteringForeground, .enteringBackground, .background:
        adoptScenes(scenes.appState, event, &effects)
      default: break
      }
    }
  }

  private mutating func moveScene(
    _ scene: ArgumentKey, _ moving: LifecycleMove, _ event: Event,
    _ effects: inout LifecycleEffects
  ) {
    let stages = moving.stages
    switch event.phase {
    case .enter:
      endWakeWindows()
      scenes.enterCall(event, scene)
      scenes.set(scene, stages.during)
      if state == .unknown && moving.fixesAtReturn { return }
      enterCallback(event)
    case .return:
      let isFixed = state == .unknown && moving.fixesAtReturn && isLaunched
      guard let scene = scenes.leaveCall(event, scene) else {
        // Whose return it is isn't known, but what the app is in now.
        if isFixed { adoptScenes(moving.after, event, &effects) }
        return
      }
      guard scenes.stage(scene) == stages.during || isFixed else { return }
      if moving == .becomeActive || moving == .enterForeground, state == .unknown { return }
      scenes.set(scene, stages.after)
    case .instant:
      if stages.during != stages.after && scenes.stage(scene) == stages.during { return }
      endWakeWindows()
      scenes.set(scene, stages.after)
    }
    // On the way to the screen the app is launching until a scene is active.
    if state == .launchingForeground && moving == .enterForeground { return }
    if event.phase == .return && (state == .suspended || state == .terminating) { return }
    adoptScenes(scenes.appState, event, &effects)
  }
}
