// Puts an app model of the simulator under a replay: the same app on another system.

package import TraceModel
package import TraceReplay
package import TraceSimulator

/// An app model as the delegate of a replay.
package final class ModelDelegate: ApplicationDelegate {
  private let model: any AppModel
  private let traits: SystemTraits
  /// What the app does besides, which the recorded one didn't.
  private let besides: [EventKind: (any AppSystem) -> Void]
  private var system: ReplayedSystem?

  package init(
    _ model: any AppModel, _ traits: SystemTraits,
    besides: [EventKind: (any AppSystem) -> Void] = [:]
  ) {
    self.model = model
    self.traits = traits
    self.besides = besides
  }

  private func handle(
    _ kind: EventKind, _ application: ReplayedApplication, _ arguments: EventArguments = [:]
  ) {
    let system = self.system ?? ReplayedSystem(application, traits)
    self.system = system
    model.handle(SystemCall(kind, arguments), system)
    besides[kind]?(system)
  }

  package func application(
    _ application: ReplayedApplication, willFinishLaunchingWithOptions keys: [String]
  ) -> Bool {
    handle(.delegateWillFinishLaunching, application)
    return true
  }

  package func application(
    _ application: ReplayedApplication, didFinishLaunchingWithOptions keys: [String]
  ) -> Bool {
    handle(.delegateDidFinishLaunching, application)
    return true
  }

  package func applicationDidBecomeActive(_ application: ReplayedApplication) {
    handle(.delegateDidBecomeActive, application)
  }

  package func applicationWillResignActive(_ application: ReplayedApplication) {
    handle(.delegateWillResignActive, application)
  }

  package func applicationDidEnterBackground(_ application: ReplayedApplication) {
    handle(.delegateDidEnterBackground, application)
  }

  package func applicationWillEnterForeground(_ application: ReplayedApplication) {
    handle(.delegateWillEnterForeground, application)
  }

  package func applicationWillTerminate(_ application: ReplayedApplication) {
    handle(.delegateWillTerminate, application)
  }

  package func applicationDidReceiveMemoryWarning(_ application: ReplayedApplication) {
    handle(.delegateDidReceiveMemoryWarning, application)
  }

  package func applicationShouldSaveApplicationState(_ application: ReplayedApplication) -> Bool {
    handle(.delegateShouldSaveState, application)
    return true
  }

  package func application(_ application: ReplayedApplication, open url: OpenedURL) -> Bool {
    handle(.delegateOpenUrl, application, [.scheme: .init(url.scheme)])
    return true
  }

  package func application(
    _ application: ReplayedApplication, didReceiveLocalNotification identifier: String
  ) { handle(.delegateDidReceiveLocalNotification, application, [.id: .init(identifier)]) }

  package func scene(_ scene: ReplayedScene, willConnectToSessionInRole role: String) {
    handle(.sceneWillConnect, scene)
  }

  package func sceneDidBecomeActive(_ scene: ReplayedScene) {
    handle(.sceneDidBecomeActive, scene)
  }

  package func sceneWillResignActive(_ scene: ReplayedScene) {
    handle(.sceneWillResignActive, scene)
  }

  package func sceneDidEnterBackground(_ scene: ReplayedScene) {
    handle(.sceneDidEnterBackground, scene)
  }

  package func sceneWillEnterForeground(_ scene: ReplayedScene) {
    handle(.sceneWillEnterForeground, scene)
  }

  package func sceneDidDisconnect(_ scene: ReplayedScene) { handle(.sceneDidDisconnect, scene) }

  private func handle(_ kind: EventKind, _ scene: ReplayedScene) {
    handle(kind, scene.application, [.scene: .init(scene.identifier)])
  }

  package func application(_ application: ReplayedApplication, received event: RecordedEvent) {
    let reason = event.value(.reason).map(EventValue.init)
    let name = event.value(.name).map(EventValue.init)
    let completion = event.value(.completionId).map(EventValue.init)
    let identifier = event.value(.identifier).map(EventValue.init)
    switch (reason, name, completion, identifier) {
    case (let reason?, _, _, _): handle(event.kind, application, [.reason: reason])
    case (_, let name?, _, _): handle(event.kind, application, [.name: name])
    case (_, _, let completion?, _):
      handle(event.kind, application, [.completionId: completion])
    case (_, _, _, let identifier?):
      handle(event.kind, application, [.identifier: identifier])
    default: handle(event.kind, application)
    }
  }

  // Models call completions by their ids, so the handlers themselves are not needed.

  package func application(
    _ application: ReplayedApplication,
    performFetchWithCompletionHandler completion: @escaping (FetchResult) -> Void
  ) { complete(.delegatePerformFetch, application) { completion(.noData) } }

  package func application(
    _ application: ReplayedApplication,
    didReceiveRemoteNotification notification: RemoteNotification,
    fetchCompletionHandler completion: @escaping (FetchResult) -> Void
  ) { complete(.delegateDidReceiveRemoteNotification, application) { completion(.noData) } }

  package func application(
    _ application: ReplayedApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) { complete(.delegateHandleUrlSession, application, completionHandler) }

  private func complete(
    _ kind: EventKind, _ application: ReplayedApplication, _ completion: @escaping () -> Void
  ) {
    let system = self.system ?? ReplayedSystem(application, traits)
    self.system = system
    system.completions += 1
    system.completion[system.completions] = completion
    model.handle(SystemCall(kind, [.completionId: .init(system.completions)]), system)
    besides[kind]?(system)
  }
}

/// The replayed application as the system of an app model.
private final class ReplayedSystem: AppSystem {
  private let application: ReplayedApplication
  let traits: SystemTraits
  var completions: Int64 = 0
  var completion: [Int64: () -> Void] = [:]

  init(_ application: ReplayedApplication, _ traits: SystemTraits) {
    self.application = application
    self.traits = traits
  }

  var nowNanoseconds: Int64 { application.nowNanoseconds }

  func readApplicationState(thread: Int64) -> String {
    application.readApplicationState(thread: thread)
  }

  func record(
    _ kind: EventKind, _ phase: Phase, thread: Int64, _ arguments: EventArguments
  ) {
    if kind == .completionCall, let id = arguments[.completionId]?.integer {
      completion[id]?()
      return
    }
    application.perform(
      kind, phase, thread: thread,
      arguments.map { .init($0.key.knownText ?? "", $0.value.value) })
  }

  func spend(_ nanoseconds: Int64) { application.wait(nanoseconds) }

  func after(_ nanoseconds: Int64, thread: Int64, _ action: @escaping () -> Void) {
    application.after(nanoseconds, thread: thread, action)
  }

  func beginTask(_ name: String, thread: Int64, expiration: (() -> Void)?) -> Int64? {
    application.beginBackgroundTask(
      withName: name, thread: thread, expirationHandler: expiration)
  }

  func endTask(_ token: Int64, thread: Int64) {
    application.endBackgroundTask(token, thread: thread)
  }

  func readTimeRemaining(thread: Int64) -> Int64? {
    // A simulated phone records a read only where there is a limit.
    guard application.backgroundTimeRemaining.isFinite else { return nil }
    return Int64(application.readBackgroundTimeRemaining(thread: thread))
  }
}
