// Blocks that nobody hears stay closed, and no judgement shows that they did.

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

/// Judges one random life with blocks that may stay closed and with blocks that can't.
struct PassedBlocks {
  private let header: TraceHeader
  private let batch: EventBatch
  private let options: CheckOptions
  private(set) var passedCount = 0

  init(_ one: NaiveCase) {
    header = one.life.header
    batch = one.life.batch
    var options = CheckOptions()
    options.rules = [one.rule]
    options.profile = one.life.profile
    self.options = options
  }

  /// How the judgement depends on whether blocks are opened; nil if it doesn't.
  mutating func showThatTheyWerePassed() -> String? {
    // Nobody vouches for the order of a life that isn't in order.
    guard zip(batch.timesNanoseconds, batch.timesNanoseconds.dropFirst()).allSatisfy(<=) else {
      return nil
    }
    for size in [1, 3, 7] {
      let blocks = self.blocks(of: size)
      var opened = Checker(header: header, options: options)
      var closed = Checker(header: header, options: options)
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

  private func blocks(of size: Int) -> [EventBatch] {
    var blocks: [EventBatch] = []
    var assembler = BatchAssembler()
    for index in 0..<batch.count {
      assembler.copy(index, of: batch)
      guard assembler.batch.count >= size || index == batch.count - 1 else { continue }
      var block = EventBatch()
      assembler.take(into: &block)
      blocks.append(block)
    }
    return blocks
  }
}
