// Recognises facts that were logged or pasted more than once.
// This file must not know what facts mean.

import TraceModel

/// Remembers the last facts. Facts alike within a millisecond are one fact.
struct RecentFacts: Sendable {
  private struct Key: Hashable {
    var kind: FactKind
    var process: UInt16
    var name: String?
    var token: LogToken
    var number: UInt64
    var from: UInt64
    var to: UInt64
    var slice: Int64
  }

  /// Facts that are remembered: as many as a paste that is repeated as a whole may hold.
  static let factsMax = 12_288

  private var seen: Set<Key> = []
  /// The keys in the order in which they came, a ring.
  private var order: [Key] = []
  private var next = 0

  /// Remembers a fact, unless it is there already.
  ///
  /// - Parameter process: The place of the process, the same for all that follow each other under
  ///   one name: a paste that is repeated as a whole tells of all of them again.
  /// - Returns: Whether it is new.
  mutating func insert(_ fact: Fact, of process: UInt16) -> Bool {
    // Refusals of Metal have no identity: each line is one refused buffer.
    let isRefusal = fact.kind == .metalRefused
    let slice = fact.timeNanoseconds / (isRefusal ? 1 : 1_000_000)
    var key = Key(
      kind: fact.kind, process: process, name: fact.assertion ?? fact.name,
      token: fact.token, number: isRefusal ? UInt64(bitPattern: fact.thread) : fact.number,
      from: fact.from, to: fact.to, slice: slice)
    if isRefusal { return remember(key) }
    var isKnown = false
    for neighbour in [slice - 1, slice + 1] {
      key.slice = neighbour
      if seen.contains(key) { isKnown = true }
    }
    key.slice = slice
    return remember(key) && !isKnown
  }

  private mutating func remember(_ key: Key) -> Bool {
    guard seen.insert(key).inserted else { return false }
    if order.count < Self.factsMax {
      order.append(key)
    } else {
      seen.remove(order[next])
      order[next] = key
      next = (next + 1) % Self.factsMax
    }
    return true
  }
}
