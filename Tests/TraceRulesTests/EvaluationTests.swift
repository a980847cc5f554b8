// Which traces let rules be evaluated at all.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

struct EvaluationTests {
  private func evaluated(_ events: String) -> [String] {
    TraceFixture("timeline 1\n\(Step.header)\n\(events)\n").judge().evaluatedRules
  }

  @Test(arguments: [
    "",
    "+0s trace.start reason=launch",
    "+0s trace.start reason=launch\n+1s sys.lock\n+1s trace.end reason=clean",
  ])
  func whatTellsNothingOfTheAppIsNotEvaluated(_ events: String) {
    #expect(evaluated(events).isEmpty)
  }

  @Test func oneSignOfTheAppIsEnough() {
    let all = evaluated("\(Step.launch)\n\(Step.end)")
    #expect(!all.isEmpty)
    #expect(evaluated("+0s trace.start reason=attach\n+1s delegate.did_become_active") == all)
    #expect(evaluated("+0s proc.start into=foreground") == all)
    #expect(evaluated("+0s trace.start reason=launch\n+1s example.unheard_of") == all)
  }
}
