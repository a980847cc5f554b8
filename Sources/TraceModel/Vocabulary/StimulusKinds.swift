// Holds the kinds of what the user and the system do to the app from outside.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let sysHomeButton = EventKind(rawValue: 16)
  public static let sysUserLaunch = EventKind(rawValue: 17)
  public static let sysAppSwitch = EventKind(rawValue: 18)
  public static let sysSwitcher = EventKind(rawValue: 19)
  public static let sysForceQuit = EventKind(rawValue: 20)
  public static let sysInterruption = EventKind(rawValue: 21)
  public static let sysBanner = EventKind(rawValue: 22)
  public static let sysLock = EventKind(rawValue: 23)
  public static let sysUnlock = EventKind(rawValue: 24)
  public static let sysFirstUnlock = EventKind(rawValue: 25)
  public static let sysBoot = EventKind(rawValue: 26)
  public static let sysShutdown = EventKind(rawValue: 27)
  public static let sysMemoryPressure = EventKind(rawValue: 28)
  public static let sysPushArrived = EventKind(rawValue: 29)
  public static let sysRefreshChanged = EventKind(rawValue: 30)
  public static let sysSnapshot = EventKind(rawValue: 31)
  public static let sysThrottle = EventKind(rawValue: 32)
  public static let sysCachePurge = EventKind(rawValue: 33)
  public static let wakeWindow = EventKind(rawValue: 34)
}

extension Vocabulary {
  static let stimulusKinds: [KindDescription] = [
    KindDescription(.sysHomeButton, "sys.home_button", .instant, by: .system, "Home button"),
    KindDescription(
      .sysUserLaunch, "sys.user_launch", .instant, by: .system, "icon tap, App Switcher tap",
      with: [.from: .words(["icon", "switcher", "notification", "url"])]),
    KindDescription(
      .sysAppSwitch, "sys.app_switch", .instant, by: .system, "another app opened",
      with: [.target: .string]),
    KindDescription(
      .sysSwitcher, "sys.switcher", .window, by: .system, "App Switcher / multitasking UI"),
    KindDescription(
      .sysForceQuit, "sys.force_quit", .instant, by: .system, "swipe up, or minus badge",
      with: [.state: .words(["active", "inactive", "background", "suspended", "not_running"])]),
    KindDescription(
      .sysInterruption, "sys.interruption", .window, by: .system, "alert-based interruption",
      with: [
        .kind: .words([
          "phone_call", "text_message", "alert_notification", "iap_prompt", "sync_screen",
          "system_alert", "notification_center", "control_center", "siri", "other",
        ]),
        .outcome: .words(["dismissed", "accepted"]),
      ]),
    KindDescription(
      .sysBanner, "sys.banner", .instant, by: .system, "banner notification",
      with: [.id: .string, .shown: .boolean]),
    KindDescription(
      .sysLock, "sys.lock", .instant, by: .system, "Sleep/Wake button or auto-lock",
      with: [.cause: .words(["button", "auto"]), .passcodeSet: .boolean]),
    KindDescription(.sysUnlock, "sys.unlock", .instant, by: .system),
    KindDescription(
      .sysFirstUnlock, "sys.first_unlock", .instant, by: .system, "first unlock since boot"),
    KindDescription(.sysBoot, "sys.boot", .instant, by: .system),
    KindDescription(
      .sysShutdown, "sys.shutdown", .instant, by: .system,
      with: [.cause: .words(["user", "battery"])]),
    KindDescription(
      .sysMemoryPressure, "sys.memory_pressure", .instant, by: .system, "low-memory condition",
      with: [.level: .memoryPressureLevel]),
    KindDescription(
      .sysPushArrived, "sys.push_arrived", .instant, by: .system,
      "remote notification at the device",
      with: [
        .contentAvailable: .integer, .hasAlert: .boolean, .hasSound: .boolean,
        .hasBadge: .boolean,
      ]),
    KindDescription(
      .sysRefreshChanged, "sys.refresh_changed", .instant, by: .system,
      "Settings > General > Background App Refresh",
      with: [.status: .refreshStatus]),
    KindDescription(.sysSnapshot, "sys.snapshot", .instant, by: .system, "picture of the UI taken"),
    KindDescription(
      .sysThrottle, "sys.throttle", .instant, by: .system, "app throttled",
      with: [.kind: .words(["cpu", "wake_rate"])]),
    KindDescription(
      .sysCachePurge, "sys.cache_purge", .instant, by: .system,
      "layer stores and cached images freed",
      with: [.bytes: .integer]),
    KindDescription(
      .wakeWindow, "wake.window", .window, by: .system, "background wake-up",
      with: [.id: .integer, .reason: .startReason, .limitS: .number]),
  ]
}
