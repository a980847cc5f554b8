// Calls for the events of `bgsched`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `bgsched`.
  public var backgroundScheduler: BackgroundSchedulerCalls {
    BackgroundSchedulerCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `bgsched`. Arguments that aren't known are left out.
public struct BackgroundSchedulerCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `bgsched.register`: BGTaskScheduler
  /// register(forTaskWithIdentifier:using:launchHandler:).
  ///
  /// The app calls it when it does this.
  public func register(identifier: RecordedText? = nil, result: Bool? = nil) {
    var slots = 2
    if let identifier { slots += identifier.slotsMax }
    guard var event = core.open(.bgschedRegister, .instant, slotsMax: slots) else { return }
    if let identifier { event.add(.identifier, identifier, key: privacyKey) }
    if let result { event.add(.result, result) }
    event.commit()
  }

  /// Records `bgsched.submit`: BGTaskScheduler submit.
  ///
  /// The app calls it when it does this.
  public func submit(
    identifier: RecordedText? = nil, kind: Kind? = nil, earliestBeginWallNs: Int? = nil,
    errorCode: Int? = nil
  ) {
    var slots = 6
    if let identifier { slots += identifier.slotsMax }
    guard var event = core.open(.bgschedSubmit, .instant, slotsMax: slots) else { return }
    if let identifier { event.add(.identifier, identifier, key: privacyKey) }
    if let kind { event.add(.kind, kind.text) }
    if let earliestBeginWallNs { event.add(.earliestBeginWallNs, Int64(earliestBeginWallNs)) }
    if let errorCode { event.add(.errorCode, Int64(errorCode)) }
    event.commit()
  }

  /// Records `bgsched.run`: launch handler.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on any
  /// thread.
  @discardableResult
  public func run(
    identifier: RecordedText? = nil, kind: Kind? = nil, hasExpirationHandler: Bool? = nil
  ) -> RecordedSpan {
    var slots = 5
    if let identifier { slots += identifier.slotsMax }
    let span = RecordedSpan(core: core, kind: .bgschedRun)
    guard var event = core.open(.bgschedRun, .enter, slotsMax: slots) else { return span }
    if let identifier { event.add(.identifier, identifier, key: privacyKey) }
    if let kind { event.add(.kind, kind.text) }
    if let hasExpirationHandler { event.add(.hasExpirationHandler, hasExpirationHandler) }
    event.commit()
    return span
  }

  /// `bgsched.run` around a body, which may throw.
  public func run<Returned>(
    identifier: RecordedText? = nil, kind: Kind? = nil, hasExpirationHandler: Bool? = nil,
    _ body: () throws -> Returned
  ) rethrows -> Returned {
    try run(
      identifier: identifier, kind: kind, hasExpirationHandler: hasExpirationHandler
    ).around(body)
  }

  /// Records `bgsched.expire`: BGTask.expirationHandler.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func expire(identifier: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let identifier { slots += identifier.slotsMax }
    let span = RecordedSpan(core: core, kind: .bgschedExpire)
    guard var event = core.open(.bgschedExpire, .enter, slotsMax: slots) else { return span }
    if let identifier { event.add(.identifier, identifier, key: privacyKey) }
    event.commit()
    return span
  }

  /// `bgsched.expire` around a body, which may throw.
  public func expire<Returned>(
    identifier: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try expire(identifier: identifier).around(body)
  }

  /// Records `bgsched.complete`: setTaskCompleted(success:).
  ///
  /// The app calls it when it does this.
  public func complete(identifier: RecordedText? = nil, success: Bool? = nil) {
    var slots = 2
    if let identifier { slots += identifier.slotsMax }
    guard var event = core.open(.bgschedComplete, .instant, slotsMax: slots) else { return }
    if let identifier { event.add(.identifier, identifier, key: privacyKey) }
    if let success { event.add(.success, success) }
    event.commit()
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case refresh
    case processing
    case continued

    @inline(__always)
    var text: StaticString {
      switch self {
      case .refresh: "refresh"
      case .processing: "processing"
      case .continued: "continued"
      }
    }
  }
}
