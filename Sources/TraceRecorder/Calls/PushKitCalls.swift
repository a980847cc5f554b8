// Calls for the events of `pushkit`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `pushkit`.
  public var pushKit: PushKitCalls {
    PushKitCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `pushkit`. Arguments that aren't known are left out.
public struct PushKitCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `pushkit.receive`:
  /// pushRegistry:didReceiveIncomingPushWithPayload:forType:withCompletionHandler:.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func receive(type: Sort? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .pushkitReceive)
    guard var event = core.open(.pushkitReceive, .enter, slotsMax: 4) else { return span }
    if let type { event.add(.type, type.text) }
    event.commit()
    return span
  }

  /// `pushkit.receive` around a body, which may throw.
  public func receive<Returned>(
    type: Sort? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try receive(type: type).around(body)
  }

  /// Values of `Sort`.
  public enum Sort: Sendable {
    case voip
    case complication
    case fileProvider

    @inline(__always)
    var text: StaticString {
      switch self {
      case .voip: "voip"
      case .complication: "complication"
      case .fileProvider: "file_provider"
      }
    }
  }
}
