// Holds what keeps the rows of the vocabulary's tables short: a form of the row, and shared words.

extension KindDescription {
  /// A row of a table; the order of the arguments is kept.
  init(
    _ kind: EventKind, _ name: String, _ shape: KindShape, by emitter: Emitter,
    _ symbol: String = "", with arguments: KeyValuePairs<ArgumentName, ArgumentShape>
  ) {
    self.init(
      kind, name, shape, by: emitter, symbol,
      arguments.map { ArgumentDescription($0.key, $0.value) })
  }
}

/// Words that several kinds share.
extension ArgumentShape {
  static let acquireOrRelease = words(["acquire", "release"])
  static let applicationState = words(["active", "inactive", "background"])
  static let bluetoothRole = words(["central", "peripheral"])
  static let container = words(["private", "app_group"])
  static let dataKind = words(["user_data", "ui_state"])
  static let locationService = words(["standard", "significant", "region"])
  static let memoryPressureLevel = words(["1", "2", "critical"])
  static let openOrClose = words(["open", "close"])
  static let refreshStatus = words(["available", "denied", "restricted"])
  static let scheduledTaskKind = words(["refresh", "processing", "continued"])
  static let startOrStop = words(["start", "stop"])

  /// Why the system starts, resumes or wakes the process.
  static let startReason = words([
    "user_icon", "switcher", "open_url", "local_notification", "remote_notification", "location",
    "region", "audio", "voip_socket", "keepalive", "voip_exit", "boot", "external_accessory",
    "bluetooth_central", "bluetooth_peripheral", "fetch", "url_session", "newsstand",
    "bg_scheduler", "pushkit", "prewarm", "unknown",
  ])
}
