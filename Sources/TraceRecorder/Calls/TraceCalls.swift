// Calls for the events of `trace`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `trace`.
  public var trace: TraceCalls {
    TraceCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `trace`. Arguments that aren't known are left out.
public struct TraceCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `trace.thread`.
  ///
  /// Made up by who records: a sample, not an act.
  public func thread(
    thread: Int? = nil, isMain: Bool? = nil, queue: RecordedText? = nil, name: RecordedText? = nil
  ) {
    var slots = 3
    if let queue { slots += queue.slotsMax(bytesMax: 488) }
    if let name { slots += name.slotsMax(bytesMax: 488) }
    guard var event = core.open(.traceThread, .instant, slotsMax: slots) else { return }
    if let thread { event.add(.thread, Int64(thread)) }
    if let isMain { event.add(.isMain, isMain) }
    if let queue { event.add(.queue, queue, key: privacyKey, bytesMax: 488) }
    if let name { event.add(.name, name, key: privacyKey, bytesMax: 488) }
    event.commit()
  }

  /// Records `trace.marker`.
  ///
  /// The app calls it when it does this.
  public func marker(text: RecordedText? = nil) {
    var slots = 1
    if let text { slots += text.slotsMax }
    guard var event = core.open(.traceMarker, .instant, slotsMax: slots) else { return }
    if let text { event.add(.text, text, key: privacyKey) }
    event.commit()
  }
}
