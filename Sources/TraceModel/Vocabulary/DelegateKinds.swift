// Holds the kinds of calls to the application delegate and the completion handlers they bring.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let delegateWillFinishLaunching = EventKind(rawValue: 35)
  public static let delegateDidFinishLaunching = EventKind(rawValue: 36)
  public static let delegateDidBecomeActive = EventKind(rawValue: 37)
  public static let delegateWillResignActive = EventKind(rawValue: 38)
  public static let delegateDidEnterBackground = EventKind(rawValue: 39)
  public static let delegateWillEnterForeground = EventKind(rawValue: 40)
  public static let delegateWillTerminate = EventKind(rawValue: 41)
  public static let delegateOpenUrl = EventKind(rawValue: 42)
  public static let delegateDidReceiveMemoryWarning = EventKind(rawValue: 43)
  public static let delegateDidReceiveLocalNotification = EventKind(rawValue: 44)
  public static let delegateDidReceiveRemoteNotification = EventKind(rawValue: 45)
  public static let delegatePerformFetch = EventKind(rawValue: 46)
  public static let delegateHandleUrlSession = EventKind(rawValue: 47)
  public static let delegateShouldSaveState = EventKind(rawValue: 48)
  public static let completionCall = EventKind(rawValue: 49)
}

extension Vocabulary {
  static let delegateKinds: [KindDescription] = [
    KindDescription(
      .delegateWillFinishLaunching, "delegate.will_finish_launching", .span, by: .system,
      "application:willFinishLaunchingWithOptions:",
      with: [.optionKeys: .string, .applicationState: .applicationState, .result: .boolean]),
    KindDescription(
      .delegateDidFinishLaunching, "delegate.did_finish_launching", .span, by: .system,
      "application:didFinishLaunchingWithOptions:",
      with: [.optionKeys: .string, .applicationState: .applicationState, .result: .boolean]),
    KindDescription(
      .delegateDidBecomeActive, "delegate.did_become_active", .span, by: .system,
      "applicationDidBecomeActive:",
      with: [.applicationState: .applicationState]),
    KindDescription(
      .delegateWillResignActive, "delegate.will_resign_active", .span, by: .system,
      "applicationWillResignActive:",
      with: [.applicationState: .applicationState]),
    KindDescription(
      .delegateDidEnterBackground, "delegate.did_enter_background", .span, by: .system,
      "applicationDidEnterBackground:",
      with: [.applicationState: .applicationState]),
    KindDescription(
      .delegateWillEnterForeground, "delegate.will_enter_foreground", .span, by: .system,
      "applicationWillEnterForeground:",
      with: [.applicationState: .applicationState]),
    KindDescription(
      .delegateWillTerminate, "delegate.will_terminate", .span, by: .system,
      "applicationWillTerminate:",
      with: [.applicationState: .applicationState]),
    KindDescription(
      .delegateOpenUrl, "delegate.open_url", .span, by: .system,
      "application:openURL:sourceApplication:annotation:, application:handleOpenURL:",
      with: [.scheme: .string, .sourceApp: .string, .result: .boolean]),
    KindDescription(
      .delegateDidReceiveMemoryWarning, "delegate.did_receive_memory_warning", .span, by: .system,
      "applicationDidReceiveMemoryWarning:",
      with: [.level: .memoryPressureLevel]),
    KindDescription(
      .delegateDidReceiveLocalNotification, "delegate.did_receive_local_notification", .span,
      by: .system,
      "application:didReceiveLocalNotification:",
      with: [.id: .string]),
    KindDescription(
      .delegateDidReceiveRemoteNotification, "delegate.did_receive_remote_notification", .span,
      by: .system,
      "application:didReceiveRemoteNotification:fetchCompletionHandler:",
      with: [.contentAvailable: .integer, .completionId: .integer]),
    KindDescription(
      .delegatePerformFetch, "delegate.perform_fetch", .span, by: .system,
      "application:performFetchWithCompletionHandler:",
      with: [.completionId: .integer]),
    KindDescription(
      .delegateHandleUrlSession, "delegate.handle_url_session", .span, by: .system,
      "application:handleEventsForBackgroundURLSession:completionHandler:",
      with: [.session: .string, .completionId: .integer]),
    KindDescription(
      .delegateShouldSaveState, "delegate.should_save_state", .span, by: .system,
      "application:shouldSaveApplicationState:",
      with: [.result: .boolean]),
    KindDescription(
      .completionCall, "completion.call", .instant, by: .app,
      "completion handler of a delegate call",
      with: [.completionId: .integer, .result: .words(["new_data", "no_data", "failed", "none"])]),
  ]
}
