// What a simulated system and an app say to each other. Both sides of it can be replaced: the same
// app runs on a simulated phone and under a replayed trace.

package import TraceModel

/// A call of the system into the app.
package struct SystemCall {
  package let kind: EventKind
  package let arguments: EventArguments

  package init(_ kind: EventKind, _ arguments: EventArguments = [:]) {
    self.kind = kind
    self.arguments = arguments
  }

  /// What the call means for an app, with scenes or without.
  package var moment: AppMoment {
    switch kind {
    case .delegateDidFinishLaunching: .launched
    case .delegateDidBecomeActive, .sceneDidBecomeActive: .active
    case .delegateWillResignActive, .sceneWillResignActive: .resigning
    case .delegateDidEnterBackground, .sceneDidEnterBackground: .background
    case .delegateWillEnterForeground, .sceneWillEnterForeground: .foreground
    case .delegateWillTerminate: .ending
    case .uiTouch: .touch
    default: .other
    }
  }
}

/// The moments of a life that most parts of an app care for.
package enum AppMoment {
  case launched, active, resigning, background, foreground, ending, touch, other
}

/// An app: it is called by the system, and calls back.
package protocol AppModel: AnyObject {
  func handle(_ call: SystemCall, _ system: any AppSystem)
}

/// What an app can ask of the system that it runs on.
package protocol AppSystem: AnyObject {
  var nowNanoseconds: Int64 { get }
  /// What the system can do.
  var traits: SystemTraits { get }
  /// Does something that leaves an event in the trace.
  func record(_ kind: EventKind, _ phase: Phase, thread: Int64, _ arguments: EventArguments)
  /// Lets time pass on the main thread. Only for code that runs there.
  func spend(_ nanoseconds: Int64)
  /// Runs something later, on a thread of the app.
  func after(_ nanoseconds: Int64, thread: Int64, _ action: @escaping () -> Void)
  /// Asks for time in the background; nil if it is refused.
  func beginTask(_ name: String, thread: Int64, expiration: (() -> Void)?) -> Int64?
  func endTask(_ token: Int64, thread: Int64)
  /// Reads the time that is left in the background, in seconds; nil if there is no limit now.
  func readTimeRemaining(thread: Int64) -> Int64?
  /// Reads the state of the app: active, inactive or background.
  @discardableResult
  func readApplicationState(thread: Int64) -> String
}

extension AppSystem {
  /// An instant on the main thread.
  package func note(_ kind: EventKind, _ arguments: EventArguments = [:], thread: Int64 = 1) {
    record(kind, .instant, thread: thread, arguments)
  }

  /// A span of the main thread, which takes its time.
  package func work(
    _ kind: EventKind, _ nanoseconds: Int64, _ arguments: EventArguments = [:]
  ) {
    record(kind, .enter, thread: 1, arguments)
    spend(nanoseconds)
    record(kind, .return, thread: 1, arguments)
  }

  /// A span of another thread, which goes on while the main thread does something else.
  package func work(
    _ kind: EventKind, _ nanoseconds: Int64, thread: Int64, _ arguments: EventArguments = [:],
    then next: @escaping () -> Void = {}
  ) {
    record(kind, .enter, thread: thread, arguments)
    after(nanoseconds, thread: thread) { [self] in
      record(kind, .return, thread: thread, arguments)
      next()
    }
  }
}
