// Baselines: what is written, what a merge may leave, and what a comparison makes of captures.

import Testing
import TraceExport
import TraceGate
import TraceModel
import TraceRules

struct BaselineTests {
  private static func finding(_ rule: String, _ fingerprint: String) -> Finding {
    Finding(
      rule: rule, slug: "family/\(rule)", severity: .error, reason: nil, message: "it happened",
      timeNanoseconds: 5, thread: 1, launch: 1, launchStartNanoseconds: 0, count: 1,
      lastTimeNanoseconds: 5, subject: "task 'sync' (token 7) 0xff12", fingerprint: fingerprint,
      confidence: .certain, witness: [])
  }

  private static func capture(
    app: String = "com.example.notes", _ findings: [Finding],
    evaluated: [String] = ["LC001", "LC003"], unknown: [String] = []
  ) -> JudgedCapture {
    var header = TraceHeader()
    header[.appBundleID] = .string(app)
    var trace = Judgement(
      header: header, traceID: "x", profile: "ios8", eventCount: 1, launchCount: 1,
      firstNanoseconds: 0, lastNanoseconds: 9, completeness: .complete, findings: findings,
      quality: [], verdicts: [:])
    trace.evaluatedRules = evaluated
    for rule in unknown {
      var counts = VerdictCounts()
      counts.unknown = 1
      trace.verdicts[rule] = counts
    }
    var capture = JudgedCapture(path: "a.ndjson", format: "ndjson")
    capture.traces = [trace]
    return capture
  }

  private static func baseline(_ captures: JudgedCapture...) -> Baseline {
    var baseline = Baseline()
    for capture in captures { baseline.add(capture) }
    return baseline
  }

  private static func text(_ baseline: Baseline) -> String {
    String(decoding: baseline.bytes { _ in "family" }, as: UTF8.self)
  }

  private static let known = finding("LC003", "v1:00000000000000aa")
  private static let file = """
    {"tracecheck_baseline":1}
    {"app":"com.example.notes","evaluated":"family","rules":["LC001","LC003"],"partly":{}}
    {"app":"com.example.notes","rule":"LC003","severity":"error",\
    "fingerprint":"v1:00000000000000aa","subject":"task 'sync' (token )"}

    """

  @Test func theFileHasOneSortedEntryPerLine() throws {
    #expect(Self.text(Self.baseline(Self.capture([Self.known]))) == Self.file)
    let read = try Baseline(Array(Self.file.utf8))
    #expect(Self.text(read) == Self.file)
  }

  @Test func linesMayComeInAnyOrderAndTwice() throws {
    let lines = Self.file.split(separator: "\n")
    let shuffled = (lines.reversed() + lines).joined(separator: "\r\n\n")
    #expect(Self.text(try Baseline(Array(shuffled.utf8))) == Self.file)
  }

  @Test(arguments: [
    ("", 1, "it is no baseline"),
    ("{\"tracecheck_baseline\":2}", 1, "has version 2"),
    ("{\"tracecheck_baseline\":1}\n<<<<<<< HEAD\n", 2, "conflict of a merge"),
    ("{\"tracecheck_baseline\":1}\n{\"app\":\"a\"}", 2, "neither a finding"),
    ("{\"tracecheck_baseline\":1}\n{\"app\":7}", 2, "a string in quotes"),
    ("{\"tracecheck_baseline\":1", 1, "',' or '}'"),
    ("{\"tracecheck_baseline\":1}\n[]", 2, "'{'"),
    (
      "{\"tracecheck_baseline\":1}\n"
        + "{\"app\":\"a\",\"evaluated\":\"f\",\"rules\":[\"r\"],\"partly\":{\"r\":[3,2]}}",
      2, "2 of 3 traces"
    ),
  ])
  func aFileThatIsNoneIsRefusedByLine(text: String, line: Int, message: String) {
    let error = #expect(throws: BaselineError.self) { try Baseline(Array(text.utf8)) }
    #expect(error?.line == line)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  private static func compared(
    _ baseline: Baseline, _ captures: JudgedCapture...
  ) -> (BaselineComparison, [JudgedCapture]) {
    var comparison = BaselineComparison(baseline, path: "b.jsonl")
    var marked: [JudgedCapture] = []
    for var capture in captures {
      comparison.compare(&capture)
      marked.append(capture)
    }
    return (comparison, marked)
  }

