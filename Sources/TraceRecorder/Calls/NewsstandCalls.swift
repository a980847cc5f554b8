// Calls for the events of `news`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `news`.
  public var newsstand: NewsstandCalls {
    NewsstandCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `news`. Arguments that aren't known are left out.
public struct NewsstandCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `news.download`: Newsstand Kit download.
  ///
  /// The app calls it when it learns of this.
  public func download(op: Op? = nil, issue: RecordedText? = nil) {
    var slots = 3
    if let issue { slots += issue.slotsMax }
    guard var event = core.open(.newsDownload, .instant, slotsMax: slots) else { return }
    if let op { event.add(.op, op.text) }
    if let issue { event.add(.issue, issue, key: privacyKey) }
    event.commit()
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case start
    case finish
    case error

    @inline(__always)
    var text: StaticString {
      switch self {
      case .start: "start"
      case .finish: "finish"
      case .error: "error"
      }
    }
  }
}
