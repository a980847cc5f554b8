// What an app under replay implements. It is shaped like UIKit's delegate, so that the same object
// can serve both with a few lines between.

import TraceModel

/// An implementation under test. Every method has an empty default.
///
/// All methods are called on the virtual main thread. What the app does it says to the
/// ``ReplayedApplication`` that it is given: that is compared with the recording.
public protocol ApplicationDelegate: AnyObject {
  func application(
    _ application: ReplayedApplication, willFinishLaunchingWithOptions keys: [String])
  func application(
    _ application: ReplayedApplication, didFinishLaunchingWithOptions keys: [String])
  func applicationDidBecomeActive(_ application: ReplayedApplication)
  func applicationWillResignActive(_ application: ReplayedApplication)
  func applicationDidEnterBackground(_ application: ReplayedApplication)
  func applicationWillEnterForeground(_ application: ReplayedApplication)
  func applicationWillTerminate(_ application: ReplayedApplication)
  func applicationDidReceiveMemoryWarning(_ application: ReplayedApplication)
  func application(
    _ application: ReplayedApplication,
    performFetchWithCompletionHandler completion: @escaping (FetchResult) -> Void)
  func application(
    _ application: ReplayedApplication,
    didReceiveRemoteNotificationWithCompletionHandler completion: @escaping (FetchResult) -> Void)
  func application(
    _ application: ReplayedApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)
  /// Everything else that reaches the app: touches, notices, calls of scenes, data of devices.
  func application(_ application: ReplayedApplication, received event: RecordedEvent)
}

/// What a fetch brought, as `UIBackgroundFetchResult` says it.
public enum FetchResult: String, Sendable {
  case newData = "new_data"
  case noData = "no_data"
  case failed
}

extension ApplicationDelegate {
  public func application(
    _ application: ReplayedApplication, willFinishLaunchingWithOptions keys: [String]
  ) {}
  public func application(
    _ application: ReplayedApplication, didFinishLaunchingWithOptions keys: [String]
  ) {}
  public func applicationDidBecomeActive(_ application: ReplayedApplication) {}
  public func applicationWillResignActive(_ application: ReplayedApplication) {}
  public func applicationDidEnterBackground(_ application: ReplayedApplication) {}
  public func applicationWillEnterForeground(_ application: ReplayedApplication) {}
  public func applicationWillTerminate(_ application: ReplayedApplication) {}
  public func applicationDidReceiveMemoryWarning(_ application: ReplayedApplication) {}
  public func application(
    _ application: ReplayedApplication,
    performFetchWithCompletionHandler completion: @escaping (FetchResult) -> Void
  ) {}
  public func application(
    _ application: ReplayedApplication,
    didReceiveRemoteNotificationWithCompletionHandler completion: @escaping (FetchResult) -> Void
  ) {}
  public func application(
    _ application: ReplayedApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {}
  public func application(_ application: ReplayedApplication, received event: RecordedEvent) {}
}
