// Stretches in the background and of inactivity: where they begin and end.

import TraceLifecycle
import TraceModel

extension Engine {
  /// The callbacks at whose return the app is in the background.
  static let callbacksIntoBackground: [EventKind] = [
    .delegateDidEnterBackground, .sceneDidEnterBackground, .delegateDidFinishLaunching,
  ]

  func updateBackground(_ event: Event, _ effects: LifecycleEffects, _ batch: EventBatch) {
    let state = judge.model.state
    let isBackground =
      state == .background || state == .suspended || state == .launchingBackground
    if judge.stay.isOpen && !state.isBackgroundOrSuspended {
      for monitor in followers { monitor.backgroundStayEnds(event, batch, judge) }
      judge.stay.isOpen = false
    }
    if !isBackground {
      judge.interval.isOpen = false
    } else if !judge.interval.isOpen || effects.contains(.resumed) {
      judge.interval.isOpen = true
      judge.interval.number += 1
      judge.interval.startNanoseconds = event.timeNanoseconds
      judge.interval.noteEntry(event)
      judge.interval.witness = [PendingWitness(event)]
      judge.interval.callbackEnter = event.phase == .return ? judge.lastCallbackEnter : nil
    } else if state == .background, judge.model.stateBefore == .launchingBackground,
      effects.contains(.stateChanged)
    {
      judge.interval.noteEntry(event)
      judge.interval.witness.append(PendingWitness(event))
      judge.interval.callbackEnter = event.phase == .return ? judge.lastCallbackEnter : nil
    }
    if state.isBackgroundOrSuspended && !judge.stay.isOpen {
      judge.stay = BackgroundStay(
        isOpen: true,
        startRunNanoseconds: judge.runTimeNanoseconds(at: event.timeNanoseconds),
        witness: judge.interval.witness)
    }
  }

  /// Whether a callback of the life cycle begins: of the delegate, or of a scene that moves the
  /// app.
  func isLifecycleCallback(_ event: Event) -> Bool {
    guard event.phase != .return, DeliveryTable.callbackKinds.contains(event.kind) else {
      return false
    }
    if Self.callbacksWithoutTwin.contains(event.kind) { return true }
    if judge.model.isMoverHidden { return false }
    guard judge.model.isMovedByScenes else { return Self.callbacksWithTwin.contains(event.kind) }
    let state = judge.model.state
    guard state != judge.model.stateBefore else { return false }
    return Self.callbacksWithTwin.lazy.compactMap { SceneTwin(of: $0) }.contains {
      $0.sceneKind == event.kind && state == (event.phase == .enter ? $0.during : $0.after)
    }
  }

  private static let callbacksWithoutTwin: [EventKind] = [
    .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateWillTerminate,
  ]
  private static let callbacksWithTwin: [EventKind] = [
    .delegateDidBecomeActive, .delegateWillResignActive, .delegateDidEnterBackground,
    .delegateWillEnterForeground,
  ]

  func suspend(_ event: Event, _ batch: EventBatch) {
    judge.suspensionWitness = batch.witness(event, role: "state")
    judge.suspensionIsObservedElsewhere =
      batch.isText(.evidence, "os_log", of: event)
      || batch.isText(.evidence, "assertion_model", of: event)
    for monitor in followers { monitor.suspended(event, batch, judge) }
  }
}
