// Calls for the events of `bgtask`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `bgtask`.
  public var backgroundTask: BackgroundTaskCalls {
    BackgroundTaskCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `bgtask`. Arguments that aren't known are left out.
public struct BackgroundTaskCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `bgtask.begin`: beginBackgroundTaskWithName:expirationHandler:,
  /// beginBackgroundTaskWithExpirationHandler:.
  ///
  /// The app calls it when it does this.
  public func begin(
    token: Int? = nil, isInvalid: Bool? = nil, name: RecordedText? = nil,
    hasExpirationHandler: Bool? = nil, selector: RecordedText? = nil, by: By? = nil,
    elapsedS: Double? = nil
  ) {
    var slots = 7
    if let name { slots += name.slotsMax(bytesMax: 472) }
    if let selector { slots += selector.slotsMax(bytesMax: 472) }
    guard var event = core.open(.bgtaskBegin, .instant, slotsMax: slots) else { return }
    if let token { event.add(.token, Int64(token)) }
    if let isInvalid { event.add(.isInvalid, isInvalid) }
    if let name { event.add(.name, name, key: privacyKey, bytesMax: 472) }
    if let hasExpirationHandler { event.add(.hasExpirationHandler, hasExpirationHandler) }
    if let selector { event.add(.selector, selector, key: privacyKey, bytesMax: 472) }
    if let by { event.add(.by, by.text) }
    if let elapsedS { event.add(.elapsedS, elapsedS) }
    event.commit()
  }

  /// Records `bgtask.end`: endBackgroundTask:.
  ///
  /// The app calls it when it does this.
  public func end(token: Int? = nil, isInvalid: Bool? = nil, refused: Bool? = nil) {
    guard var event = core.open(.bgtaskEnd, .instant, slotsMax: 4) else { return }
    if let token { event.add(.token, Int64(token)) }
    if let isInvalid { event.add(.isInvalid, isInvalid) }
    if let refused { event.add(.refused, refused) }
    event.commit()
  }

  /// Records `bgtask.expire`: expiration handler.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func expire(token: Int? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .bgtaskExpire)
    guard var event = core.open(.bgtaskExpire, .enter, slotsMax: 2) else { return span }
    if let token { event.add(.token, Int64(token)) }
    event.commit()
    return span
  }

  /// `bgtask.expire` around a body, which may throw.
  public func expire<Returned>(
    token: Int? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try expire(token: token).around(body)
  }

  /// Values of `By`.
  public enum By: Sendable {
    case app
    case uikit

    @inline(__always)
    var text: StaticString {
      switch self {
      case .app: "app"
      case .uikit: "uikit"
      }
    }
  }
}
