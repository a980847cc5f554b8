// What people read.

import Testing
import TraceExport
import TraceModel
import TraceRules

struct TextReportTests {
  @Test func aFindingIsABlockAndTotalsCloseTheReport() {
    #expect(
      ReportSamples.report(.text, [ReportSamples.capture()]) == """
        error LC003 watchdog/did-enter-background-over-5s  notes.ndjson  8.7s into launch 1
          the callback took 5.2 s, and the limit is 5 s
            3.5s  >delegate.did_enter_background  (open, line 3)
            8.7s  <delegate.did_enter_background  (deadline, line 4)
          what happens: The system kills the app.
          what to do:   Return earlier.

        about notes.ndjson
          TQ11  the trace stops without trace.end

        1 rule undecided, 1 not checked; --undecided lists them
        1 error, 0 warnings, 0 notes; 1 trace, 4 events; 12 ms

        """)
  }

  @Test func aCleanCaptureSaysSo() {
    var capture = ReportSamples.capture([])
    capture.traces[0].quality = []
    capture.traces[0].verdicts = [:]
    #expect(
      ReportSamples.report(.text, [capture]) == """
        check: no findings
        0 errors, 0 warnings, 0 notes; 1 trace, 4 events; 12 ms

        """)
  }

  @Test func undecidedRulesAreListedOnRequest() {
    let text = ReportSamples.report(
      .text, [ReportSamples.capture([]), ReportSamples.capture([])], listsUndecided: true)
    #expect(
      text.contains(
        """

        undecided
          LC001  undecided 4 times in 2 traces (the trace ends too early)
          LC004  not checked in 2 traces

        check: no findings
        """), "\(text)")
  }

  @Test func quietPrintsFindingsOnly() {
    #expect(ReportSamples.report(.text, [ReportSamples.capture([])], isQuiet: true) == "")
    let text = ReportSamples.report(.text, [ReportSamples.capture()], isQuiet: true)
    #expect(text.hasPrefix("error LC003") && text.hasSuffix("Return earlier.\n\n"))
  }

  @Test func adviceIsGivenOncePerRule() {
    let text = ReportSamples.report(
      .text, [ReportSamples.capture([ReportSamples.finding, ReportSamples.finding])])
    #expect(text.components("Return earlier.") == 1)
    #expect(text.components("as said above for LC003") == 1)
    #expect(text.components("The system kills the app.") == 1)
  }

  @Test(arguments: [(8, 0), (9, 1), (40, 32)])
  func longEvidenceIsShownAtBothEnds(count: Int, omitted: Int) {
    var finding = ReportSamples.finding
    finding.witness = (0..<count).map { ReportSamples.event($0, 1_000_000_000, "gl.call") }
    let text = ReportSamples.report(.text, [ReportSamples.capture([finding])])
    #expect(text.components("gl.call") == count - omitted)
    let noun = omitted == 1 ? "event" : "events"
    #expect(text.contains("… \(omitted) \(noun) left out") == (omitted > 0))
  }

  @Test func aRepeatedOrDoubtfulFindingSaysSo() {
    var finding = ReportSamples.finding
    finding.count = 3
    finding.lastTimeNanoseconds = 11_000_000_000
    finding.confidence = .likely
    let text = ReportSamples.report(.text, [ReportSamples.capture([finding])])
    #expect(text.contains("the limit is 5 s (likely, 3 times until 10s)\n"))
  }

  @Test func timesAreCutToMicroseconds() {
    var finding = ReportSamples.finding
    finding.launchStartNanoseconds = 1
    let text = ReportSamples.report(.text, [ReportSamples.capture([finding])])
    #expect(text.contains("notes.ndjson  9.699999s into launch 1\n"))
    let times = [(-1, "0s"), (-1001, "-0.000001s"), (Int64.min, "-9223372036.854775s")]
    for (time, shown) in times { #expect(TimeText.exact(time) == shown) }
  }

  @Test func placesInBytesNameTheLastByte() {
    for (range, shown) in [(0..<0, "byte 0:"), (7..<8, "byte 7:"), (7..<9, "bytes 7-8:")] {
      var capture = ReportSamples.capture()
      let bytes = UInt64(range.lowerBound)..<UInt64(range.upperBound)
      capture.add(InputProblem(.skipped, at: .bytes(bytes), "it is wrong"))
      let line = String(decoding: ProblemText.lines(of: capture), as: UTF8.self)
      #expect(line == "notes.ndjson: \(shown) it is wrong\n")
    }
  }

  @Test func findingsOfTheHeaderAndOfUnknownLaunchesHaveTheirOwnPlace() {
    var header = ReportSamples.finding
    header.launch = 0
    var attached = ReportSamples.finding
    attached.launchStartNanoseconds = nil
    let text = ReportSamples.report(.text, [ReportSamples.capture([header, attached])])
    #expect(text.contains("notes.ndjson  in the header\n"))
    #expect(text.contains("notes.ndjson  at 9.7s, in launch 1 (its start isn't in the trace)\n"))
  }

  @Test func coloursAreUsedOnlyWhenAskedFor() {
    let capture = ReportSamples.capture()
    #expect(!ReportSamples.report(.text, [capture]).contains("\u{1B}"))
    #expect(
      ReportSamples.report(.text, [capture], usesColor: true).hasPrefix("\u{1B}[31merror\u{1B}[0m"))
  }

  @Test func liveFindingsAreNotRepeated() {
    var writer = ReportFormat.text.makeWriter(ReportContext(toolVersion: "1"))
    writer.liveFinding(ReportSamples.finding, path: "notes.ndjson")
    let live = writer.output
    #expect(String(decoding: live, as: UTF8.self).hasPrefix("error LC003"))
    writer.output = []
    var other = ReportSamples.finding
    other.rule = "LC001"
    writer.capture(ReportSamples.capture([ReportSamples.finding, other]))
    let rest = String(decoding: writer.output, as: UTF8.self)
    #expect(rest.hasPrefix("error LC001"))
    #expect(!rest.contains("error LC003"))
  }

  @Test(arguments: [
    (GateSummary.Verdict.passed, "passed"), (GateSummary.Verdict.failed, "failed"),
    (GateSummary.Verdict.undecided, "undecided, as captures are damaged or unreadable"),
  ])
  func aGateCountsWhatIsKnownAndHasTheLastWord(_ verdict: GateSummary.Verdict, _ word: String) {
    var known = ReportSamples.finding
    known.baseline = .unchanged
    var new = ReportSamples.finding
    new.rule = "LC001"
    new.baseline = .new
    var summary = GateSummary(path: "b.jsonl")
    summary.newCount = 1
    summary.unchangedCount = 1
    summary.verdict = verdict
    let text = Self.gateReport([known, new], summary)
    #expect(text.hasPrefix("error LC001"))
    #expect(!text.contains("LC003"))
    #expect(
      text.hasSuffix(
        """
        baseline  b.jsonl: 1 new, 0 fixed, 1 unchanged
        1 rule undecided, 1 not checked; --undecided lists them
        gate: \(word); 1 error, 0 warnings, 0 notes; 1 trace, 4 events; 1 known; 12 ms

        """), "\(text)")
  }

  @Test func aGateWithoutABaselineIsNoCheck() {
    let text = Self.gateReport([], nil)
    #expect(!text.contains("check:"))
    #expect(text.hasSuffix("\ngate: 0 errors, 0 warnings, 0 notes; 1 trace, 4 events; 12 ms\n"))
  }

  @Test func aCheckShowsWhatIsKnown() {
    var known = ReportSamples.finding
    known.baseline = .unchanged
    let text = ReportSamples.report(.text, [ReportSamples.capture([known])])
    #expect(text.hasPrefix("error LC003"))
    #expect(text.contains("(known)"))
    #expect(text.contains("\ncheck: no new findings\n"))
  }

  private static func gateReport(_ findings: [Finding], _ summary: GateSummary?) -> String {
    var context = ReportContext(toolVersion: "1")
    context.isGate = true
    var writer = ReportFormat.text.makeWriter(context)
    writer.capture(ReportSamples.capture(findings))
    if let summary { writer.gate(summary) }
    writer.end(elapsedNanoseconds: 12_000_000)
    return String(decoding: writer.output, as: UTF8.self)
  }

  @Test func copiesAreListedAtTheEnd() {
    var copy = ReportSamples.capture()
    copy.path = "copy.timeline"
    copy.copyOf = "notes.ndjson"
    let text = ReportSamples.report(.text, [copy, ReportSamples.capture()])
    #expect(
      text.hasSuffix(
        """
        copy  copy.timeline  holds the same trace as notes.ndjson

        1 rule undecided, 1 not checked; --undecided lists them
        1 error, 0 warnings, 0 notes; 1 trace, 4 events; 1 copy; 12 ms

        """))
    #expect(text.components("error LC003") == 1)
  }
}

extension String {
  /// How often a text occurs.
  func components(_ part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
