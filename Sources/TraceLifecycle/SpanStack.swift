// The open spans of one thread.
// This file must not know other threads.

import TraceModel

/// The open spans of a thread, innermost last.
struct SpanStack: Sendable {
  private struct Open {
    var kind: EventKind
    /// Whether a span of the kind was open already.
    var isNestedInItself: Bool
  }

  let thread: Int64
  private var spans: [Open] = []
  private var open = KindSet()
  private var entered = KindSet()
  /// Kinds whose span was open when events were lost.
  private var doubtful = KindSet()
  /// Whether enters were left out because the stack was full.
  private var hasOverflowed = false

  /// How many processes ended and how many losses hit all threads. Stacks catch up when they are
  /// used next, so that such an event costs the same however many threads there are.
  struct Epochs: Hashable, Sendable {
    var process = 0
    var loss = 0
    /// Whether spans of the process may be open whose enters aren't recorded: events were lost, or
    /// the recording began after the process.
    var mayLackEnters = true
  }

  private var epochs: Epochs

  init(thread: Int64, epochs: Epochs) {
    self.thread = thread
    self.epochs = epochs
  }

  mutating func update(to current: Epochs) {
    guard epochs != current else { return }
    if epochs.process != current.process {
      removeAll()
    } else if epochs.loss != current.loss {
      lose()
    }
    epochs = current
  }

  var isEmpty: Bool { spans.isEmpty }

  func isOpen(_ kind: EventKind) -> Bool { open.contains(kind) }

  mutating func push(_ kind: EventKind, depthMax: Int) {
    guard spans.count < depthMax else {
      hasOverflowed = true
      return
    }
    spans.append(Open(kind: kind, isNestedInItself: open.contains(kind)))
    open.insert(kind)
    entered.insert(kind)
  }

  /// Closes the innermost span if it is of this kind.
  mutating func popTop(_ kind: EventKind) -> Bool {
    guard let last = spans.last, last.kind == kind else { return false }
    _ = pop()
    return true
  }

  mutating func pop() -> EventKind? {
    guard let last = spans.popLast() else { return nil }
    if !last.isNestedInItself { open.remove(last.kind) }
    if spans.isEmpty { hasOverflowed = false }
    return last.kind
  }

  /// Whether a return that closes nothing may be that of a span around all that are open.
  var mayLieInAnother: Bool { epochs.mayLackEnters && !hasOverflowed && !spans.isEmpty }

  /// What is wrong with a return that closes nothing; nil if it may be right.
  mutating func judgeStrayReturn(_ kind: EventKind) -> SpanAnomaly.Kind? {
    if hasOverflowed { return nil }
    if doubtful.contains(kind) {
      doubtful.remove(kind)
      return nil
    }
    return entered.contains(kind) ? .returnOfClosedSpan : .returnWithoutEnter
  }

  mutating func lose() {
    doubtful.formUnion(open)
    spans.removeAll(keepingCapacity: true)
    open = KindSet()
    hasOverflowed = false
  }

  private mutating func removeAll() {
    spans.removeAll(keepingCapacity: true)
    open = KindSet()
    entered = KindSet()
    doubtful = KindSet()
    hasOverflowed = false
  }
}

extension KindSet {
  mutating func remove(_ kind: EventKind) {
    let mask: UInt64 = ~(1 << UInt64(kind.rawValue & 63))
    switch kind.rawValue >> 6 {
    case 0: word0 &= mask
    case 1: word1 &= mask
    case 2: word2 &= mask
    case 3: word3 &= mask
    default: break
    }
  }
}
