// Calls for the events of `bt`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `bt`.
  public var bluetooth: BluetoothCalls {
    BluetoothCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `bt`. Arguments that aren't known are left out.
public struct BluetoothCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `bt.session`: Core Bluetooth session.
  ///
  /// The app calls it when it does this.
  public func session(op: Op? = nil, role: Role? = nil, peer: RecordedText? = nil) {
    var slots = 6
    if let peer { slots += peer.slotsMax }
    guard var event = core.open(.btSession, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let role { event.add(.role, role.text) }
    if let peer { event.add(.peer, peer, key: privacyKey) }
    event.commit()
  }

  /// Records `bt.data`: Core Bluetooth callback.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on this
  /// thread.
  @discardableResult
  public func data(
    role: Role? = nil, peer: RecordedText? = nil, kind: Kind? = nil
  ) -> RecordedSpan {
    var slots = 7
    if let peer { slots += peer.slotsMax }
    let span = RecordedSpan(core: core, kind: .btData)
    guard var event = core.open(.btData, .enter, slotsMax: slots) else { return span }
    if let role { event.add(.role, role.text) }
    if let peer { event.add(.peer, peer, key: privacyKey) }
    if let kind { event.add(.kind, kind.text) }
    event.commit()
    return span
  }

  /// `bt.data` around a body, which may throw.
  public func data<Returned>(
    role: Role? = nil, peer: RecordedText? = nil, kind: Kind? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try data(role: role, peer: peer, kind: kind).around(body)
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

  /// Values of `Role`.
  public enum Role: Sendable {
    case central
    case peripheral

    @inline(__always)
    var text: StaticString {
      switch self {
      case .central: "central"
      case .peripheral: "peripheral"
      }
    }
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case data
    case connect
    case disconnect
    case request

    @inline(__always)
    var text: StaticString {
      switch self {
      case .data: "data"
      case .connect: "connect"
      case .disconnect: "disconnect"
      case .request: "request"
      }
    }
  }
}
