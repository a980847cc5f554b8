// Calls for the events of `proc`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `proc`.
  public var process: ProcessCalls {
    ProcessCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `proc`. Arguments that aren't known are left out.
public struct ProcessCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `proc.start`: process creation.
  ///
  /// The app calls it when the system does this to it.
  public func start(
    pid: Int? = nil, launchId: Int? = nil, into: Into? = nil, reason: Reason? = nil
  ) {
    guard var event = core.open(.procStart, .instant, slotsMax: 10) else { return }
    if let pid { event.add(.pid, Int64(pid)) }
    if let launchId { event.add(.launchId, Int64(launchId)) }
    if let into { event.add(.into, into.text) }
    if let reason { event.add(.reason, reason.text) }
    event.commit()
  }

  /// Records `proc.main`: main, UIApplicationMain.
  ///
  /// The app calls it when it does this. Returns the span, to be ended on this thread.
  @discardableResult
  public func main(
    argc: Int? = nil, principalClass: RecordedText? = nil, delegateClass: RecordedText? = nil
  ) -> RecordedSpan {
    var slots = 2
    if let principalClass { slots += principalClass.slotsMax(bytesMax: 488) }
    if let delegateClass { slots += delegateClass.slotsMax(bytesMax: 488) }
    let span = RecordedSpan(core: core, kind: .procMain)
    guard var event = core.open(.procMain, .enter, slotsMax: slots) else { return span }
    if let argc { event.add(.argc, Int64(argc)) }
    if let principalClass {
      event.add(.principalClass, principalClass, key: privacyKey, bytesMax: 488)
    }
    if let delegateClass {
      event.add(.delegateClass, delegateClass, key: privacyKey, bytesMax: 488)
    }
    event.commit()
    return span
  }

  /// `proc.main` around a body, which may throw.
  public func main<Returned>(
    argc: Int? = nil, principalClass: RecordedText? = nil, delegateClass: RecordedText? = nil,
    _ body: () throws -> Returned
  ) rethrows -> Returned {
    try main(argc: argc, principalClass: principalClass, delegateClass: delegateClass).around(body)
  }

  /// Records `proc.exit`: exit, return from main.
  ///
  /// The app calls it when it does this.
  public func exit(code: Int? = nil, by: By? = nil) {
    guard var event = core.open(.procExit, .instant, slotsMax: 7) else { return }
    if let code { event.add(.code, Int64(code)) }
    if let by { event.add(.by, by.text) }
    event.commit()
  }

  /// Records `proc.footprint`.
  ///
  /// Made up by who records: a sample, not an act.
  public func footprint(bytes: Int? = nil, dirtyBytes: Int? = nil) {
    guard var event = core.open(.procFootprint, .instant, slotsMax: 3) else { return }
    if let bytes { event.add(.bytes, Int64(bytes)) }
    if let dirtyBytes { event.add(.dirtyBytes, Int64(dirtyBytes)) }
    event.commit()
  }

  /// Records `proc.cpu`.
  ///
  /// Made up by who records: a sample, not an act.
  public func cpu(thread: Int? = nil, cpuNs: Int? = nil, windowNs: Int? = nil) {
    guard var event = core.open(.procCpu, .instant, slotsMax: 4) else { return }
    if let thread { event.add(.thread, Int64(thread)) }
    if let cpuNs { event.add(.cpuNs, Int64(cpuNs)) }
    if let windowNs { event.add(.windowNs, Int64(windowNs)) }
    event.commit()
  }

  /// Values of `Into`.
  public enum Into: Sendable {
    case foreground
    case background

    @inline(__always)
    var text: StaticString {
      switch self {
      case .foreground: "foreground"
      case .background: "background"
      }
    }
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

  /// Values of `By`.
  public enum By: Sendable {
    case app
    case uikitAfterWillTerminate

    @inline(__always)
    var text: StaticString {
      switch self {
      case .app: "app"
      case .uikitAfterWillTerminate: "uikit_after_will_terminate"
      }
    }
  }
}
