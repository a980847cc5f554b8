// A span that was begun: something with a beginning and an end on one thread.

import TraceModel

/// A span that is open. End it once, on the thread that began it unless its call says otherwise;
/// spans of a thread nest.
///
///     let span = recorder.delegate.didEnterBackground(applicationState: .background)
///     saveDocuments()
///     span.end()
public struct RecordedSpan: Sendable {
  let core: JournalCore
  let kind: EventKind

  /// Ends the span.
  public func end() {
    guard let event = core.open(kind, .return, slotsMax: 1) else { return }
    event.commit()
  }

  /// Runs a body, and ends the span however the body ends.
  @inline(__always)
  func around<Returned>(_ body: () throws -> Returned) rethrows -> Returned {
    defer { end() }
    return try body()
  }

  /// Ends the span of a call that returned something.
  public func end(result: Bool) {
    guard var event = core.open(kind, .return, slotsMax: 2) else { return }
    event.add(.result, result)
    event.commit()
  }

  /// Ends the span of an attempt, for example of a save.
  public func end(ok: Bool) {
    guard var event = core.open(kind, .return, slotsMax: 2) else { return }
    event.add(.ok, ok)
    event.commit()
  }
}
