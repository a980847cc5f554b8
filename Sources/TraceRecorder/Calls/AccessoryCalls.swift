// Calls for the events of `ea`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `ea`.
  public var accessory: AccessoryCalls {
    AccessoryCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `ea`. Arguments that aren't known are left out.
public struct AccessoryCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `ea.session`: EASession open or close.
  ///
  /// The app calls it when it does this.
  public func session(op: Op? = nil, accessory: RecordedText? = nil) {
    var slots = 3
    if let accessory { slots += accessory.slotsMax }
    guard var event = core.open(.eaSession, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let accessory { event.add(.accessory, accessory, key: privacyKey) }
    event.commit()
  }

  /// Records `ea.data`: accessory stream event.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func data(accessory: RecordedText? = nil) -> RecordedSpan {
    var slots = 1
    if let accessory { slots += accessory.slotsMax }
    let span = RecordedSpan(core: core, kind: .eaData)
    guard var event = core.open(.eaData, .enter, slotsMax: slots) else { return span }
    if let accessory { event.add(.accessory, accessory, key: privacyKey) }
    event.commit()
    return span
  }

  /// `ea.data` around a body, which may throw.
  public func data<Returned>(
    accessory: RecordedText? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try data(accessory: accessory).around(body)
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case open
    case close

    @inline(__always)
    var text: StaticString {
      switch self {
      case .open: "open"
      case .close: "close"
      }
    }
  }
}
