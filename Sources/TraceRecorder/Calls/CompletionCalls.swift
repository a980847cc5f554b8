// Calls for the events of `completion`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `completion`.
  public var completion: CompletionCalls {
    CompletionCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `completion`. Arguments that aren't known are left out.
public struct CompletionCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `completion.call`: completion handler of a delegate call.
  ///
  /// The app calls it when it does this.
  public func call(completionId: Int? = nil, result: Result? = nil) {
    guard var event = core.open(.completionCall, .instant, slotsMax: 4) else { return }
    if let completionId { event.add(.completionId, Int64(completionId)) }
    if let result { event.add(.result, result.text) }
    event.commit()
  }

  /// Values of `Result`.
  public enum Result: Sendable {
    case newData
    case noData
    case failed
    case noneGiven

    @inline(__always)
    var text: StaticString {
      switch self {
      case .newData: "new_data"
      case .noData: "no_data"
      case .failed: "failed"
      case .noneGiven: "none"
      }
    }
  }
}
