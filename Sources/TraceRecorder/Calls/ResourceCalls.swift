// Calls for the events of `res`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `res`.
  public var resource: ResourceCalls {
    ResourceCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `res`. Arguments that aren't known are left out.
public struct ResourceCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `res.use`: Address Book, calendar and kin.
  ///
  /// The app calls it when it does this.
  public func use(op: Op? = nil, resource: RecordedText? = nil) {
    var slots = 3
    if let resource { slots += resource.slotsMax }
    guard var event = core.open(.resUse, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let resource { event.add(.resource, resource, key: privacyKey) }
    event.commit()
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case acquire
    case release

    @inline(__always)
    var text: StaticString {
      switch self {
      case .acquire: "acquire"
      case .release: "release"
      }
    }
  }
}
