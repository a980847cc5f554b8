// Calls for the events of `net`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `net`.
  public var network: NetworkCalls {
    NetworkCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `net`. Arguments that aren't known are left out.
public struct NetworkCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `net.listen`: listening socket.
  ///
  /// The app calls it when it does this.
  public func listen(op: Op? = nil, socket: Int? = nil) {
    guard var event = core.open(.netListen, .instant, slotsMax: 4) else { return }
    if let op { event.add(.op, op.text) }
    if let socket { event.add(.socket, Int64(socket)) }
    event.commit()
  }

  /// Records `net.connect`: stream socket.
  ///
  /// The app calls it when it does this.
  public func connect(op: Op? = nil, socket: Int? = nil, peer: RecordedText? = nil) {
    var slots = 4
    if let peer { slots += peer.slotsMax }
    guard var event = core.open(.netConnect, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let socket { event.add(.socket, Int64(socket)) }
    if let peer { event.add(.peer, peer, key: privacyKey) }
    event.commit()
  }

  /// Records `net.error`: socket error.
  ///
  /// The app calls it when it does this.
  public func error(socket: Int? = nil, errno: Int? = nil) {
    guard var event = core.open(.netError, .instant, slotsMax: 3) else { return }
    if let socket { event.add(.socket, Int64(socket)) }
    if let errno { event.add(.errno, Int64(errno)) }
    event.commit()
  }

  /// Records `net.io`: send or receive.
  ///
  /// The app calls it when it does this.
  public func io(socket: Int? = nil, bytes: Int? = nil) {
    guard var event = core.open(.netIo, .instant, slotsMax: 3) else { return }
    if let socket { event.add(.socket, Int64(socket)) }
    if let bytes { event.add(.bytes, Int64(bytes)) }
    event.commit()
  }

  /// Records `net.sync_wait`: blocking wait for a reply.
  ///
  /// The app calls it when it does this. Returns the span, to be ended on this thread.
  @discardableResult
  public func syncWait(request: Int? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .netSyncWait)
    guard var event = core.open(.netSyncWait, .enter, slotsMax: 2) else { return span }
    if let request { event.add(.request, Int64(request)) }
    event.commit()
    return span
  }

  /// `net.sync_wait` around a body, which may throw.
  public func syncWait<Returned>(
    request: Int? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try syncWait(request: request).around(body)
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