  private static func lost(
    _ comparison: BaselineComparison, strict: Bool = false, off: Set<String> = []
  ) -> [String] {
    comparison.findings(
      isStrict: strict, isOn: { rule, _ in !off.contains(rule) }, family: { _ in "family" }
    ).map { "\($0.rule.rawValue) \($0.message)" }
  }

  @Test func findingsAreNewUnchangedOrFixed() {
    let gone = Self.finding("LC001", "v1:00000000000000bb")
    let new = Self.finding("LC001", "v1:00000000000000cc")
    let (comparison, marked) = Self.compared(
      Self.baseline(Self.capture([Self.known, gone])), Self.capture([Self.known, new]))
    #expect(comparison.summary.counts == "1 new, 1 fixed, 1 unchanged")
    #expect(marked[0].traces[0].findings.map(\.baseline) == [.unchanged, .new])
    #expect(comparison.staleEntries.map(\.fingerprint) == [gone.fingerprint])
    #expect(Self.lost(comparison).isEmpty)
    #expect(Self.lost(comparison, strict: true).count == 1)
    let pruned = comparison.baseline.without(comparison.staleEntries)
    #expect(Self.text(pruned) == Self.file)
  }

  @Test func whatBecameGraverIsNotKnown() {
    var note = Self.known
    note.severity = .note
    let (comparison, marked) = Self.compared(
      Self.baseline(Self.capture([note])), Self.capture([Self.known]))
    #expect(marked[0].traces[0].findings.map(\.baseline) == [.graver])
    #expect(comparison.summary.counts == "0 new, 1 graver, 0 fixed, 0 unchanged")
    #expect(comparison.staleEntries.isEmpty)
    // What became milder is known, and of two that are the same the gravest counts.
    let (milder, _) = Self.compared(
      Self.baseline(Self.capture([note]), Self.capture([Self.known])), Self.capture([note]))
    #expect(milder.summary.counts == "0 new, 0 fixed, 1 unchanged")
  }

