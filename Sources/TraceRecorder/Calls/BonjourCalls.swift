// Calls for the events of `bonjour`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `bonjour`.
  public var bonjour: BonjourCalls {
    BonjourCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `bonjour`. Arguments that aren't known are left out.
public struct BonjourCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `bonjour.service`: Bonjour publish, browse, resolve.
  ///
  /// The app calls it when it does this.
  public func service(op: Op? = nil, service: RecordedText? = nil, kind: Kind? = nil) {
    var slots = 5
    if let service { slots += service.slotsMax }
    guard var event = core.open(.bonjourService, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let service { event.add(.service, service, key: privacyKey) }
    if let kind { event.add(.kind, kind.text) }
    event.commit()
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case start
    case stop

    @inline(__always)
    var text: StaticString {
      switch self {
      case .start: "start"
      case .stop: "stop"
      }
    }
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case publish
    case browse
    case resolve

    @inline(__always)
    var text: StaticString {
      switch self {
      case .publish: "publish"
      case .browse: "browse"
      case .resolve: "resolve"
      }
    }
  }
}
