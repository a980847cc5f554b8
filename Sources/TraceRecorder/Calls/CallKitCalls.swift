// Calls for the events of `callkit`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `callkit`.
  public var callKit: CallKitCalls {
    CallKitCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `callkit`. Arguments that aren't known are left out.
public struct CallKitCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `callkit.report`: CXProvider reportNewIncomingCall.
  ///
  /// The app calls it when it does this.
  public func report(uuid: RecordedText? = nil) {
    var slots = 1
    if let uuid { slots += uuid.slotsMax }
    guard var event = core.open(.callkitReport, .instant, slotsMax: slots) else { return }
    if let uuid { event.add(.uuid, uuid, key: privacyKey) }
    event.commit()
  }
}