  @Test func whatBecameMilderIsWrittenByPruning() {
    var note = Self.known
    note.severity = .note
    let (comparison, _) = Self.compared(
      Self.baseline(Self.capture([Self.known])), Self.capture([note]))
    #expect(
      comparison.summary.milder.map(\.words) == [
        "LC003 task 'sync' (token ): note, and error in the baseline"
      ])
    #expect(Self.text(comparison.pruned) == Self.file.replacing("\"error\"", with: "\"note\""))
    // As long as one is as grave, it stays.
    let (both, _) = Self.compared(
      Self.baseline(Self.capture([Self.known])), Self.capture([note]), Self.capture([Self.known]))
    #expect(both.summary.milder.isEmpty)
    #expect(Self.text(both.pruned) == Self.file)
  }

  @Test func coverageThatOneTraceHidesOfOthersIsTold() {
    let before = Self.baseline(Self.capture([Self.known]))
    let (comparison, _) = Self.compared(
      before, Self.capture([Self.known]), Self.capture([], evaluated: ["LC001"]))
    #expect(Self.lost(comparison).isEmpty)
    #expect(
      comparison.summary.partial.map { "\($0.app): \($0.words)" } == [
        "com.example.notes: LC003 is evaluated in only 1 of 2 traces, and was in all of the"
          + " baseline's"
      ])
    let (whole, _) = Self.compared(before, Self.capture([Self.known]), Self.capture([Self.known]))
    #expect(whole.summary.partial.isEmpty)
  }

  @Test func whatFewerTracesCanShowIsNotFixed() {
    let before = Self.baseline(Self.capture([Self.known]), Self.capture([]), Self.capture([]))
    let (comparison, _) = Self.compared(
      before, Self.capture([], evaluated: ["LC001"]), Self.capture([], evaluated: ["LC001"]),
      Self.capture([]))
    #expect(comparison.summary.counts == "0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
    #expect(comparison.staleEntries.isEmpty)
    #expect(Self.text(comparison.pruned) == Self.file)
    let (all, _) = Self.compared(before, Self.capture([]), Self.capture([]))
    #expect(all.summary.counts == "0 new, 1 fixed, 0 unchanged")
  }

  @Test func capturesOfSeveralKindsAreNoLossIfTheyWereBefore() throws {
    let kinds = [Self.capture([Self.known]), Self.capture([], evaluated: ["LC001"])]
    let before = Self.baseline(kinds[0], kinds[1])
    let text = Self.file.replacing("\"partly\":{}", with: "\"partly\":{\"LC003\":[1,2]}")
    #expect(Self.text(before) == text)
    let read = try Baseline(Array(text.utf8))
    #expect(Self.text(read) == text)
    let (same, _) = Self.compared(read, kinds[0], kinds[1])
    #expect(same.summary.partial.isEmpty)
    let (fixed, _) = Self.compared(read, Self.capture([]), kinds[1])
    #expect(fixed.summary.counts == "0 new, 1 fixed, 0 unchanged")
    let (fewer, _) = Self.compared(read, Self.capture([]), kinds[1], kinds[1])
    #expect(fewer.summary.counts == "0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
    #expect(
      fewer.summary.partial.map(\.words) == [
        "LC003 is evaluated in only 1 of 3 traces, and was in 1 of 2 of the baseline's"
      ])
    // Of two lines of a merge the smaller share counts.
    let merged = try Baseline(Array((Self.file + text).utf8))
    #expect(Self.text(merged) == text)
  }

  @Test func aBaselineWithoutSharesStaysReadable() throws {
    let old = Self.file.replacing(",\"partly\":{}", with: "")
    let read = try Baseline(Array(old.utf8))
    #expect(Self.text(read) == old)
    let (fixed, _) = Self.compared(read, Self.capture([]))
    #expect(fixed.summary.counts == "0 new, 1 fixed, 0 unchanged")
    let (partial, _) = Self.compared(read, Self.capture([]), Self.capture([], evaluated: []))
    #expect(partial.summary.counts == "0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
    #expect(
      partial.summary.partial.map(\.words) == [
        "LC001 is evaluated in only 1 of 2 traces; 1 more rule isn't evaluated in all"
      ])
  }

  @Test func aRuleThatIsNoLongerEvaluatedIsAFindingAndNothingFixed() {
    let before = Self.baseline(Self.capture([Self.known]))
    let (comparison, _) = Self.compared(before, Self.capture([], evaluated: ["LC001"]))
    #expect(comparison.summary.counts == "0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
    #expect(
      Self.lost(comparison) == [
        "GT01 1 rule of family can no longer be evaluated for com.example.notes: LC003"
      ])
    #expect(comparison.staleEntries.isEmpty)
    // What was switched off isn't missed.
    #expect(Self.lost(comparison, off: ["LC003"]).isEmpty)
  }

  @Test func whatTellsNothingMendsNothing() {
    let before = Self.baseline(Self.capture([Self.known]))
    let (one, _) = Self.compared(before, Self.capture([], evaluated: []))
    #expect(one.summary.counts == "0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
    #expect(Self.text(one.pruned) == Self.file)
    #expect(
      Self.lost(one, strict: true) == [
        "GT01 no rule on events can be evaluated any more for com.example.notes, and 2 could: its trace tells"
          + " nothing that rules look at"
      ])
    #expect(Self.lost(one, off: ["LC001", "LC003"]).isEmpty)
    // One of two makes a gap that is told.
    let (half, _) = Self.compared(before, Self.capture([]), Self.capture([], evaluated: []))
    #expect(half.summary.counts == "0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
    #expect(half.summary.partial.count == 1)
    #expect(Self.lost(half, strict: true).isEmpty)
  }

  @Test func anAppWithoutCapturesIsMissed() {
    let before = Self.baseline(Self.capture([Self.known]), Self.capture(app: "com.example.b", []))
    let (comparison, _) = Self.compared(before, Self.capture([Self.known]))
    #expect(Self.lost(comparison).count == 1)
    #expect(Self.lost(comparison).first?.contains("no capture of com.example.b") == true)
  }

  @Test func whatIsUndecidedIsNotFixed() {
    let before = Self.baseline(Self.capture([Self.known]))
    let (comparison, _) = Self.compared(before, Self.capture([], unknown: ["LC003"]))
    #expect(comparison.staleEntries.isEmpty)
    #expect(Self.lost(comparison).isEmpty)
  }

  @Test func whatAGateFindsIsReportedLikeAnyFinding() {
    let before = Self.baseline(Self.capture([Self.known]))
    let (comparison, _) = Self.compared(before, Self.capture([], evaluated: ["LC001"]))
    let found = comparison.findings(
      isStrict: false, isOn: { _, _ in true }, family: { _ in "family" })
    let capture = JudgedCapture(gate: found, path: comparison.path)
    var summary = ReportSummary()
    summary.add(capture)
    #expect(summary.traces == 0)
    #expect(summary.errors == 1)
    #expect(GateRule.allCases.allSatisfy { GateRule.text($0.rawValue)?.severity == .error })
  }
}
