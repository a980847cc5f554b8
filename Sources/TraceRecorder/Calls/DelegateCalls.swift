// Calls for the events of `delegate`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `delegate`.
  public var delegate: DelegateCalls {
    DelegateCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `delegate`. Arguments that aren't known are left out.
public struct DelegateCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `delegate.will_finish_launching`: application:willFinishLaunchingWithOptions:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func willFinishLaunching(
    optionKeys: RecordedText? = nil, applicationState: ApplicationState? = nil, result: Bool? = nil
  ) -> RecordedSpan {
    var slots = 5
    if let optionKeys { slots += optionKeys.slotsMax }
    let span = RecordedSpan(core: core, kind: .delegateWillFinishLaunching)
    guard
      var event = core.open(.delegateWillFinishLaunching, .enter, slotsMax: slots)
    else { return span }
    if let optionKeys { event.add(.optionKeys, optionKeys, key: privacyKey) }
    if let applicationState { event.add(.applicationState, applicationState.text) }
    if let result { event.add(.result, result) }
    event.commit()
    return span
  }

  /// `delegate.will_finish_launching` around a body, which may throw.
  public func willFinishLaunching<Returned>(
    optionKeys: RecordedText? = nil, applicationState: ApplicationState? = nil, result: Bool? = nil,
    _ body: () throws -> Returned
  ) rethrows -> Returned {
    try willFinishLaunching(
      optionKeys: optionKeys, applicationState: applicationState, result: result
    ).around(body)
  }

  /// Records `delegate.did_finish_launching`: application:didFinishLaunchingWithOptions:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didFinishLaunching(
    optionKeys: RecordedText? = nil, applicationState: ApplicationState? = nil, result: Bool? = nil
  ) -> RecordedSpan {
    var slots = 5
    if let optionKeys { slots += optionKeys.slotsMax }
    let span = RecordedSpan(core: core, kind: .delegateDidFinishLaunching)
    guard
      var event = core.open(.delegateDidFinishLaunching, .enter, slotsMax: slots)
    else { return span }
    if let optionKeys { event.add(.optionKeys, optionKeys, key: privacyKey) }
    if let applicationState { event.add(.applicationState, applicationState.text) }
    if let result { event.add(.result, result) }
    event.commit()
    return span
  }

  /// `delegate.did_finish_launching` around a body, which may throw.
  public func didFinishLaunching<Returned>(
    optionKeys: RecordedText? = nil, applicationState: ApplicationState? = nil, result: Bool? = nil,
    _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didFinishLaunching(
      optionKeys: optionKeys, applicationState: applicationState, result: result
    ).around(body)
  }

  /// Records `delegate.did_become_active`: applicationDidBecomeActive:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didBecomeActive(applicationState: ApplicationState? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateDidBecomeActive)
    guard var event = core.open(.delegateDidBecomeActive, .enter, slotsMax: 4) else { return span }
    if let applicationState { event.add(.applicationState, applicationState.text) }
    event.commit()
    return span
  }

  /// `delegate.did_become_active` around a body, which may throw.
  public func didBecomeActive<Returned>(
    applicationState: ApplicationState? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didBecomeActive(applicationState: applicationState).around(body)
  }

  /// Records `delegate.will_resign_active`: applicationWillResignActive:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func willResignActive(applicationState: ApplicationState? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateWillResignActive)
    guard var event = core.open(.delegateWillResignActive, .enter, slotsMax: 4) else { return span }
    if let applicationState { event.add(.applicationState, applicationState.text) }
    event.commit()
    return span
  }

  /// `delegate.will_resign_active` around a body, which may throw.
  public func willResignActive<Returned>(
    applicationState: ApplicationState? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try willResignActive(applicationState: applicationState).around(body)
  }

  /// Records `delegate.did_enter_background`: applicationDidEnterBackground:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didEnterBackground(applicationState: ApplicationState? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateDidEnterBackground)
    guard
      var event = core.open(.delegateDidEnterBackground, .enter, slotsMax: 4)
    else { return span }
    if let applicationState { event.add(.applicationState, applicationState.text) }
    event.commit()
    return span
  }

  /// `delegate.did_enter_background` around a body, which may throw.
  public func didEnterBackground<Returned>(
    applicationState: ApplicationState? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didEnterBackground(applicationState: applicationState).around(body)
  }

  /// Records `delegate.will_enter_foreground`: applicationWillEnterForeground:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func willEnterForeground(applicationState: ApplicationState? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateWillEnterForeground)
    guard
      var event = core.open(.delegateWillEnterForeground, .enter, slotsMax: 4)
    else { return span }
    if let applicationState { event.add(.applicationState, applicationState.text) }
    event.commit()
    return span
  }

  /// `delegate.will_enter_foreground` around a body, which may throw.
  public func willEnterForeground<Returned>(
    applicationState: ApplicationState? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try willEnterForeground(applicationState: applicationState).around(body)
  }

  /// Records `delegate.will_terminate`: applicationWillTerminate:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func willTerminate(applicationState: ApplicationState? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateWillTerminate)
    guard var event = core.open(.delegateWillTerminate, .enter, slotsMax: 4) else { return span }
    if let applicationState { event.add(.applicationState, applicationState.text) }
    event.commit()
    return span
  }

  /// `delegate.will_terminate` around a body, which may throw.
  public func willTerminate<Returned>(
    applicationState: ApplicationState? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try willTerminate(applicationState: applicationState).around(body)
  }

  /// Records `delegate.open_url`: application:openURL:sourceApplication:annotation:,
  /// application:handleOpenURL:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func openUrl(
    scheme: RecordedText? = nil, sourceApp: RecordedText? = nil, result: Bool? = nil
  ) -> RecordedSpan {
    var slots = 2
    if let scheme { slots += scheme.slotsMax(bytesMax: 488) }
    if let sourceApp { slots += sourceApp.slotsMax(bytesMax: 488) }
    let span = RecordedSpan(core: core, kind: .delegateOpenUrl)
    guard var event = core.open(.delegateOpenUrl, .enter, slotsMax: slots) else { return span }
    if let scheme { event.add(.scheme, scheme, key: privacyKey, bytesMax: 488) }
    if let sourceApp { event.add(.sourceApp, sourceApp, key: privacyKey, bytesMax: 488) }
    if let result { event.add(.result, result) }
    event.commit()
    return span
  }

  /// `delegate.open_url` around a body, which may throw.
  public func openUrl<Returned>(
    scheme: RecordedText? = nil, sourceApp: RecordedText? = nil, result: Bool? = nil,
    _ body: () throws -> Returned
  ) rethrows -> Returned {
    try openUrl(scheme: scheme, sourceApp: sourceApp, result: result).around(body)
  }

  /// Records `delegate.did_receive_memory_warning`: applicationDidReceiveMemoryWarning:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didReceiveMemoryWarning(level: Level? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateDidReceiveMemoryWarning)
    guard
      var event = core.open(.delegateDidReceiveMemoryWarning, .enter, slotsMax: 3)
    else { return span }
    if let level { event.add(.level, level.text) }
    event.commit()
    return span
  }

  /// `delegate.did_receive_memory_warning` around a body, which may throw.
  public func didReceiveMemoryWarning<Returned>(
    level: Level? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didReceiveMemoryWarning(level: level).around(body)
  }

  /// Records `delegate.did_receive_local_notification`: application:didReceiveLocalNotification:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didReceiveLocalNotification(id: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let id { slots += id.slotsMax }
    let span = RecordedSpan(core: core, kind: .delegateDidReceiveLocalNotification)
    guard
      var event = core.open(.delegateDidReceiveLocalNotification, .enter, slotsMax: slots)
    else { return span }
    if let id { event.add(.id, id, key: privacyKey) }
    event.commit()
    return span
  }

  /// `delegate.did_receive_local_notification` around a body, which may throw.
  public func didReceiveLocalNotification<Returned>(
    id: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didReceiveLocalNotification(id: id).around(body)
  }

  /// Records `delegate.did_receive_remote_notification`:
  /// application:didReceiveRemoteNotification:fetchCompletionHandler:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func didReceiveRemoteNotification(
    contentAvailable: Int? = nil, completionId: Int? = nil
  ) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateDidReceiveRemoteNotification)
    guard
      var event = core.open(.delegateDidReceiveRemoteNotification, .enter, slotsMax: 3)
    else { return span }
    if let contentAvailable { event.add(.contentAvailable, Int64(contentAvailable)) }
    if let completionId { event.add(.completionId, Int64(completionId)) }
    event.commit()
    return span
  }

  /// `delegate.did_receive_remote_notification` around a body, which may throw.
  public func didReceiveRemoteNotification<Returned>(
    contentAvailable: Int? = nil, completionId: Int? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try didReceiveRemoteNotification(
      contentAvailable: contentAvailable, completionId: completionId
    ).around(body)
  }

  /// Records `delegate.perform_fetch`: application:performFetchWithCompletionHandler:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func performFetch(completionId: Int? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegatePerformFetch)
    guard var event = core.open(.delegatePerformFetch, .enter, slotsMax: 2) else { return span }
    if let completionId { event.add(.completionId, Int64(completionId)) }
    event.commit()
    return span
  }

  /// `delegate.perform_fetch` around a body, which may throw.
  public func performFetch<Returned>(
    completionId: Int? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try performFetch(completionId: completionId).around(body)
  }

  /// Records `delegate.handle_url_session`:
  /// application:handleEventsForBackgroundURLSession:completionHandler:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func handleUrlSession(
    session: RecordedText? = nil, completionId: Int? = nil
  ) -> RecordedSpan {
    var slots = 2
    if let session { slots += session.slotsMax }
    let span = RecordedSpan(core: core, kind: .delegateHandleUrlSession)
    guard
      var event = core.open(.delegateHandleUrlSession, .enter, slotsMax: slots)
    else { return span }
    if let session { event.add(.session, session, key: privacyKey) }
    if let completionId { event.add(.completionId, Int64(completionId)) }
    event.commit()
    return span
  }

  /// `delegate.handle_url_session` around a body, which may throw.
  public func handleUrlSession<Returned>(
    session: RecordedText? = nil, completionId: Int? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try handleUrlSession(session: session, completionId: completionId).around(body)
  }

  /// Records `delegate.should_save_state`: application:shouldSaveApplicationState:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func shouldSaveState(result: Bool? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .delegateShouldSaveState)
    guard var event = core.open(.delegateShouldSaveState, .enter, slotsMax: 2) else { return span }
    if let result { event.add(.result, result) }
    event.commit()
    return span
  }

  /// `delegate.should_save_state` around a body, which may throw.
  public func shouldSaveState<Returned>(
    result: Bool? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try shouldSaveState(result: result).around(body)
  }

  /// Values of `ApplicationState`.
  public enum ApplicationState: Sendable {
    case active
    case inactive
    case background

    @inline(__always)
    var text: StaticString {
      switch self {
      case .active: "active"
      case .inactive: "inactive"
      case .background: "background"
      }
    }
  }

  /// Values of `Level`.
  public enum Level: Sendable {
    case level1
    case level2
    case critical

    @inline(__always)
    var text: StaticString {
      switch self {
      case .level1: "1"
      case .level2: "2"
      case .critical: "critical"
      }
    }
  }
}
