// The parts of UIKit that the recorder's adapter uses, with the signatures that Apple documents, so
// that the adapter can be type-checked where there is no UIKit. Nothing here does anything.

@_exported public import Foundation

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

public enum UIBackgroundRefreshStatus: Int, Sendable {
  case restricted = 0
  case denied = 1
  case available = 2
}

@MainActor
open class UIResponder: NSObject {}

@MainActor
open class UIApplication: UIResponder {
  public enum State: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
  }

  open class var shared: UIApplication { UIApplication() }
  open var applicationState: UIApplication.State { .active }
  open var backgroundTimeRemaining: TimeInterval { 0 }
  open var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }

  open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { .invalid }
  open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  public nonisolated class var didFinishLaunchingNotification: Notification.Name { name(#function) }
  public nonisolated class var didBecomeActiveNotification: Notification.Name { name(#function) }
  public nonisolated class var willResignActiveNotification: Notification.Name { name(#function) }
  public nonisolated class var didEnterBackgroundNotification: Notification.Name { name(#function) }
  public nonisolated class var willEnterForegroundNotification: Notification.Name {
    name(#function)
  }
  public nonisolated class var willTerminateNotification: Notification.Name { name(#function) }
  public nonisolated class var didReceiveMemoryWarningNotification: Notification.Name {
    name(#function)
  }
  public nonisolated class var significantTimeChangeNotification: Notification.Name {
    name(#function)
  }
  public nonisolated class var protectedDataWillBecomeUnavailableNotification: Notification.Name {
    name(#function)
  }
  public nonisolated class var protectedDataDidBecomeAvailableNotification: Notification.Name {
    name(#function)
  }
  public nonisolated class var backgroundRefreshStatusDidChangeNotification: Notification.Name {
    name(#function)
  }
}

@MainActor
open class UIScene: UIResponder {
  public nonisolated class var willConnectNotification: Notification.Name { name(#function) }
  public nonisolated class var didActivateNotification: Notification.Name { name(#function) }
  public nonisolated class var willDeactivateNotification: Notification.Name { name(#function) }
  public nonisolated class var didEnterBackgroundNotification: Notification.Name { name(#function) }
  public nonisolated class var willEnterForegroundNotification: Notification.Name {
    name(#function)
  }
  public nonisolated class var didDisconnectNotification: Notification.Name { name(#function) }
}

@MainActor
open class UIDevice: NSObject {
  open class var current: UIDevice { UIDevice() }
  open var systemVersion: String { "" }
  open var isMultitaskingSupported: Bool { true }
}

private func name(_ text: String) -> Notification.Name { Notification.Name(text) }
