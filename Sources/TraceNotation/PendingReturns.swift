// The returns of whole spans that were read and whose time has not come.

/// Returns in the order of their times; equal times in the order of their enters. A binary heap.
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
    fileprivate var order: UInt64 = 0

    init(timeNanoseconds: Int64, thread: Int64, line: UInt32, kind: UInt16, kindName: [UInt8]) {
      self.timeNanoseconds = timeNanoseconds
      self.thread = thread
      self.line = line
      self.kind = kind
      self.kindName = kindName
    }

    fileprivate static func < (a: Self, b: Self) -> Bool {
      (a.timeNanoseconds, a.order) < (b.timeNanoseconds, b.order)
    }
  }

  private var heap: [Return] = []
  private var nextOrder: UInt64 = 0

  var isFull: Bool { heap.count >= Self.countMax }
  var isEmpty: Bool { heap.isEmpty }

  /// Whether a return comes before an event of this time.
  @inline(__always)
  func isDue(at timeNanoseconds: Int64) -> Bool {
    !heap.isEmpty && heap[0].timeNanoseconds <= timeNanoseconds
  }

  mutating func push(_ item: Return) {
    var item = item
    item.order = nextOrder
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

  mutating func pop() -> Return? {
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
