// What a judgement says of the trace itself.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

struct QualityTests {
  private func ids(_ timeline: String) -> [String] {
    TraceFixture("timeline 1\n\(Step.header)\n\(timeline)\n").judge().quality.map(\.id)
  }

  @Test func whatTwoCapturesOfOneRunSayIsSaidOnce() {
    var checker = Checker(header: TraceHeader(), options: .headline)
    for message in ["the app crashed", "the app crashed", "another"] {
      checker.add(CaptureRemark(id: "capture", message: message))
    }
    let remarks = checker.finish(isDamaged: false).quality.filter { $0.id == "capture" }
    #expect(remarks.map(\.message) == ["another", "the app crashed"])
  }

  @Test func aCleanEndIsComplete() {
    let judgement = TraceFixture(
      "timeline 1\n\(Step.header)\n\(Step.launch)\n\(Step.end)\n"
    ).judge()
    #expect(judgement.completeness == .complete)
    #expect(judgement.quality == [])
  }

  @Test func aCleanEndAfterAKillIsComplete() {
    let judgement = TraceFixture(
      "timeline 1\n\(Step.header)\n\(Step.launch)\n+1s proc.kill cause=jetsam\n\(Step.end)\n"
    ).judge()
    #expect(judgement.completeness == .complete)
    #expect(judgement.quality == [])
  }

  @Test func aRotatedTraceIsTruncated() {
    #expect(ids("\(Step.launch)\n+1s trace.end reason=rotated") == ["TQ11"])
    #expect(ids(Step.launch) == ["TQ11"])
  }

  @Test func whereOnlyTheClockWasSetNothingIsLost() {
    let end = "+1s trace.end reason=clean"
    #expect(ids("\(Step.launch)\n+1s trace.lost count=0\n\(end)") == [])
    #expect(ids("\(Step.launch)\n+1s trace.lost\n\(end)") == ["TQ08"])
  }

  @Test func aReportIsNoTraceThatWasCutOff() {
    var fixture = TraceFixture("timeline 1\n\(Report.of("17.2"))\n+1s proc.kill cause=jetsam\n")
    #expect(fixture.judge().quality.map(\.id) == ["TQ09", "TQ11"])
    fixture.header.origin.isReport = true
    let judgement = fixture.judge()
    #expect(judgement.quality.map(\.id) == ["TQ09"])
    #expect(judgement.completeness == .truncated)
  }

  @Test func doubtsAreCounted() {
    let judgement = TraceFixture(
      """
      timeline 1
      \(Step.header)
      +0s     trace.start reason=attach
      +1s     x.odd a=1
      +1s     x.odd a=2
      +1s     work.dispatch queue=q shade=blue
      +1s     <loc.update
      +1s     trace.lost count=4
      +1s     trace.end reason=clean
      """
    ).judge()
    let counts = Dictionary(
      uniqueKeysWithValues: judgement.quality.map { ($0.id, $0.count) })
    // Each odd event has an unknown kind and an unknown argument; the dispatch one argument.
    #expect(counts["TQ10"] == 5)
    #expect(counts["TQ04"] == 1)
    #expect(counts["TQ08"] == 1)
    #expect(counts["TQ09"] == 1)
    #expect(counts["TQ11"] == nil)
  }

  @Test func findingsAreStableAcrossCaptures() {
    func fingerprints(_ token: Int, _ delay: String) -> [String] {
      TraceFixture(
        """
        timeline 1
        header app_bundle_id=com.example.a os_version=8.0 background_modes=[]
        \(Step.launch)
        +\(delay)  bgtask.begin token=\(token) name="upload \(token)"
        +1s        proc.exit by=app
        """
      ).judge().findings.map(\.fingerprint)
    }
    #expect(fingerprints(7, "1s") == fingerprints(912, "3s"))
    #expect(fingerprints(7, "1s").count == 1)
  }

  @Test func severityThresholdAndProfileCanBeChosen() {
    let text = """
      timeline 1
      \(Step.header)
      \(Step.launch)
      \(Step.resign)
      +1s    >delegate.did_enter_background
      +6s    <delegate.did_enter_background
      """
    var options = CheckOptions.headline
    options.severities["LC003"] = .warning
    #expect(TraceFixture(text).judge(options).findings.map(\.severity) == [.warning])
    options.thresholds["LC003"] = 6_000_000_000
    #expect(TraceFixture(text).judge(options).findings == [])
    options = .headline
    options.profile = .os3
    #expect(TraceFixture(text).judge(options).findings == [])
    #expect(TraceFixture(text).judge(options).profile == "os3")
  }

  @Test func coverageDecidesWhatIsEvaluated() {
    let verdicts = TraceFixture(
      """
      timeline 1
      header os_version=8.0 coverage=[bgtask]
      \(Step.launch)
      """
    ).judge().verdicts
    #expect(verdicts["LC001"] == nil)
    #expect(verdicts["LC003"]?.notEvaluated == true)
    #expect(verdicts["LC004"]?.notEvaluated == true)
  }

  @Test func underADebuggerTheWatchdogIsANote() {
    let judgement = TraceFixture(
      """
      timeline 1
      header os_version=8.0 debugger_attached=true
      \(Step.launch)
      \(Step.resign)
      +1s    >delegate.did_enter_background
      +60s   <delegate.did_enter_background
      """
    ).judge()
    #expect(judgement.findings.map(\.severity) == [.note])
  }
}

extension QualityTests {
  /// A gap in a thread's numbers is a loss like one that the recorder tells of.
  @Test func aGapInTheNumbersIsALoss() {
    var fixture = TraceFixture(
      """
      timeline 1
      \(Step.header)
      \(Step.launch)
      +1s    bgtask.begin token=7
      +1s    bgtask.begin token=8
      +180s  proc.kill cause=bgtask_expired
      """
    ).rebuilt(eventsPerBatch: 8) { assembler, batch, index in assembler.copy(index, of: batch) }
    #expect(fixture.judge().findings.map(\.reason) == ["leaked", "leaked"])
    for (number, sequence) in [(0, 1), (1, 20)] {
      fixture.batches[number].threads[0].firstSequence = UInt64(sequence)
    }
    let judgement = fixture.judge()
    // Token 7 was begun before the gap, and may have been ended in it.
    #expect(judgement.findings.map(\.subject) == ["background task"])
    #expect(judgement.verdicts["LC001"]?.unknownReasons == ["gap": 1])
    #expect(judgement.quality.map(\.id) == ["TQ08", "TQ11"])
  }
}
