// Calls for the events of `note`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `note`.
  public var notification: NotificationCalls {
    NotificationCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `note`. Arguments that aren't known are left out.
public struct NotificationCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `note.observe`: NSNotificationCenter addObserver.
  ///
  /// The app calls it when it does this.
  public func observe(name: RecordedText? = nil) {
    var slots = 1
    if let name { slots += name.slotsMax }
    guard var event = core.open(.noteObserve, .instant, slotsMax: slots) else { return }
    if let name { event.add(.name, name, key: privacyKey) }
    event.commit()
  }

  /// Records `note.deliver`: NSNotification delivered.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func deliver(
    name: RecordedText? = nil, queued: Bool? = nil, coalescedCount: Int? = nil,
    object: RecordedText? = nil
  ) -> RecordedSpan {
    var slots = 3
    if let name { slots += name.slotsMax(bytesMax: 488) }
    if let object { slots += object.slotsMax(bytesMax: 488) }
    let span = RecordedSpan(core: core, kind: .noteDeliver)
    guard var event = core.open(.noteDeliver, .enter, slotsMax: slots) else { return span }
    if let name { event.add(.name, name, key: privacyKey, bytesMax: 488) }
    if let queued { event.add(.queued, queued) }
    if let coalescedCount { event.add(.coalescedCount, Int64(coalescedCount)) }
    if let object { event.add(.object, object, key: privacyKey, bytesMax: 488) }
    event.commit()
    return span
  }

  /// `note.deliver` around a body, which may throw.
  public func deliver<Returned>(
    name: RecordedText? = nil, queued: Bool? = nil, coalescedCount: Int? = nil,
    object: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try deliver(
      name: name, queued: queued, coalescedCount: coalescedCount, object: object
    ).around(body)
  }
}
