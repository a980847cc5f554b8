// Background tasks that UIKit and other frameworks begin for themselves.

/// Names by which a task is known to be none of the app's own.
enum FrameworkTasks {
  private static let names: Set<String> = [
    "Launch Background Task for Coalescing",
    "Persistent SceneSession Map Update",
    "_UIRemoteKeyboard XPC disconnection",
    "com.apple.uikit.applicationSnapshot",
    "com.apple.UIKit.CABackingStoreCollect",
    "com.apple.asset_manager.cache_resource_cleanup",
    "WebKit Background Task",
  ]

  /// Names that Apple's frameworks make up; a task without a name is named after its caller.
  private static let beginnings = [
    "com.apple.", "_UI", "Called by UIKit", "Called by CFNetwork,", "Called by WebKit,",
    "Called by SwiftUI,",
  ]

  static func contains(_ name: String) -> Bool {
    names.contains(name) || beginnings.contains { name.hasPrefix($0) }
  }
}
