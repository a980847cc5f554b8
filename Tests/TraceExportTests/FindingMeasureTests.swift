// The bars of what was allowed and what was taken stand where the rule has measured, or nowhere.

import Testing
import TraceModel
import TraceRules

@testable import TraceExport

struct FindingMeasureTests {
  private static let limit: Int64 = 5_000_000_000
  private static let rule = TimelineRuleText(
    summary: "", rationale: "", consequence: "", advice: "", limitsNanoseconds: [limit])

  /// A finding with evidence at some milliseconds, of which the last is its own time.
  private static func finding(_ message: String, _ milliseconds: [Int64]) -> Finding {
    let witness = milliseconds.enumerated().map { index, time in
      WitnessEvent(
        ordinal: index, timeNanoseconds: time * 1_000_000, event: "x.event", phase: .instant,
        thread: 1, role: index == 0 ? "open" : "", arguments: [], line: 0)
    }
    return Finding(
      rule: "LC301", slug: "x", severity: .error, reason: nil, message: message,
      timeNanoseconds: (milliseconds.last ?? 0) * 1_000_000, thread: 1, launch: 1,
      launchStartNanoseconds: 0, count: 1, lastTimeNanoseconds: 0, subject: "", fingerprint: "",
      confidence: .certain, witness: witness)
  }

  private static func measured(_ message: String, _ milliseconds: [Int64]) -> [Int64]? {
    FindingMeasure(finding(message, milliseconds), rule).map {
      [$0.startNanoseconds / 1_000_000, $0.actualNanoseconds / 1_000_000]
    }
  }

  @Test func theStretchIsTheOneThatTheMessageNames() {
    #expect(Self.measured("took 6 s; the limit is 5 s", [1_000, 7_000]) == [1_000, 6_000])
    // The clock started later than with the first witness.
    #expect(Self.measured("took 6 s; the limit is 5 s", [0, 1_000, 7_000]) == [1_000, 6_000])
    // It stood still in between.
    #expect(Self.measured("took 6.02 s; the limit is 5 s", [0, 16_000]) == nil)
    #expect(Self.measured("took 6 s", [1_000, 7_000]) == nil)
    #expect(Self.measured("was longer than 5 s", [1_000, 7_000]) == nil)
    #expect(Self.measured("took 6 s; the limit is 5 s", []) == nil)
  }

  @Test(
    arguments: [
      ("took 16 s; the limit is 5 s", [0, 6_000]), ("took 1.6 s; the limit is 5 s", [0, 6_000]),
      ("took 2 min 6 s; the limit is 5 s", [0, 6_000]),
      ("took 6 s; the limit is 15 s", [0, 6_000]),
      ("took 6 stops; the limit is 5 s", [0, 6_000]),
    ] as [(String, [Int64])]) func otherDurationsAreNotTaken(message: String, times: [Int64])
  {
    #expect(Self.measured(message, times) == nil)
  }

  @Test func nothingIsLongerThanTheClock() {
    let message = "took 6 s; the limit is 5 s"
    var finding = Self.finding(message, [0])
    finding.witness[0].timeNanoseconds = .min
    finding.timeNanoseconds = .max
    #expect(FindingMeasure(finding, Self.rule) == nil)
  }
}

struct DisplayColumnsTests {
  @Test func lettersTakeNoneOneOrTwoColumns() {
    #expect(DisplayColumns.count("save") == 4)
    #expect(DisplayColumns.count("très") == 4)
    #expect(DisplayColumns.count("tre\u{300}s") == 4)
    #expect(DisplayColumns.count("日本") == 4)
    #expect(DisplayColumns.count("🙂→") == 3)
  }

  @Test func textsAreCutToFit() {
    #expect(DisplayColumns.fitted("save", columnsMax: 4) == "save")
    #expect(DisplayColumns.fitted("saved", columnsMax: 4) == "sav…")
    #expect(DisplayColumns.fitted("日本語", columnsMax: 5) == "日本…")
    #expect(DisplayColumns.fitted("日本語", columnsMax: 4) == "日…")
    #expect(DisplayColumns.fitted("", columnsMax: 0) == "")
  }

  @Test func paragraphsFitAWidth() {
    let text = WrappedText.lines(
      "aaa bbb 日本語日本語 c", title: "- ", width: 8, breaksWords: true)
    #expect(text == "- aaa\n  bbb\n  日本語\n  日本語\n  c\n")
    let titled = WrappedText.lines("aaaaaa b", title: "title  ", width: 10, breaksWords: true)
    #expect(titled == "title  \n  aaaaaa b\n")
    #expect(WrappedText.lines("aaaaaa b", width: 4) == "  aaaaaa\n  b\n")
  }
}
