// Holds the names of the notifications that rules speak of, and whether suspension holds them back.

/// A notification of the system, as named by the argument `name` of `note.observe` and
/// `note.deliver`.
public struct NotificationName: Hashable, Sendable {
  /// The name as posted, for example `UIScreenDidConnectNotification`.
  public let text: String
  /// Whether it is held back while the app is suspended, and delivered, coalesced, when it resumes.
  public let isQueued: Bool

  public init(_ text: String, isQueued: Bool) {
    self.text = text
    self.isQueued = isQueued
  }
}

extension Vocabulary {
  /// Every notification name that rules speak of; the queued ones come first.
  public static let notificationNames: [NotificationName] = [
    NotificationName("EAAccessoryDidConnectNotification", isQueued: true),
    NotificationName("EAAccessoryDidDisconnectNotification", isQueued: true),
    NotificationName("UIDeviceOrientationDidChangeNotification", isQueued: true),
    NotificationName("UIApplicationSignificantTimeChangeNotification", isQueued: true),
    NotificationName("UIDeviceBatteryLevelDidChangeNotification", isQueued: true),
    NotificationName("UIDeviceBatteryStateDidChangeNotification", isQueued: true),
    NotificationName("UIDeviceProximityStateDidChangeNotification", isQueued: true),
    NotificationName("UIApplicationProtectedDataWillBecomeUnavailable", isQueued: true),
    NotificationName("UIApplicationProtectedDataDidBecomeAvailable", isQueued: true),
    NotificationName("UIScreenDidConnectNotification", isQueued: true),
    NotificationName("UIScreenDidDisconnectNotification", isQueued: true),
    NotificationName("UIScreenModeDidChangeNotification", isQueued: true),
    NotificationName("NSUserDefaultsDidChangeNotification", isQueued: true),
    NotificationName("NSCurrentLocaleDidChangeNotification", isQueued: true),
    NotificationName("NSUbiquityIdentityDidChangeNotification", isQueued: true),
    NotificationName("UIApplicationDidChangeStatusBarFrameNotification", isQueued: false),
    NotificationName("UIApplicationDidReceiveMemoryWarningNotification", isQueued: false),
    NotificationName("UIApplicationDidFinishLaunchingNotification", isQueued: false),
    NotificationName("UIApplicationDidBecomeActiveNotification", isQueued: false),
    NotificationName("UIApplicationWillResignActiveNotification", isQueued: false),
    NotificationName("UIApplicationDidEnterBackgroundNotification", isQueued: false),
    NotificationName("UIApplicationWillEnterForegroundNotification", isQueued: false),
    NotificationName("UIApplicationWillTerminateNotification", isQueued: false),
    NotificationName("UIApplicationBackgroundRefreshStatusDidChangeNotification", isQueued: false),
  ]
}
