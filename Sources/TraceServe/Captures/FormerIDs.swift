// By which ids traces went whose captures are gone: a trace without an id of its own has another
// one each time that its file grew, and must be known again when the file comes back.

/// The last ids of traces whose captures are gone, by the keys under which the traces are counted.
struct FormerIDs: Sendable {
  /// Those that went first come first.
  private(set) var idsByKey: [String: [String]]
  /// Keys whose ids aren't kept for the next start yet.
  private(set) var unsaved: Set<String> = []

  /// Ids remembered of a trace: one for each name and each stage of growth in which copies of it
  /// are moved about. With it memory is bounded by what is counted.
  static let idsMax = 16

  /// - Parameter kept: What an earlier run kept.
  init(_ kept: [String: [String]] = [:]) {
    idsByKey = kept.mapValues { Array($0.suffix(Self.idsMax)) }
  }

  /// Remembers an id.
  ///
  /// - Returns: An id of which there is one holder less: the same one if it was remembered already,
  ///   or the oldest if there were too many.
  mutating func add(_ id: String, of key: String) -> String? {
    var ids = idsByKey[key] ?? []
    if ids.contains(id) { return id }
    ids.append(id)
    let forgotten = ids.count > Self.idsMax ? ids.removeFirst() : nil
    idsByKey[key] = ids
    unsaved.insert(key)
    return forgotten
  }

  mutating func markSaved(_ key: String) { unsaved.remove(key) }
}
