// Traces so full that something must be left out: what is found mustn't depend on how they are cut.

import Testing
import TraceModel

@testable import TraceCatalogue
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

  @Test func ofManySubmitsTheHighestIsKnownToWait() {
    let submits = (1...300).map { "+1ms @7 gl.call context=1 kind=draw submit_id=\($0)" }
    let all = judgements(
      "LC401",
      """
      \(Step.launch)
      \(submits.joined(separator: "\n"))
      +1ms @7 gl.complete context=1 submit_id=250
      \(Step.toBackground)
      +1s     trace.end reason=clean
      """)
    #expect(all[0].findings.map(\.rule) == ["LC401"])
    for other in all { #expect(other == all[0]) }
  }

  @Test func manySubmitsOfTwoContextsAreCompleteWhenBothAreFinished() {
    let submits = (1...200).map {
      "+1ms @7 gl.call context=\($0 % 2 + 1) kind=draw submit_id=\($0)"
    }
    let all = judgements(
      "LC401",
      """
      \(Step.launch)
      \(submits.joined(separator: "\n"))
      +1ms @7 gl.call context=1 kind=finish
      +1ms @7 gl.call context=2 kind=finish
      \(Step.toBackground)
      +1s     trace.end reason=clean
      """)
    #expect(all[0].findings.isEmpty)
    #expect(all[0].verdicts["LC401"] == nil)
    for other in all { #expect(other == all[0]) }
  }

  /// The rate before is measured with the frames that a call made just after stands for, whatever
  /// other calls come between.
  @Test(arguments: ["", "+1ms @7 gl.call context=1 kind=state"])
  func framesOfTheLastMomentCountForTheRateBefore(between: String) {
    let frames = Array(repeating: "+1s @7 gl.call context=1 kind=present count=120", count: 12)
    let slower = Array(repeating: "+1s @7 gl.call context=1 kind=present count=55", count: 5)
    let all = judgements(
      "LC405",
      """
      \(Step.launch)
      \(frames.joined(separator: "\n"))
      +900ms  >delegate.will_resign_active
      \(between)
      +1ms @7 gl.call context=1 kind=present count=108
      +1ms    <delegate.will_resign_active
      \(slower.joined(separator: "\n"))
      +1s     trace.end reason=clean
      """)
    #expect(all[0].findings.isEmpty)
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
