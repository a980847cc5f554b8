// Blocks that nobody hears stay closed, and no judgement shows that they did.

import TraceCatalogue
import TraceModel
import TraceNaive
import TraceRules

/// A block that is opened when it is asked for.
private struct ClosedBlock: ColumnSource {
  private(set) var batch: EventBatch
  let outline: BlockOutline?
  private let whole: EventBatch
  private(set) var isOpen = false

  init(_ whole: EventBatch) {
    self.whole = whole
    batch = whole
    batch.timesNanoseconds = []
    batch.argumentStarts = []
    batch.argumentBits = []
    outline = BlockOutline(
      earliestNanoseconds: whole.timesNanoseconds.first ?? 0,
      latestNanoseconds: whole.timesNanoseconds.last ?? 0, readWhole: { whole })
  }

  mutating func loadTimes() {
    isOpen = true
    batch = whole
  }

  mutating func loadArguments() { loadTimes() }
}

/// Judges a trace with blocks that may stay closed and with blocks that can't.
struct PassedBlocks {
  private let header: TraceHeader
  private let events: [EventBatch]
  private let plans: RulePlans
  private(set) var passedCount = 0

  init(_ header: TraceHeader, _ events: [EventBatch], _ plans: RulePlans) {
    self.header = header
    self.events = events
    self.plans = plans
  }

  init(_ one: NaiveCase) {
    var options = CheckOptions()
    options.rules = [one.rule]
    options.profile = one.life.profile
    self.init(one.life.header, [one.life.batch], RulePlans(options))
  }

  /// How the judgement depends on whether blocks are opened; nil if it doesn't.
  ///
  /// - Parameter sizes: How many events blocks have; each is tried.
  mutating func showThatTheyWerePassed(sizes: [Int] = [1, 3, 7]) -> String? {
    // Nobody vouches for the order of a life that isn't in order.
    guard Self.isInOrder(events) else { return nil }
    for size in sizes {
      let blocks = self.blocks(of: size)
      var opened = Checker(header: header, plans: plans)
      var closed = Checker(header: header, plans: plans)
      for block in blocks {
        var whole = block
        opened.consume(&whole)
        var source = ClosedBlock(block)
        closed.consume(&source)
        if !source.isOpen { passedCount += 1 }
      }
      let (expected, actual) = (opened.finish(isDamaged: false), closed.finish(isDamaged: false))
      if expected != actual {
        return "closed blocks of \(size) give \(actual.findings.count) findings,"
          + " verdicts \(actual.verdicts), and opened ones \(expected.findings.count) findings,"
          + " verdicts \(expected.verdicts)"
      }
    }
    return nil
  }

  /// Whether no event is earlier than the one before.
  static func isInOrder(_ batches: [EventBatch]) -> Bool {
    var last = Int64.min
    for batch in batches {
      for time in batch.timesNanoseconds {
        if time < last { return false }
        last = time
      }
    }
    return true
  }

  private func blocks(of size: Int) -> [EventBatch] {
    var blocks: [EventBatch] = []
    var assembler = BatchAssembler()
    func cut() {
      var block = EventBatch()
      assembler.take(into: &block)
      blocks.append(block)
    }
    for batch in events {
      for index in 0..<batch.count {
        assembler.copy(index, of: batch)
        if assembler.batch.count >= size || assembler.isFull { cut() }
      }
    }
    if assembler.batch.count > 0 { cut() }
    return blocks
  }
}
