// Holds the kinds for questions that the app asks the system about its state.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let stateApplication = EventKind(rawValue: 50)
  public static let stateTimeRemaining = EventKind(rawValue: 51)
  public static let stateMultitasking = EventKind(rawValue: 52)
  public static let stateRefreshStatus = EventKind(rawValue: 53)
  public static let stateLaunchOptions = EventKind(rawValue: 54)
}

extension Vocabulary {
  static let stateKinds: [KindDescription] = [
    KindDescription(
      .stateApplication, "state.application", .instant, by: .app, "UIApplication.applicationState",
      with: [.value: .applicationState]),
    KindDescription(
      .stateTimeRemaining, "state.time_remaining", .instant, by: .app,
      "UIApplication.backgroundTimeRemaining",
      with: [.seconds: .number]),
    KindDescription(
      .stateMultitasking, "state.multitasking", .instant, by: .app,
      "UIDevice.multitaskingSupported",
      with: [.guarded: .boolean, .value: .boolean]),
    KindDescription(
      .stateRefreshStatus, "state.refresh_status", .instant, by: .app,
      "UIApplication.backgroundRefreshStatus",
      with: [.value: .refreshStatus]),
    KindDescription(
      .stateLaunchOptions, "state.launch_options", .instant, by: .app, "launch options read",
      with: [.key: .string]),
  ]
}
