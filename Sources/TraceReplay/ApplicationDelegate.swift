// What an app under replay implements. It is shaped like UIKit's delegates, so that the same object
// can serve both with a few lines between.
// This file must not know how the calls come about.

import TraceModel

/// An implementation under test. Every method has a default that does nothing and says yes.
///
/// The methods are called on the virtual thread of the recording, which is the main thread as a
/// rule. What the app does it says to the ``ReplayedApplication`` that it is given: that is
/// compared with the recording. Where a recording has what a method returned, that is, too.
public protocol ApplicationDelegate: AnyObject {
  // MARK: The life of the process

  func application(
    _ application: ReplayedApplication, willFinishLaunchingWithOptions keys: [String]
  ) -> Bool
  func application(
    _ application: ReplayedApplication, didFinishLaunchingWithOptions keys: [String]
  ) -> Bool
  func applicationDidBecomeActive(_ application: ReplayedApplication)
  func applicationWillResignActive(_ application: ReplayedApplication)
  func applicationDidEnterBackground(_ application: ReplayedApplication)
  func applicationWillEnterForeground(_ application: ReplayedApplication)
  func applicationWillTerminate(_ application: ReplayedApplication)
  func applicationDidReceiveMemoryWarning(_ application: ReplayedApplication)
  func applicationShouldSaveApplicationState(_ application: ReplayedApplication) -> Bool

  // MARK: Scenes

  func scene(_ scene: ReplayedScene, willConnectToSessionInRole role: String)
  func sceneDidBecomeActive(_ scene: ReplayedScene)
  func sceneWillResignActive(_ scene: ReplayedScene)
  func sceneDidEnterBackground(_ scene: ReplayedScene)
  func sceneWillEnterForeground(_ scene: ReplayedScene)
  func sceneDidDisconnect(_ scene: ReplayedScene)

  // MARK: What is handed to the app

  func application(_ application: ReplayedApplication, open url: OpenedURL) -> Bool
  /// An activity is handed over: the recorded launch had its key among the options. What it holds
  /// is never recorded.
  func applicationContinuesUserActivity(_ application: ReplayedApplication)
  func application(
    _ application: ReplayedApplication, didReceiveLocalNotification identifier: String)
  func application(
    _ application: ReplayedApplication,
    didReceiveRemoteNotification notification: RemoteNotification,
    fetchCompletionHandler completion: @escaping (FetchResult) -> Void)
  func application(
    _ application: ReplayedApplication,
    performFetchWithCompletionHandler completion: @escaping (FetchResult) -> Void)
  func application(
    _ application: ReplayedApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)
  /// Everything else that reaches the app: touches, notices, data of devices, tasks of a scheduler.
  func application(_ application: ReplayedApplication, received event: RecordedEvent)
}

/// What a fetch brought, as `UIBackgroundFetchResult` says it.
public enum FetchResult: String, Sendable {
  case newData = "new_data"
  case noData = "no_data"
  case failed
}

/// What a recording keeps of a URL that the app is to open.
public struct OpenedURL: Hashable, Sendable {
  public var scheme: String
  /// The app that asks for it; nil if the recording doesn't know.
  public var sourceApplication: String?
}

/// What a recording keeps of a remote notification.
public struct RemoteNotification: Hashable, Sendable {
  /// The value of `content-available`; nil if the recording doesn't know.
  public var contentAvailable: Int64?
}

/// A scene of the app under replay.
public struct ReplayedScene {
  /// The scene's name in the recording.
  public let identifier: String
  public let application: ReplayedApplication

  public var activationState: SceneActivationState {
    application.activationState(ofScene: identifier)
  }
}

extension ApplicationDelegate {
  public func application(
    _ application: ReplayedApplication, willFinishLaunchingWithOptions keys: [String]
  ) -> Bool { true }
  public func application(
    _ application: ReplayedApplication, didFinishLaunchingWithOptions keys: [String]
  ) -> Bool { true }
  public func applicationDidBecomeActive(_ application: ReplayedApplication) {}
  public func applicationWillResignActive(_ application: ReplayedApplication) {}
  public func applicationDidEnterBackground(_ application: ReplayedApplication) {}
  public func applicationWillEnterForeground(_ application: ReplayedApplication) {}
  public func applicationWillTerminate(_ application: ReplayedApplication) {}
  public func applicationDidReceiveMemoryWarning(_ application: ReplayedApplication) {}
  public func applicationShouldSaveApplicationState(
    _ application: ReplayedApplication
  ) -> Bool { true }
  public func scene(_ scene: ReplayedScene, willConnectToSessionInRole role: String) {}
  public func sceneDidBecomeActive(_ scene: ReplayedScene) {}
  public func sceneWillResignActive(_ scene: ReplayedScene) {}
  public func sceneDidEnterBackground(_ scene: ReplayedScene) {}
  public func sceneWillEnterForeground(_ scene: ReplayedScene) {}
  public func sceneDidDisconnect(_ scene: ReplayedScene) {}
  public func application(
    _ application: ReplayedApplication, open url: OpenedURL
  ) -> Bool { true }
  public func applicationContinuesUserActivity(_ application: ReplayedApplication) {}
  public func application(
    _ application: ReplayedApplication, didReceiveLocalNotification identifier: String
  ) {}
  public func application(
    _ application: ReplayedApplication,
    didReceiveRemoteNotification notification: RemoteNotification,
    fetchCompletionHandler completion: @escaping (FetchResult) -> Void
  ) {}
  public func application(
    _ application: ReplayedApplication,
    performFetchWithCompletionHandler completion: @escaping (FetchResult) -> Void
  ) {}
  public func application(
    _ application: ReplayedApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {}
  public func application(_ application: ReplayedApplication, received event: RecordedEvent) {}
}
