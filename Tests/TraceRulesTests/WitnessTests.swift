// The contract of witnesses: they show the violation on their own, and none of them is idle.

import Testing
import TraceModel
import TraceNotation

@testable import TraceRules

struct WitnessTests {
  @Test(arguments: ExampleCase.violating)
  func witnessIsEnoughAndMinimal(_ example: ExampleCase) {
    let fixture = TraceFixture(example.document)
    for finding in fixture.judge(example.options).findings where finding.rule == example.rule {
      check(finding, of: fixture, example.options)
    }
  }

  func check(_ finding: Finding, of fixture: TraceFixture, _ options: CheckOptions) {
    var options = options
    options.minimisesWitnesses = false
    options.isExcerpt = true
    let ordinals = finding.witness.map(\.ordinal)
    #expect(
      replayed(ordinals, of: fixture, options).contains { same($0, finding) },
      "\(ordinals) replays: \(finding.message)")
    for left in ordinals {
      let rest = ordinals.filter { $0 != left }
      #expect(
        !replayed(rest, of: fixture, options).contains { same($0, finding) },
        "event \(left) is idle in \(ordinals): \(finding.message)")
    }
  }

  private func same(_ a: Finding, _ b: Finding) -> Bool {
    a.rule == b.rule && a.reason == b.reason && a.severity == b.severity
      && a.timeNanoseconds == b.timeNanoseconds
  }

  private func replayed(
    _ ordinals: [Int], of fixture: TraceFixture, _ options: CheckOptions
  ) -> [Finding] {
    fixture.rebuilt { assembler, batch, index in
      if ordinals.contains(batch.ordinal(at: index)) { assembler.copy(index, of: batch) }
    }.judge(options).findings
  }
}
