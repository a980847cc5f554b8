// Calls for the events of `data`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `data`.
  public var data: DataCalls {
    DataCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `data`. Arguments that aren't known are left out.
public struct DataCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `data.dirty`.
  ///
  /// The app calls it when it does this.
  public func dirty(store: RecordedText? = nil, kind: Kind? = nil) {
    var slots = 4
    if let store { slots += store.slotsMax }
    guard var event = core.open(.dataDirty, .instant, slotsMax: slots) else { return }
    if let store { event.add(.store, store, key: privacyKey) }
    if let kind { event.add(.kind, kind.text) }
    event.commit()
  }

  /// Records `data.save`.
  ///
  /// The app calls it when it does this. Returns the span, to be ended on this thread.
  @discardableResult
  public func save(store: RecordedText? = nil, kind: Kind? = nil, ok: Bool? = nil) -> RecordedSpan {
    var slots = 5
    if let store { slots += store.slotsMax }
    let span = RecordedSpan(core: core, kind: .dataSave)
    guard var event = core.open(.dataSave, .enter, slotsMax: slots) else { return span }
    if let store { event.add(.store, store, key: privacyKey) }
    if let kind { event.add(.kind, kind.text) }
    if let ok { event.add(.ok, ok) }
    event.commit()
    return span
  }

  /// `data.save` around a body, which may throw.
  public func save<Returned>(
    store: RecordedText? = nil, kind: Kind? = nil, ok: Bool? = nil, _ body: () throws -> Returned
  ) rethrows -> Returned {
    try save(store: store, kind: kind, ok: ok).around(body)
  }

  /// Records `data.restore`.
  ///
  /// The app calls it when it does this.
  public func restore(store: RecordedText? = nil) {
    var slots = 1
    if let store { slots += store.slotsMax }
    guard var event = core.open(.dataRestore, .instant, slotsMax: slots) else { return }
    if let store { event.add(.store, store, key: privacyKey) }
    event.commit()
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case userData
    case uiState

    @inline(__always)
    var text: StaticString {
      switch self {
      case .userData: "user_data"
      case .uiState: "ui_state"
      }
    }
  }
}
