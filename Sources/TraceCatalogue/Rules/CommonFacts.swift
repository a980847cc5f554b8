// Facts that several rules ask for.

import TraceLifecycle
import TraceModel
import TraceRules

extension Array where Element == EventPattern {
  /// The seven callbacks of the life cycle, at their beginning.
  static let lifecycle: [EventPattern] = [
    .on(
      .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateDidBecomeActive,
      .delegateWillResignActive, .delegateDidEnterBackground, .delegateWillEnterForeground,
      .delegateWillTerminate)
  ]
}

extension Fact {
  /// A background task of the app's own is open; by token.
  static let taskOpen = Fact(
    "task open",
    set: [
      .on(
        .bgtaskBegin, where: .all([.not(.isTrue(.isInvalid)), .not(.isText(.by, ["uikit"]))]))
    ],
    clear: [.on(.bgtaskEnd, where: .not(.isTrue(.isInvalid)))], key: [.argument(.token)])

  /// A stream of sound is played; by stream.
  static let playing = Fact(
    "playing", set: [.on(.audioPlay, where: .isText(.op, ["start"]))],
    clear: [.on(.audioPlay, where: .isText(.op, ["stop"]))], key: [.argument(.stream)])

  /// Sound is recorded; by stream.
  static let recording = Fact(
    "recording", set: [.on(.audioRecord, where: .isText(.op, ["start"]))],
    clear: [.on(.audioRecord, where: .isText(.op, ["stop"]))], key: [.argument(.stream)])

  /// Standard location is in force.
  static let locating = Fact(
    "locating",
    set: [
      .on(.locStart, where: .any([.not(.isPresent(.service)), .isText(.service, ["standard"])]))
    ],
    clear: [
      .on(.locStop, where: .any([.not(.isPresent(.service)), .isText(.service, ["standard"])]))
    ])

  /// The system woke the app; a wake-up without a return ends at the next suspension, callback of
  /// the life cycle, or after 30 seconds of run time.
  static func wake(_ name: String = "wake", where test: FieldTest? = nil) -> Fact {
    Fact(
      name, set: [.on(.wakeWindow, where: test)],
      clearAll: [.end(.wakeWindow), .on(.procSuspend)] + .lifecycle,
      lasts: .nanoseconds(30_000_000_000))
  }

  /// Inside a span of one of these kinds on the event's thread.
  static func inside(_ name: String, _ kinds: EventKind..., where test: FieldTest? = nil) -> Fact {
    Fact(
      name, set: [EventPattern(.kinds(kinds), where: test)],
      clear: [EventPattern(.kinds(kinds), edge: .end, where: test)], key: [.thread], nests: true)
  }

  /// The app is inactive since will_resign_active returned so long ago. A stretch of inactivity
  /// after will_enter_foreground isn't meant.
  static func inactive(_ name: String = "inactive", after nanoseconds: Int64) -> Fact {
    Fact(
      name, set: [.end(.delegateWillResignActive, while: .phase([.inactive]))],
      clear: [
        .on(
          .delegateDidBecomeActive, .delegateDidEnterBackground, .delegateWillEnterForeground,
          .delegateWillTerminate)
      ],
      after: nanoseconds > 0 ? .nanoseconds(nanoseconds, on: .continuous) : nil)
  }

  /// The user or the system did something that sends the app to the background.
  static let leaving = Fact(
    "leaving", set: [.on(.sysHomeButton, .sysAppSwitch, .sysLock)],
    clear: [.on(.delegateDidBecomeActive)])
}
