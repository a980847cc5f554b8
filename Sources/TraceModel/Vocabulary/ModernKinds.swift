// Holds the kinds of scenes, scheduled tasks, incoming calls, assertions and imported exits.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let sceneWillConnect = EventKind(rawValue: 131)
  public static let sceneDidBecomeActive = EventKind(rawValue: 132)
  public static let sceneWillResignActive = EventKind(rawValue: 133)
  public static let sceneDidEnterBackground = EventKind(rawValue: 134)
  public static let sceneWillEnterForeground = EventKind(rawValue: 135)
  public static let sceneDidDisconnect = EventKind(rawValue: 136)
  public static let bgschedRegister = EventKind(rawValue: 137)
  public static let bgschedSubmit = EventKind(rawValue: 138)
  public static let bgschedRun = EventKind(rawValue: 139)
  public static let bgschedExpire = EventKind(rawValue: 140)
  public static let bgschedComplete = EventKind(rawValue: 141)
  public static let pushkitReceive = EventKind(rawValue: 142)
  public static let callkitReport = EventKind(rawValue: 143)
  public static let procAssertion = EventKind(rawValue: 144)
  public static let exitImport = EventKind(rawValue: 145)
}

extension Vocabulary {
  static let modernKinds: [KindDescription] = [
    KindDescription(
      .sceneWillConnect, "scene.will_connect", .span, by: .system,
      "scene:willConnectToSession:options:",
      with: [.scene: .string, .role: .string]),
    KindDescription(
      .sceneDidBecomeActive, "scene.did_become_active", .span, by: .system, "sceneDidBecomeActive:",
      with: [.scene: .string]),
    KindDescription(
      .sceneWillResignActive, "scene.will_resign_active", .span, by: .system,
      "sceneWillResignActive:",
      with: [.scene: .string]),
    KindDescription(
      .sceneDidEnterBackground, "scene.did_enter_background", .span, by: .system,
      "sceneDidEnterBackground:",
      with: [.scene: .string]),
    KindDescription(
      .sceneWillEnterForeground, "scene.will_enter_foreground", .span, by: .system,
      "sceneWillEnterForeground:",
      with: [.scene: .string]),
    KindDescription(
      .sceneDidDisconnect, "scene.did_disconnect", .span, by: .system, "sceneDidDisconnect:",
      with: [.scene: .string]),
    KindDescription(
      .bgschedRegister, "bgsched.register", .instant, by: .app,
      "BGTaskScheduler register(forTaskWithIdentifier:using:launchHandler:)",
      with: [.identifier: .string, .result: .boolean]),
    KindDescription(
      .bgschedSubmit, "bgsched.submit", .instant, by: .app, "BGTaskScheduler submit",
      with: [
        .identifier: .string, .kind: .scheduledTaskKind, .earliestBeginWallNs: .integer,
        .errorCode: .integer,
      ]),
    KindDescription(
      .bgschedRun, "bgsched.run", .window, by: .system, "launch handler",
      with: [.identifier: .string, .kind: .scheduledTaskKind, .hasExpirationHandler: .boolean]),
    KindDescription(
      .bgschedExpire, "bgsched.expire", .span, by: .system, "BGTask.expirationHandler",
      with: [.identifier: .string]),
    KindDescription(
      .bgschedComplete, "bgsched.complete", .instant, by: .app, "setTaskCompleted(success:)",
      with: [.identifier: .string, .success: .boolean]),
    KindDescription(
      .pushkitReceive, "pushkit.receive", .span, by: .system,
      "pushRegistry:didReceiveIncomingPushWithPayload:forType:withCompletionHandler:",
      with: [.type: .words(["voip", "complication", "file_provider"])]),
    KindDescription(
      .callkitReport, "callkit.report", .instant, by: .app, "CXProvider reportNewIncomingCall",
      with: [.uuid: .string]),
    KindDescription(
      .procAssertion, "proc.assertion", .instant, by: .system, "RunningBoard process assertion",
      with: [
        .op: .words(["acquire", "release", "invalidate"]), .id: .string, .name: .string,
        .reason: .string, .domain: .string, .durationS: .number,
      ]),
    KindDescription(
      .exitImport, "exit.import", .instant, by: .recorder, "MetricKit, crash report",
      with: [.category: .string, .count: .integer, .window: .string]),
  ]
}
