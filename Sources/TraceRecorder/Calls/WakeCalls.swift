// Calls for the events of `wake`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `wake`.
  public var wake: WakeCalls {
    WakeCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `wake`. Arguments that aren't known are left out.
public struct WakeCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `wake.window`: background wake-up.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on any
  /// thread.
  @discardableResult
  public func window(id: Int? = nil, reason: Reason? = nil, limitS: Double? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .wakeWindow)
    guard var event = core.open(.wakeWindow, .enter, slotsMax: 7) else { return span }
    if let id { event.add(.id, Int64(id)) }
    if let reason { event.add(.reason, reason.text) }
    if let limitS { event.add(.limitS, limitS) }
    event.commit()
    return span
  }

  /// `wake.window` around a body, which may throw.
  public func window<Returned>(
    id: Int? = nil, reason: Reason? = nil, limitS: Double? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try window(id: id, reason: reason, limitS: limitS).around(body)
  }

  /// Values of `Reason`.
  public enum Reason: Sendable {
    case userIcon
    case switcher
    case openUrl
    case localNotification
    case remoteNotification
    case location
    case region
    case audio
    case voipSocket
    case keepalive
    case voipExit
    case boot
    case externalAccessory
    case bluetoothCentral
    case bluetoothPeripheral
    case fetch
    case urlSession
    case newsstand
    case bgScheduler
    case pushkit
    case prewarm
    case unknown

    @inline(__always)
    var text: StaticString {
      switch self {
      case .userIcon: "user_icon"
      case .switcher: "switcher"
      case .openUrl: "open_url"
      case .localNotification: "local_notification"
      case .remoteNotification: "remote_notification"
      case .location: "location"
      case .region: "region"
      case .audio: "audio"
      case .voipSocket: "voip_socket"
      case .keepalive: "keepalive"
      case .voipExit: "voip_exit"
      case .boot: "boot"
      case .externalAccessory: "external_accessory"
      case .bluetoothCentral: "bluetooth_central"
      case .bluetoothPeripheral: "bluetooth_peripheral"
      case .fetch: "fetch"
      case .urlSession: "url_session"
      case .newsstand: "newsstand"
      case .bgScheduler: "bg_scheduler"
      case .pushkit: "pushkit"
      case .prewarm: "prewarm"
      case .unknown: "unknown"
      }
    }
  }
}
