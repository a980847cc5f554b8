// Calls for the events of `movie`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `movie`.
  public var movie: MovieCalls {
    MovieCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `movie`. Arguments that aren't known are left out.
public struct MovieCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `movie.play`: movie playback.
  ///
  /// The app calls it when it does this.
  public func play(id: Int? = nil, route: Route? = nil) {
    guard var event = core.open(.moviePlay, .instant, slotsMax: 4) else { return }
    if let id { event.add(.id, Int64(id)) }
    if let route { event.add(.route, route.text) }
    event.commit()
  }

  /// Records `movie.pause`: movie playback.
  ///
  /// The app calls it when it does this.
  public func pause(id: Int? = nil) {
    guard var event = core.open(.moviePause, .instant, slotsMax: 2) else { return }
    if let id { event.add(.id, Int64(id)) }
    event.commit()
  }

  /// Values of `Route`.
  public enum Route: Sendable {
    case local
    case airplay

    @inline(__always)
    var text: StaticString {
      switch self {
      case .local: "local"
      case .airplay: "airplay"
      }
    }
  }
}
