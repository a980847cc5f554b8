// The returns of whole spans that were read and whose time has not come.

import TraceModel

/// Returns in the order of their times; at equal times what was entered last returns first. A
/// binary heap.
struct PendingReturns: Sendable {
  /// Spans open at once: a return that never comes due must not hold memory for ever.
  static let countMax = 4_096
  /// The longest span on one line: longer ones are written as an enter and a return.
  static let nanosecondsMax: Int64 = 60_000_000_000

  struct Return: Sendable {
    var timeNanoseconds: Int64
    var thread: Int64
    var line: UInt32
    /// The number of a known kind; 0 for others, whose name is `kindName`.
    var kind: UInt16
    var kindName: [UInt8]
    /// The order of the enters.
    fileprivate(set) var order: UInt64 = 0
    /// Whether it is known which spans are open beside it.
    fileprivate(set) var isFollowed = false

    init(timeNanoseconds: Int64, thread: Int64, line: UInt32, kind: UInt16, kindName: [UInt8]) {
      self.timeNanoseconds = timeNanoseconds
      self.thread = thread
      self.line = line
      self.kind = kind
      self.kindName = kindName
    }

    fileprivate static func < (a: Self, b: Self) -> Bool {
      a.timeNanoseconds < b.timeNanoseconds
        || (a.timeNanoseconds == b.timeNanoseconds && a.order > b.order)
    }
  }

  private var heap: [Return] = []
  private var nextOrder: UInt64 = 0
  private var spans = WholeSpans()

  var isFull: Bool { heap.count >= Self.countMax }
  var isEmpty: Bool { heap.isEmpty }

  /// Whether a return comes before an event of this time.
  @inline(__always)
  func isDue(at timeNanoseconds: Int64) -> Bool {
    !heap.isEmpty && heap[0].timeNanoseconds <= timeNanoseconds
  }

  /// The return that comes next.
  var first: Return? { heap.first }

  /// Whether the return that comes next must wait for another span to be closed, which it crosses.
  var firstCrosses: Bool {
    guard let item = heap.first, item.isFollowed else { return false }
    return spans.isOpen(item.order)
      && spans.hasInside(item.order, item.kind, thread: item.thread)
  }

  /// Whether an event returns from a span around a whole one, which it crosses.
  @inline(__always)
  func isCrossed(byReturnOf kind: UInt16, thread: Int64) -> Bool {
    !heap.isEmpty && spans.hasWholeInside(kind, thread: thread)
  }

  /// Closes the innermost span of a kind and thread.
  mutating func close(_ kind: UInt16, thread: Int64) { spans.leave(kind, thread: thread) }

  /// Follows the enter or the return of a span that isn't whole.
  @inline(__always)
  mutating func follow(_ phase: Phase, _ kind: UInt16, thread: Int64) {
    if heap.isEmpty { return }
    switch phase {
    case .instant: return
    case .enter: spans.enter(kind, thread: thread)
    case .return: spans.leave(kind, thread: thread)
    }
  }

  mutating func push(_ item: Return) {
    var item = item
    item.order = nextOrder
    item.isFollowed = spans.enter(item.kind, thread: item.thread, order: nextOrder)
    nextOrder &+= 1
    heap.append(item)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the return that comes next; nil if the span was crossed by another and is closed.
  mutating func pop() -> Return? {
    guard let item = popHeap() else { return nil }
    guard item.isFollowed else { return item }
    guard spans.isOpen(item.order) else { return nil }
    spans.leave(item.kind, thread: item.thread)
    return item
  }

  private mutating func popHeap() -> Return? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    var parent = 0
    while true {
      var child = parent * 2 + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < heap[parent] else { return first }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
