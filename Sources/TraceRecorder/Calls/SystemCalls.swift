// Calls for the events of `sys`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `sys`.
  public var system: SystemCalls {
    SystemCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `sys`. Arguments that aren't known are left out.
public struct SystemCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `sys.home_button`: Home button.
  ///
  /// The app calls it when the system does this to it.
  public func homeButton() {
    guard let event = core.open(.sysHomeButton, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `sys.user_launch`: icon tap, App Switcher tap.
  ///
  /// The app calls it when the system does this to it.
  public func userLaunch(from: From? = nil) {
    guard var event = core.open(.sysUserLaunch, .instant, slotsMax: 4) else { return }
    if let from { event.add(.from, from.text) }
    event.commit()
  }

  /// Records `sys.app_switch`: another app opened.
  ///
  /// The app calls it when the system does this to it.
  public func appSwitch(target: RecordedText? = nil) {
    var slots = 1
    if let target { slots += target.slotsMax }
    guard var event = core.open(.sysAppSwitch, .instant, slotsMax: slots) else { return }
    if let target { event.add(.target, target, key: privacyKey) }
    event.commit()
  }

  /// Records `sys.switcher`: App Switcher / multitasking UI.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on any
  /// thread.
  @discardableResult
  public func switcher() -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .sysSwitcher)
    guard let event = core.open(.sysSwitcher, .enter, slotsMax: 1) else { return span }
    event.commit()
    return span
  }

  /// `sys.switcher` around a body, which may throw.
  public func switcher<Returned>(_ body: () throws -> Returned) rethrows -> Returned {
    try switcher().around(body)
  }

  /// Records `sys.force_quit`: swipe up, or minus badge.
  ///
  /// The app calls it when the system does this to it.
  public func forceQuit(state: State? = nil) {
    guard var event = core.open(.sysForceQuit, .instant, slotsMax: 4) else { return }
    if let state { event.add(.state, state.text) }
    event.commit()
  }

  /// Records `sys.interruption`: alert-based interruption.
  ///
  /// The app calls it when the system does this to it. Returns the span, to be ended on any
  /// thread.
  @discardableResult
  public func interruption(kind: Kind? = nil, outcome: Outcome? = nil) -> RecordedSpan {
    let span = RecordedSpan(core: core, kind: .sysInterruption)
    guard var event = core.open(.sysInterruption, .enter, slotsMax: 8) else { return span }
    if let kind { event.add(.kind, kind.text) }
    if let outcome { event.add(.outcome, outcome.text) }
    event.commit()
    return span
  }

  /// `sys.interruption` around a body, which may throw.
  public func interruption<Returned>(
    kind: Kind? = nil, outcome: Outcome? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try interruption(kind: kind, outcome: outcome).around(body)
  }

  /// Records `sys.banner`: banner notification.
  ///
  /// The app calls it when the system does this to it.
  public func banner(id: RecordedText? = nil, shown: Bool? = nil) {
    var slots = 2
    if let id { slots += id.slotsMax }
    guard var event = core.open(.sysBanner, .instant, slotsMax: slots) else { return }
    if let id { event.add(.id, id, key: privacyKey) }
    if let shown { event.add(.shown, shown) }
    event.commit()
  }

  /// Records `sys.lock`: Sleep/Wake button or auto-lock.
  ///
  /// The app calls it when the system does this to it.
  public func lock(cause: Cause? = nil, passcodeSet: Bool? = nil) {
    guard var event = core.open(.sysLock, .instant, slotsMax: 4) else { return }
    if let cause { event.add(.cause, cause.text) }
    if let passcodeSet { event.add(.passcodeSet, passcodeSet) }
    event.commit()
  }

  /// Records `sys.unlock`.
  ///
  /// The app calls it when the system does this to it.
  public func unlock() {
    guard let event = core.open(.sysUnlock, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `sys.first_unlock`: first unlock since boot.
  ///
  /// The app calls it when the system does this to it.
  public func firstUnlock() {
    guard let event = core.open(.sysFirstUnlock, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `sys.boot`.
  ///
  /// The app calls it when the system does this to it.
  public func boot() {
    guard let event = core.open(.sysBoot, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `sys.shutdown`.
  ///
  /// The app calls it when the system does this to it.
  public func shutdown(cause: ShutdownCause? = nil) {
    guard var event = core.open(.sysShutdown, .instant, slotsMax: 3) else { return }
    if let cause { event.add(.cause, cause.text) }
    event.commit()
  }

  /// Records `sys.memory_pressure`: low-memory condition.
  ///
  /// The app calls it when the system does this to it.
  public func memoryPressure(level: Level? = nil) {
    guard var event = core.open(.sysMemoryPressure, .instant, slotsMax: 3) else { return }
    if let level { event.add(.level, level.text) }
    event.commit()
  }

  /// Records `sys.push_arrived`: remote notification at the device.
  ///
  /// The app calls it when the system does this to it.
  public func pushArrived(
    contentAvailable: Int? = nil, hasAlert: Bool? = nil, hasSound: Bool? = nil,
    hasBadge: Bool? = nil
  ) {
    guard var event = core.open(.sysPushArrived, .instant, slotsMax: 5) else { return }
    if let contentAvailable { event.add(.contentAvailable, Int64(contentAvailable)) }
    if let hasAlert { event.add(.hasAlert, hasAlert) }
    if let hasSound { event.add(.hasSound, hasSound) }
    if let hasBadge { event.add(.hasBadge, hasBadge) }
    event.commit()
  }

  /// Records `sys.refresh_changed`: Settings > General > Background App Refresh.
  ///
  /// The app calls it when the system does this to it.
  public func refreshChanged(status: Status? = nil) {
    guard var event = core.open(.sysRefreshChanged, .instant, slotsMax: 4) else { return }
    if let status { event.add(.status, status.text) }
    event.commit()
  }

  /// Records `sys.snapshot`: picture of the UI taken.
  ///
  /// The app calls it when the system does this to it.
  public func snapshot() {
    guard let event = core.open(.sysSnapshot, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `sys.throttle`: app throttled.
  ///
  /// The app calls it when the system does this to it.
  public func throttle(kind: ThrottleKind? = nil) {
    guard var event = core.open(.sysThrottle, .instant, slotsMax: 4) else { return }
    if let kind { event.add(.kind, kind.text) }
    event.commit()
  }

  /// Records `sys.cache_purge`: layer stores and cached images freed.
  ///
  /// The app calls it when the system does this to it.
  public func cachePurge(bytes: Int? = nil) {
    guard var event = core.open(.sysCachePurge, .instant, slotsMax: 2) else { return }
    if let bytes { event.add(.bytes, Int64(bytes)) }
    event.commit()
  }

  /// Values of `From`.
  public enum From: Sendable {
    case icon
    case switcher
    case notification
    case url

    @inline(__always)
    var text: StaticString {
      switch self {
      case .icon: "icon"
      case .switcher: "switcher"
      case .notification: "notification"
      case .url: "url"
      }
    }
  }

  /// Values of `State`.
  public enum State: Sendable {
    case active
    case inactive
    case background
    case suspended
    case notRunning

    @inline(__always)
    var text: StaticString {
      switch self {
      case .active: "active"
      case .inactive: "inactive"
      case .background: "background"
      case .suspended: "suspended"
      case .notRunning: "not_running"
      }
    }
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case phoneCall
    case textMessage
    case alertNotification
    case iapPrompt
    case syncScreen
    case systemAlert
    case notificationCenter
    case controlCenter
    case siri
    case other

    @inline(__always)
    var text: StaticString {
      switch self {
      case .phoneCall: "phone_call"
      case .textMessage: "text_message"
      case .alertNotification: "alert_notification"
      case .iapPrompt: "iap_prompt"
      case .syncScreen: "sync_screen"
      case .systemAlert: "system_alert"
      case .notificationCenter: "notification_center"
      case .controlCenter: "control_center"
      case .siri: "siri"
      case .other: "other"
      }
    }
  }

  /// Values of `Outcome`.
  public enum Outcome: Sendable {
    case dismissed
    case accepted

    @inline(__always)
    var text: StaticString {
      switch self {
      case .dismissed: "dismissed"
      case .accepted: "accepted"
      }
    }
  }

  /// Values of `Cause`.
  public enum Cause: Sendable {
    case button
    case auto

    @inline(__always)
    var text: StaticString {
      switch self {
      case .button: "button"
      case .auto: "auto"
      }
    }
  }

  /// Values of `ShutdownCause`.
  public enum ShutdownCause: Sendable {
    case user
    case battery

    @inline(__always)
    var text: StaticString {
      switch self {
      case .user: "user"
      case .battery: "battery"
      }
    }
  }

  /// Values of `Level`.
  public enum Level: Sendable {
    case level1
    case level2
    case critical

    @inline(__always)
    var text: StaticString {
      switch self {
      case .level1: "1"
      case .level2: "2"
      case .critical: "critical"
      }
    }
  }

  /// Values of `Status`.
  public enum Status: Sendable {
    case available
    case denied
    case restricted

    @inline(__always)
    var text: StaticString {
      switch self {
      case .available: "available"
      case .denied: "denied"
      case .restricted: "restricted"
      }
    }
  }

  /// Values of `ThrottleKind`.
  public enum ThrottleKind: Sendable {
    case cpu
    case wakeRate

    @inline(__always)
    var text: StaticString {
      switch self {
      case .cpu: "cpu"
      case .wakeRate: "wake_rate"
      }
    }
  }
}
