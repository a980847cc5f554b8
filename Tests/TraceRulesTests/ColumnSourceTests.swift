// The engine reads blocks through `ColumnSource`, whatever loads their columns.

import Testing
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

/// A block whose columns come one by one, and one of which may be damaged.
private struct LazySource: ColumnSource {
  enum Damage: Error, Equatable { case arguments }

  private let whole: EventBatch
  private(set) var batch: EventBatch
  var isDamaged = false

  init(_ whole: EventBatch) {
    self.whole = whole
    batch = whole
    batch.timesNanoseconds = []
    batch.argumentStarts = []
    batch.argumentBits = []
  }

  mutating func loadTimes() throws(Damage) { batch.timesNanoseconds = whole.timesNanoseconds }

  mutating func loadArguments() throws(Damage) {
    if isDamaged { throw .arguments }
    batch.argumentStarts = whole.argumentStarts
    batch.argumentBits = whole.argumentBits
  }
}

struct ColumnSourceTests {
  private let fixture = TraceFixture(Catalogue.rules(matching: "LC001")[0].examples[0].document)

  @Test func columnsAreLoadedOnDemand() throws {
    var checker = Checker(header: fixture.header, options: .headline)
    for batch in fixture.batches {
      var source = LazySource(batch)
      try checker.consume(&source)
    }
    #expect(checker.finish(isDamaged: false) == fixture.judge())
  }

  @Test func aDamagedColumnJudgesNothingOfItsBlock() {
    var checker = Checker(header: fixture.header, options: .headline)
    var source = LazySource(fixture.batches[0])
    source.isDamaged = true
    #expect(throws: LazySource.Damage.arguments) { try checker.consume(&source) }
    let judgement = checker.finish(isDamaged: true)
    #expect(judgement.eventCount == 0)
    #expect(judgement.findings == [])
    #expect(judgement.completeness == .damaged)
  }
}
