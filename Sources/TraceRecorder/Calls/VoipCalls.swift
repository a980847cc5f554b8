// Calls for the events of `voip`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `voip`.
  public var voip: VoipCalls {
    VoipCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `voip`. Arguments that aren't known are left out.
public struct VoipCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `voip.keepalive_set`: setKeepAliveTimeout:handler:.
  ///
  /// The app calls it when it does this.
  public func keepaliveSet(timeoutS: Double? = nil, accepted: Bool? = nil) {
    guard var event = core.open(.voipKeepaliveSet, .instant, slotsMax: 3) else { return }
    if let timeoutS { event.add(.timeoutS, timeoutS) }
    if let accepted { event.add(.accepted, accepted) }
    event.commit()
  }

  /// Records `voip.keepalive_clear`: clearKeepAliveTimeout.
  ///
  /// The app calls it when it does this.
  public func keepaliveClear() {
    guard let event = core.open(.voipKeepaliveClear, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `voip.keepalive`: keep-alive handler.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func keepalive() -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .voipKeepalive)
    guard let event = core.open(.voipKeepalive, .enter, slotsMax: 1) else { return span }
    event.commit()
    return span
  }

  /// `voip.keepalive` around a body, which may throw.
  public func keepalive<Returned>(_ body: () throws -> Returned) rethrows -> Returned {
    try keepalive().around(body)
  }

  /// Records `voip.tag`: VoIP service type of a socket.
  ///
  /// The app calls it when it does this.
  public func tag(socket: Int? = nil, interface: Interface? = nil, key: RecordedText? = nil) {
    var slots = 6
    if let key { slots += key.slotsMax }
    guard var event = core.open(.voipTag, .instant, slotsMax: slots) else { return }
    if let socket { event.add(.socket, Int64(socket)) }
    if let interface { event.add(.interface, interface.text) }
    if let key { event.add(.key, key, key: privacyKey) }
    event.commit()
  }

  /// Records `voip.call`.
  ///
  /// The app calls it when it does this. Returns the span, to be ended on any thread.
  @discardableResult
  public func call(id: Int? = nil, incoming: Bool? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .voipCall)
    guard var event = core.open(.voipCall, .enter, slotsMax: 3) else { return span }
    if let id { event.add(.id, Int64(id)) }
    if let incoming { event.add(.incoming, incoming) }
    event.commit()
    return span
  }

  /// `voip.call` around a body, which may throw.
  public func call<Returned>(
    id: Int? = nil, incoming: Bool? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try call(id: id, incoming: incoming).around(body)
  }

  /// Values of `Interface`.
  public enum Interface: Sendable {
    case nsStream
    case nsMutableURLRequest
    case cfStream

    @inline(__always)
    var text: StaticString {
      switch self {
      case .nsStream: "NSStream"
      case .nsMutableURLRequest: "NSMutableURLRequest"
      case .cfStream: "CFStream"
      }
    }
  }
}
