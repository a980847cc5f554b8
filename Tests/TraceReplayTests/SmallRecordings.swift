// Recordings of a few events, and an app of closures that lives them again.

import TraceModel
import TraceReplay

extension Recording {
  /// A recording of these events.
  init(of events: [RecordedEvent], header: TraceHeader = TraceHeader()) throws(Failure) {
    var assembler = BatchAssembler()
    for event in events {
      assembler.begin(
        event.kind, event.phase, thread: event.thread, timeNanoseconds: event.timeNanoseconds)
      for argument in event.arguments {
        let name = assembler.argumentName(argument.name)
        assembler.add(name, argument.value)
      }
      assembler.endEvent()
    }
    self.init()
    try begin(header)
    try consume(assembler.batch)
  }
}

/// An event of a recording that begins at 0.
func at(
  _ milliseconds: Int64, _ kind: EventKind, _ phase: Phase = .instant, thread: Int64 = 1,
  with arguments: [RecordedEvent.Argument] = []
) -> RecordedEvent {
  RecordedEvent(
    kind, phase, thread: thread, timeNanoseconds: milliseconds * 1_000_000, arguments)
}

/// A call of the system that takes ten milliseconds, and what is done in it.
func call(
  _ milliseconds: Int64, _ kind: EventKind, with arguments: [RecordedEvent.Argument] = [],
  _ inside: [RecordedEvent] = []
) -> [RecordedEvent] {
  joined(
    [at(milliseconds, kind, .enter, with: arguments)], inside,
    [at(milliseconds + 10, kind, .return)])
}

/// Events one after the other.
func joined(_ parts: [RecordedEvent]...) -> [RecordedEvent] { parts.flatMap { $0 } }

/// An argument that is a text.
func text(_ name: String, _ value: String) -> RecordedEvent.Argument {
  .init(name, .string(value))
}

/// An argument that is a number.
func number(_ name: String, _ value: Int64) -> RecordedEvent.Argument {
  .init(name, .integer(value))
}

/// An app of closures.
final class ClosureDelegate: ApplicationDelegate {
  var launched: (ReplayedApplication) -> Bool = { _ in true }
  var active: (ReplayedApplication) -> Void = { _ in }
  var background: (ReplayedApplication) -> Void = { _ in }
  var fetch: (ReplayedApplication, @escaping (FetchResult) -> Void) -> Void = { _, _ in }
  var received: (ReplayedApplication, RecordedEvent) -> Void = { _, _ in }
  /// What reached the app, call by call.
  private(set) var told: [String] = []

  func application(
    _ application: ReplayedApplication, didFinishLaunchingWithOptions keys: [String]
  ) -> Bool {
    told.append("launched \(keys.joined(separator: "+"))")
    return launched(application)
  }

  func applicationDidBecomeActive(_ application: ReplayedApplication) { active(application) }

  func applicationDidEnterBackground(_ application: ReplayedApplication) {
    background(application)
  }

  func application(
    _ application: ReplayedApplication,
    performFetchWithCompletionHandler completion: @escaping (FetchResult) -> Void
  ) { fetch(application, completion) }

  func application(
    _ application: ReplayedApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    told.append("session \(identifier)")
    completionHandler()
  }

  func scene(_ scene: ReplayedScene, willConnectToSessionInRole role: String) {
    told.append("connect \(scene.identifier) \(role) \(scene.activationState)")
  }

  func sceneDidBecomeActive(_ scene: ReplayedScene) {
    told.append("\(scene.identifier) \(scene.activationState)")
  }

  func sceneDidEnterBackground(_ scene: ReplayedScene) {
    told.append("\(scene.identifier) \(scene.activationState)")
    background(scene.application)
  }

  func application(_ application: ReplayedApplication, open url: OpenedURL) -> Bool {
    told.append("open \(url.scheme) \(url.sourceApplication ?? "-")")
    return true
  }

  func applicationContinuesUserActivity(_ application: ReplayedApplication) {
    told.append("activity")
  }

  func application(
    _ application: ReplayedApplication, didReceiveLocalNotification identifier: String
  ) { told.append("local \(identifier)") }

  func application(
    _ application: ReplayedApplication,
    didReceiveRemoteNotification notification: RemoteNotification,
    fetchCompletionHandler completion: @escaping (FetchResult) -> Void
  ) {
    told.append("remote \(notification.contentAvailable ?? -1)")
    completion(.newData)
  }

  func application(_ application: ReplayedApplication, received event: RecordedEvent) {
    received(application, event)
  }
}
