// Judgements made by hand, small enough to read, for the tests of the reports.

import TraceExport
import TraceModel
import TraceRules

enum ReportSamples {
  static func event(
    _ ordinal: Int, _ nanoseconds: Int64, _ event: String, _ phase: Phase = .instant,
    _ arguments: [WitnessArgument] = [], thread: Int64 = 1, role: String = "", line: UInt32 = 0
  ) -> WitnessEvent {
    WitnessEvent(
      ordinal: ordinal, timeNanoseconds: nanoseconds, event: event, phase: phase, thread: thread,
      role: role, arguments: arguments, line: line)
  }

  static let finding = Finding(
    rule: "LC003", slug: "watchdog/did-enter-background-over-5s", severity: .error, reason: nil,
    message: "the callback took 5.2 s, and the limit is 5 s", timeNanoseconds: 9_700_000_000,
    thread: 1, launch: 1, launchStartNanoseconds: 1_000_000_000, count: 1,
    lastTimeNanoseconds: 9_700_000_000, subject: "delegate.did_enter_background",
    fingerprint: "v1:0123456789abcdef", confidence: .certain,
    witness: [
      event(1, 4_500_000_000, "delegate.did_enter_background", .enter, role: "open", line: 3),
      event(
        2, 9_700_000_000, "delegate.did_enter_background", .return, role: "deadline", line: 4),
    ])

  static func judgement(_ findings: [Finding]) -> Judgement {
    var header = TraceHeader()
    header[.appBundleID] = .string("com.example.notes")
    header[.osVersion] = .string("8.1.0")
    var unknown = VerdictCounts()
    unknown.unknown = 2
    unknown.unknownReasons = ["truncated": 2]
    var skipped = VerdictCounts()
    skipped.notEvaluated = true
    return Judgement(
      header: header, traceID: "00ff", profile: "ios8", eventCount: 4, launchCount: 1,
      firstNanoseconds: 1_000_000_000, lastNanoseconds: 9_700_000_000, completeness: .truncated,
      findings: findings,
      quality: [QualityNote(id: "TQ11", count: 1, message: "the trace stops without trace.end")],
      verdicts: ["LC001": unknown, "LC004": skipped])
  }

  static func capture(_ findings: [Finding] = [finding]) -> JudgedCapture {
    var capture = JudgedCapture(path: "notes.ndjson", format: "ndjson")
    capture.traces = [judgement(findings)]
    return capture
  }

  /// The whole report of some captures.
  static func report(
    _ format: ReportFormat, _ captures: [JudgedCapture], usesColor: Bool = false,
    isQuiet: Bool = false, listsUndecided: Bool = false, tellsMeasures: Bool = false
  ) -> String {
    var context = ReportContext(
      toolVersion: "1.2.3", usesColor: usesColor, isQuiet: isQuiet, listsUndecided: listsUndecided
    ) { _ in
      RuleText(consequence: "The system kills the app.", advice: "Return earlier.")
    }
    context.tellsMeasures = tellsMeasures
    context.ruleExplaining = { _, judgement in judgement.findings.first?.rule }
    var writer = format.makeWriter(context)
    for capture in captures { writer.capture(capture) }
    writer.end(elapsedNanoseconds: 12_000_000)
    return String(decoding: writer.output, as: UTF8.self)
  }
}
