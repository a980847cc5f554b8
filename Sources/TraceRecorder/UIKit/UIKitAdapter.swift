// Records what UIKit tells an app: the life cycle, scenes, memory warnings, protected data,
// refresh. Compiled only where there is UIKit; a stub of the parts used here type-checks it
// elsewhere.

#if canImport(UIKit)
  import TraceModel
  import UIKit

  /// Records the notifications of an app's life cycle. Keep it as long as the app runs.
  ///
  ///     let recorder = try TraceRecorder.start(configuration)
  ///     let adapter = UIKitAdapter(recorder: recorder)
  ///     adapter.begin()
  ///
  /// A notification says that something happened, not how long the app took for it: the calls are
  /// recorded as moments. An app that records its delegate's calls itself, with
  /// `recorder.delegate.didEnterBackground { … }`, gets their durations, and says so with
  /// ``CallbackSource/delegate``; nothing is then recorded twice.
  ///
  /// A class, because notification centres keep observers.
  @MainActor
  public final class UIKitAdapter {
    /// Who records the calls of the life cycle.
    public enum CallbackSource: Sendable {
      /// The adapter, from notifications, as moments.
      case notifications
      /// The app's own delegate, with spans.
      case delegate
    }

    private let recorder: TraceRecorder
    private let source: CallbackSource
    private var observers: [any NSObjectProtocol] = []

    public init(recorder: TraceRecorder, source: CallbackSource = .notifications) {
      self.recorder = recorder
      self.source = source
    }

    /// Begins to observe, and records the state in which the app is.
    public func begin() {
      guard observers.isEmpty else { return }
      let application = UIApplication.shared
      recorder.process.start(
        pid: Int(recorder.processNumber), launchId: 1,
        into: application.applicationState == .background ? .background : .foreground)
      recorder.setInBackground(application.applicationState == .background)
      observeApplication()
      observeScenes()
      observeSurroundings()
    }

    /// Stops observing.
    public func end() {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      observers = []
    }

    /// Observes a notification on the thread that posts it, which for these is the main thread.
    private func on(
      _ name: Notification.Name, _ body: @escaping @Sendable (TraceRecorder, Notification) -> Void
    ) {
      let recorder = recorder
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
          body(recorder, $0)
        })
    }

    private func callback(_ name: Notification.Name, _ kind: EventKind) {
      guard source == .notifications else { return }
      on(name) { recorder, _ in recorder.recordMoment(kind) }
    }

    private func observeApplication() {
      callback(UIApplication.didFinishLaunchingNotification, .delegateDidFinishLaunching)
      callback(UIApplication.didBecomeActiveNotification, .delegateDidBecomeActive)
      callback(UIApplication.willResignActiveNotification, .delegateWillResignActive)
      callback(UIApplication.didEnterBackgroundNotification, .delegateDidEnterBackground)
      callback(UIApplication.willEnterForegroundNotification, .delegateWillEnterForeground)
      callback(UIApplication.willTerminateNotification, .delegateWillTerminate)
      callback(
        UIApplication.didReceiveMemoryWarningNotification, .delegateDidReceiveMemoryWarning)
      on(UIApplication.didEnterBackgroundNotification) { recorder, _ in
        recorder.setInBackground(true)
      }
      on(UIApplication.willEnterForegroundNotification) { recorder, _ in
        recorder.setInBackground(false)
        recorder.sampleClocks()
      }
    }

    private func observeScenes() {
      scene(UIScene.willConnectNotification, .sceneWillConnect)
      scene(UIScene.didActivateNotification, .sceneDidBecomeActive)
      scene(UIScene.willDeactivateNotification, .sceneWillResignActive)
      scene(UIScene.didEnterBackgroundNotification, .sceneDidEnterBackground)
      scene(UIScene.willEnterForegroundNotification, .sceneWillEnterForeground)
      scene(UIScene.didDisconnectNotification, .sceneDidDisconnect)
    }

    private func scene(_ name: Notification.Name, _ kind: EventKind) {
      guard source == .notifications else { return }
      on(name) { recorder, notification in
        let scene = notification.object as? UIScene
        let identity = scene.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
        recorder.recordMoment(kind, scene: .private("\(identity)"))
      }
    }

    private func observeSurroundings() {
      deliver(UIApplication.significantTimeChangeNotification)
      deliver(UIApplication.protectedDataWillBecomeUnavailableNotification)
      deliver(UIApplication.protectedDataDidBecomeAvailableNotification)
      on(UIApplication.backgroundRefreshStatusDidChangeNotification) { recorder, _ in
        Task { @MainActor in
          recorder.system.refreshChanged(
            status: UIApplication.shared.backgroundRefreshStatus.recorded)
        }
      }
    }

    private func deliver(_ name: Notification.Name) {
      on(name) { recorder, notification in
        recorder.recordMoment(.noteDeliver, name: .public(notification.name.rawValue))
      }
    }
  }

  extension UIBackgroundRefreshStatus {
    /// The word of the vocabulary.
    var recorded: SystemCalls.Status {
      switch self {
      case .available: .available
      case .denied: .denied
      case .restricted: .restricted
      @unknown default: .restricted
      }
    }
  }
#endif
