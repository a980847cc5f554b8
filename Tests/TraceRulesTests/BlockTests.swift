// Traces so full that something must be left out: what is found mustn't depend on how they are cut.

import Testing
import TraceModel

@testable import TraceRules

struct BlockTests {
  /// What a rule says of a life as a whole, cut into blocks of each of these sizes.
  private func judgements(_ rule: String, _ life: String) -> [Judgement] {
    var options = CheckOptions()
    options.rules = Catalogue.rules(matching: rule)
    let whole = TraceFixture("timeline 1\n\(Step.header)\n\(life)\n")
    return [Int.max, 1, 50, 700].map { size in
      whole.rebuilt(eventsPerBatch: size) { assembler, batch, index in
        assembler.copy(index, of: batch)
      }.judge(options)
    }
  }

  @Test func aSubmitAfterManyThatWereCompletedCounts() {
    let submits = (1...266).map { "+1ms @7 gl.call context=1 kind=draw submit_id=\($0)" }
    let all = judgements(
      "LC401",
      """
      \(Step.launch)
      \(submits.joined(separator: "\n"))
      +100ms @7 gl.complete context=1 submit_id=256
      +10ms   @7 gl.call context=1 kind=draw submit_id=267
      \(Step.toBackground)
      +1s     trace.end reason=clean
      """)
    #expect(all[0].findings.map(\.rule) == ["LC401"])
    for other in all { #expect(other == all[0]) }
  }

  @Test func moreFramesThanAreCountedAreTooMany() {
    let frames = Array(repeating: "+400us @7 gl.call context=1 kind=present", count: 9_000)
    let all = judgements(
      "LC405",
      """
      \(Step.launch)
      \(frames.joined(separator: "\n"))
      +1ms    delegate.will_resign_active for 1ms
      \(frames.joined(separator: "\n"))
      +1s     trace.end reason=clean
      """)
    #expect(all[0].findings.map(\.rule) == ["LC405"])
    for other in all { #expect(other == all[0]) }
  }
}
