// Calls for the events of `scene`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `scene`.
  public var scene: SceneCalls {
    SceneCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `scene`. Arguments that aren't known are left out.
public struct SceneCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `scene.will_connect`: scene:willConnectToSession:options:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func willConnect(scene: RecordedText? = nil, role: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let scene { slots += scene.slotsMax(bytesMax: 496) }
    if let role { slots += role.slotsMax(bytesMax: 496) }
    let span = RecordedSpan(core: core, kind: .sceneWillConnect)
    guard var event = core.open(.sceneWillConnect, .enter, slotsMax: slots) else { return span }
    if let scene { event.add(.scene, scene, key: privacyKey, bytesMax: 496) }
    if let role { event.add(.role, role, key: privacyKey, bytesMax: 496) }
    event.commit()
    return span
  }

  /// `scene.will_connect` around a body, which may throw.
  public func willConnect<Returned>(
    scene: RecordedText? = nil, role: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try willConnect(scene: scene, role: role).around(body)
  }

  /// Records `scene.did_become_active`: sceneDidBecomeActive:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didBecomeActive(scene: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let scene { slots += scene.slotsMax }
    let span = RecordedSpan(core: core, kind: .sceneDidBecomeActive)
    guard var event = core.open(.sceneDidBecomeActive, .enter, slotsMax: slots) else { return span }
    if let scene { event.add(.scene, scene, key: privacyKey) }
    event.commit()
    return span
  }

  /// `scene.did_become_active` around a body, which may throw.
  public func didBecomeActive<Returned>(
    scene: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didBecomeActive(scene: scene).around(body)
  }

  /// Records `scene.will_resign_active`: sceneWillResignActive:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func willResignActive(scene: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let scene { slots += scene.slotsMax }
    let span = RecordedSpan(core: core, kind: .sceneWillResignActive)
    guard
      var event = core.open(.sceneWillResignActive, .enter, slotsMax: slots)
    else { return span }
    if let scene { event.add(.scene, scene, key: privacyKey) }
    event.commit()
    return span
  }

  /// `scene.will_resign_active` around a body, which may throw.
  public func willResignActive<Returned>(
    scene: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try willResignActive(scene: scene).around(body)
  }

  /// Records `scene.did_enter_background`: sceneDidEnterBackground:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didEnterBackground(scene: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let scene { slots += scene.slotsMax }
    let span = RecordedSpan(core: core, kind: .sceneDidEnterBackground)
    guard
      var event = core.open(.sceneDidEnterBackground, .enter, slotsMax: slots)
    else { return span }
    if let scene { event.add(.scene, scene, key: privacyKey) }
    event.commit()
    return span
  }

  /// `scene.did_enter_background` around a body, which may throw.
  public func didEnterBackground<Returned>(
    scene: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didEnterBackground(scene: scene).around(body)
  }

  /// Records `scene.will_enter_foreground`: sceneWillEnterForeground:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func willEnterForeground(scene: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let scene { slots += scene.slotsMax }
    let span = RecordedSpan(core: core, kind: .sceneWillEnterForeground)
    guard
      var event = core.open(.sceneWillEnterForeground, .enter, slotsMax: slots)
    else { return span }
    if let scene { event.add(.scene, scene, key: privacyKey) }
    event.commit()
    return span
  }

  /// `scene.will_enter_foreground` around a body, which may throw.
  public func willEnterForeground<Returned>(
    scene: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try willEnterForeground(scene: scene).around(body)
  }

  /// Records `scene.did_disconnect`: sceneDidDisconnect:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didDisconnect(scene: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let scene { slots += scene.slotsMax }
    let span = RecordedSpan(core: core, kind: .sceneDidDisconnect)
    guard var event = core.open(.sceneDidDisconnect, .enter, slotsMax: slots) else { return span }
    if let scene { event.add(.scene, scene, key: privacyKey) }
    event.commit()
    return span
  }

  /// `scene.did_disconnect` around a body, which may throw.
  public func didDisconnect<Returned>(
    scene: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didDisconnect(scene: scene).around(body)
  }
}
