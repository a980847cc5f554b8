// Holds the kinds of audio, location, VoIP, accessories, Bluetooth, Newsstand and background fetch.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let audioSession = EventKind(rawValue: 98)
  public static let audioPlay = EventKind(rawValue: 99)
  public static let audioRecord = EventKind(rawValue: 100)
  public static let audioCallback = EventKind(rawValue: 101)
  public static let audioInterruption = EventKind(rawValue: 102)
  public static let locStart = EventKind(rawValue: 103)
  public static let locStop = EventKind(rawValue: 104)
  public static let locUpdate = EventKind(rawValue: 105)
  public static let voipKeepaliveSet = EventKind(rawValue: 106)
  public static let voipKeepaliveClear = EventKind(rawValue: 107)
  public static let voipKeepalive = EventKind(rawValue: 108)
  public static let voipTag = EventKind(rawValue: 109)
  public static let voipCall = EventKind(rawValue: 110)
  public static let eaSession = EventKind(rawValue: 111)
  public static let eaData = EventKind(rawValue: 112)
  public static let btSession = EventKind(rawValue: 113)
  public static let btData = EventKind(rawValue: 114)
  public static let newsDownload = EventKind(rawValue: 115)
  public static let fetchInterval = EventKind(rawValue: 116)
}

extension Vocabulary {
  static let serviceKinds: [KindDescription] = [
    KindDescription(
      .audioSession, "audio.session", .instant, by: .app, "AVAudioSession category or active state",
      with: [.op: .words(["configure", "activate", "deactivate"]), .category: .string]),
    KindDescription(
      .audioPlay, "audio.play", .instant, by: .app, "playback",
      with: [.op: .startOrStop, .stream: .integer, .audible: .boolean, .route: .string]),
    KindDescription(
      .audioRecord, "audio.record", .instant, by: .app, "recording",
      with: [.op: .startOrStop, .stream: .integer]),
    KindDescription(
      .audioCallback, "audio.callback", .span, by: .system, "audio buffer callback",
      with: [.stream: .integer]),
    KindDescription(
      .audioInterruption, "audio.interruption", .window, by: .system,
      "audio session interruption or route change",
      with: [.kind: .words(["interruption", "route_change"]), .phase: .words(["began", "ended"])]),
    KindDescription(
      .locStart, "loc.start", .instant, by: .app,
      "startUpdatingLocation, startMonitoringSignificantLocationChanges, startMonitoringForRegion:",
      with: [.service: .locationService, .accuracy: .number]),
    KindDescription(
      .locStop, "loc.stop", .instant, by: .app,
      "stopUpdatingLocation, stopMonitoringSignificantLocationChanges, stopMonitoringForRegion:",
      with: [.service: .locationService]),
    KindDescription(
      .locUpdate, "loc.update", .span, by: .system,
      "locationManager:didUpdateToLocation:fromLocation:",
      with: [.service: .locationService]),
    KindDescription(
      .voipKeepaliveSet, "voip.keepalive_set", .instant, by: .app, "setKeepAliveTimeout:handler:",
      with: [.timeoutS: .number, .accepted: .boolean]),
    KindDescription(
      .voipKeepaliveClear, "voip.keepalive_clear", .instant, by: .app, "clearKeepAliveTimeout"),
    KindDescription(.voipKeepalive, "voip.keepalive", .span, by: .system, "keep-alive handler"),
    KindDescription(
      .voipTag, "voip.tag", .instant, by: .app, "VoIP service type of a socket",
      with: [
        .socket: .integer, .interface: .words(["NSStream", "NSMutableURLRequest", "CFStream"]),
        .key: .string,
      ]),
    KindDescription(
      .voipCall, "voip.call", .window, by: .app,
      with: [.id: .integer, .incoming: .boolean]),
    KindDescription(
      .eaSession, "ea.session", .instant, by: .app, "EASession open or close",
      with: [.op: .openOrClose, .accessory: .string]),
    KindDescription(
      .eaData, "ea.data", .span, by: .system, "accessory stream event",
      with: [.accessory: .string]),
    KindDescription(
      .btSession, "bt.session", .instant, by: .app, "Core Bluetooth session",
      with: [.op: .openOrClose, .role: .bluetoothRole, .peer: .string]),
    KindDescription(
      .btData, "bt.data", .span, by: .system, "Core Bluetooth callback",
      with: [
        .role: .bluetoothRole, .peer: .string,
        .kind: .words(["data", "connect", "disconnect", "request"]),
      ]),
    KindDescription(
      .newsDownload, "news.download", .instant, by: .appOrSystem, "Newsstand Kit download",
      with: [.op: .words(["start", "finish", "error"]), .issue: .string]),
    KindDescription(
      .fetchInterval, "fetch.interval", .instant, by: .app, "setMinimumBackgroundFetchInterval:",
      with: [.seconds: .number]),
  ]
}
