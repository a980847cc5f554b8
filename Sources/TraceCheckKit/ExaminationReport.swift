// What `doctor` and `recover` say of a capture, as text and as JSON.

import TraceExport
import TraceFormat
import TraceModel
import TracePipeline

/// Prints an examination.
struct ExaminationReport {
  private let examination: CaptureExamination

  init(_ examination: CaptureExamination) { self.examination = examination }

  private var verdict: String {
    if examination.isDamaged { return "damaged" }
    return examination.problems.isEmpty ? "intact" : "truncated"
  }

  /// - Parameter isRecovery: Whether everything intact was written to a trace.
  func text(isRecovery: Bool) -> [UInt8] {
    var output: [UInt8] = []
    func line(_ text: String) { output.append(contentsOf: (text + "\n").utf8) }
    for problem in examination.problems {
      ProblemText.append(path: examination.path, problem, to: &output)
    }
    if examination.problemsOmittedCount > 0 {
      line("\(examination.problemsOmittedCount) more defects")
    }
    PrintableText.append(examination.path, to: &output)
    line(": \(examination.format), \(verdict)")
    line("  events \(isRecovery ? "recovered" : "intact"): \(examination.eventCount)")
    line("  traces: \(examination.traceCount), blocks: \(examination.blockCount)")
    line("  damaged bytes: \(examination.damagedByteCount)")
    line("  events in lost blocks: \(examination.lostEventCount)")
    line("  numbers missing in threads: \(examination.missingNumberCount)")
    guard let journal = examination.journal else { return output }
    line("  events in the trace: \(journal.sealedEventCount)")
    line("  events in the journal only: \(journal.ringEventCount)")
    line("  events in both: \(journal.duplicateCount)")
    line("  events cut while being written: \(journal.tornCount)")
    line("  events dropped by the recorder: \(journal.droppedCount.map { "\($0)" } ?? "unknown")")
    line(
      "  events given up by the recorder: \(journal.discardedCount.map { "\($0)" } ?? "unknown")")
    return output
  }

  func json() -> [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.key("path")
    json.string(examination.path)
    json.key("format")
    json.string(examination.format)
    json.key("verdict")
    json.string(verdict)
    let numbers: [(String, UInt64)] = [
      ("events", UInt64(examination.eventCount)), ("traces", UInt64(examination.traceCount)),
      ("blocks", UInt64(examination.blockCount)),
      ("damaged_bytes", examination.damagedByteCount),
      ("events_in_lost_blocks", UInt64(examination.lostEventCount)),
      ("numbers_missing", examination.missingNumberCount),
    ]
    for (name, value) in numbers {
      json.key(name)
      json.integer(value)
    }
    appendJournal(to: &json)
    json.key("defects")
    json.beginArray()
    for problem in examination.problems { append(problem, to: &json) }
    json.endArray()
    json.key("defects_omitted")
    json.integer(examination.problemsOmittedCount)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private func appendJournal(to json: inout JSONBuilder) {
    json.key("journal")
    guard let journal = examination.journal else { return json.null() }
    json.beginObject()
    let numbers: [(String, UInt64?)] = [
      ("events_in_trace", UInt64(journal.sealedEventCount)),
      ("events_in_journal_only", UInt64(journal.ringEventCount)),
      ("events_in_both", UInt64(journal.duplicateCount)),
      ("events_cut", UInt64(journal.tornCount)), ("events_dropped", journal.droppedCount),
      ("events_given_up", journal.discardedCount), ("sealed_turns", journal.sealedTurns),
      ("pid", journal.fixed.map { UInt64(clamping: $0.processNumber) }),
    ]
    for (name, value) in numbers {
      json.key(name)
      if let value { json.integer(value) } else { json.null() }
    }
    json.endObject()
  }

  private func append(_ problem: InputProblem, to json: inout JSONBuilder) {
    json.beginObject()
    json.key("consequence")
    json.string(problem.consequence.rawValue)
    switch problem.location {
    case .input: break
    case .bytes(let range):
      json.key("first_byte")
      json.integer(range.lowerBound)
      json.key("end_byte")
      json.integer(range.upperBound)
    case .line(let line, let column):
      json.key("line")
      json.integer(line)
      json.key("column")
      json.integer(column)
    }
    json.key("message")
    json.string(problem.message)
    json.endObject()
  }
}
