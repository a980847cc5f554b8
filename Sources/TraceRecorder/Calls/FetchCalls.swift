// Calls for the events of `fetch`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `fetch`.
  public var fetch: FetchCalls {
    FetchCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `fetch`. Arguments that aren't known are left out.
public struct FetchCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `fetch.interval`: setMinimumBackgroundFetchInterval:.
  ///
  /// The app calls it when it does this.
  public func interval(seconds: Double? = nil) {
    guard var event = core.open(.fetchInterval, .instant, slotsMax: 2) else { return }
    if let seconds { event.add(.seconds, seconds) }
    event.commit()
  }
}
