// Calls for the events of `game`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `game`.
  public var game: GameCalls {
    GameCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `game`. Arguments that aren't known are left out.
public struct GameCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `game.pause`.
  ///
  /// The app calls it when it does this.
  public func pause() {
    guard let event = core.open(.gamePause, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  /// Records `game.resume`.
  ///
  /// The app calls it when it does this.
  public func resume(by: By? = nil) {
    guard var event = core.open(.gameResume, .instant, slotsMax: 3) else { return }
    if let by { event.add(.by, by.text) }
    event.commit()
  }

  /// Values of `By`.
  public enum By: Sendable {
    case user
    case app

    @inline(__always)
    var text: StaticString {
      switch self {
      case .user: "user"
      case .app: "app"
      }
    }
  }
}
