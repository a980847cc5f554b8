// Under which names traces are counted: a trace without an id of its own has another id after each
// reading of a file that grows, and is counted under the first one.

/// The names of traces by their ids.
struct TraceNames: Sendable {
  /// By the id of a trace, where it is counted under another key.
  private var aliases: [String: Alias] = [:]
  /// Ids of traces whose captures are gone: they may come back under other names.
  private var formerIDs: FormerIDs

  private struct Alias {
    var key: String
    /// Traces of captures that go by this id, and one more while it is a former id.
    var holderCount = 0
  }

  init(_ formerIDs: FormerIDs) {
    self.formerIDs = formerIDs
    for (key, ids) in formerIDs.idsByKey.sorted(by: { $0.key < $1.key }) {
      for id in ids { hold(id, as: key, isNew: true) }
    }
  }

  /// Under which name a trace is counted of which only the id is known.
  func key(of id: String) -> String { aliases[id]?.key ?? id }

  /// The keys whose former ids aren't kept for the next start yet, sorted.
  var unsavedKeys: [String] { formerIDs.unsaved.sorted() }

  /// By which ids the trace of a key went.
  func earlierIDs(of key: String) -> [String] { formerIDs.idsByKey[key] ?? [] }

  /// Those of some keys whose former ids aren't kept for the next start yet.
  func unsaved(among keys: some Sequence<String>) -> [String] {
    keys.filter { formerIDs.unsaved.contains($0) }
  }

  mutating func markSaved(_ key: String) { formerIDs.markSaved(key) }

  /// Remembers under which name a trace is counted as long as a capture holds it.
  ///
  /// - Parameter isNew: Whether the capture didn't hold it before.
  mutating func hold(_ trace: TraceRecord, isNew: Bool) {
    if !trace.isNameless { hold(trace.traceID, as: trace.key, isNew: isNew) }
  }

  private mutating func hold(_ id: String, as key: String, isNew: Bool) {
    guard id != key else { return }
    var alias = aliases[id] ?? Alias(key: key)
    alias.key = key
    if isNew || alias.holderCount == 0 { alias.holderCount += 1 }
    aliases[id] = alias
  }

  /// Forgets the id that a trace had before its file grew, once no capture goes by it: else the ids
  /// of all readings in between would be kept.
  mutating func release(_ trace: TraceRecord) {
    if trace.traceID != trace.key { release(trace.traceID) }
  }

  /// Remembers the id of a trace whose capture is gone.
  mutating func remember(_ trace: TraceRecord) {
    guard trace.traceID != trace.key, !trace.isNameless else { return }
    if let id = formerIDs.add(trace.traceID, of: trace.key) { release(id) }
  }

  private mutating func release(_ id: String) {
    guard var alias = aliases[id] else { return }
    alias.holderCount -= 1
    aliases[id] = alias.holderCount > 0 ? alias : nil
  }
}
