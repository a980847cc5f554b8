// What must come out of a damaged trace, by the specification alone.

import TraceModel

/// What is left of a trace after a damage.
struct TraceExpectation {
  private let trace: KnownTrace
  private let mutation: Mutation
  /// The blocks that no damage touches, as they stand in the file, each once.
  private let blocks: [Int]
  /// The same with a block that stands in two traces twice; nil if none does.
  private let blocksOfBoth: [Int]?
  /// Whether blocks may come out without the header of their trace.
  private let mayLackHeader: Bool

  init(_ mutation: Mutation, _ trace: KnownTrace) {
    self.trace = trace
    self.mutation = mutation
    let all = trace.blocks.indices
    var both: [Int]?
    var isBetweenTraces = false
    switch mutation {
    case .byte(let place, _):
      let record = trace.record(at: place)
      blocks = all.filter { trace.blocks[$0].record != record }
      mayLackHeader = trace.beginnings.contains(record)
    case .cut(let count):
      blocks = all.filter { trace.records[trace.blocks[$0].record].upperBound <= count }
      mayLackHeader = false
    case .swapped(let one, let other), .doubled(let one, let other), .dropped(let one, let other):
      let standing = trace.order(mutation).compactMap { record in
        all.first { trace.blocks[$0].record == record }
      }
      var seen: Set<Int> = []
      blocks = standing.filter { seen.insert($0).inserted }
      if case .dropped = mutation {
      } else {
        isBetweenTraces = trace.blocks[one].trace != trace.blocks[other].trace
      }
      // The reader knows the records of one trace at a time.
      if isBetweenTraces, standing.count > blocks.count { both = standing }
      mayLackHeader = isBetweenTraces
    }
    blocksOfBoth = both
  }

  /// How many intact blocks are missing from what came out, and how much of it never stood there.
  func compare(_ visitor: BlockVisitor) -> (lost: Int, invented: Int) {
    let found = visitor.found.map(\.block)
    let lost = blocks.count { !found.contains($0) }
    var invented = visitor.strangeCount
    if !mayLackHeader { invented += visitor.found.count { !$0.hasOwnHeader } }
    if found != blocks, found != blocksOfBoth, lost == 0 {
      invented += max(1, found.count - blocks.count)
    }
    return (lost, invented)
  }

  /// The same by the number of events alone.
  func compare(eventCount: Int) -> (lost: Int, invented: Int) {
    let expected = Self.eventCount(blocks, trace)
    if eventCount == expected { return (0, 0) }
    if let blocksOfBoth, eventCount == Self.eventCount(blocksOfBoth, trace) { return (0, 0) }
    return eventCount < expected ? (1, 0) : (0, 1)
  }

  private static func eventCount(_ blocks: [Int], _ trace: KnownTrace) -> Int {
    blocks.reduce(0) { $0 + trace.blocks[$1].events.count }
  }

  /// Whether somebody who reads these problems knows of the damage: where a byte was changed by its
  /// place, where the file ends inside a record as that.
  func isNamed(by problems: [InputProblem]) -> Bool {
    switch mutation {
    case .byte(let place, _):
      problems.contains { problem in
        guard case .bytes(let range) = problem.location else { return false }
        return range.contains(UInt64(place))
      }
    case .cut(let count):
      if count > 0, trace.records.contains(where: { $0.upperBound == count }) {
        // Nothing shows that more was written.
        problems.isEmpty
      } else {
        !problems.isEmpty && problems.allSatisfy { $0.consequence == .truncated }
      }
    case .swapped, .doubled, .dropped: !problems.isEmpty
    }
  }
}
