// Sentences about findings that several reports share.

import TraceModel
import TraceRules

/// Findings in words. Nothing here is escaped: that is for each report to do.
enum FindingText {
  /// When it happened, for example `5.2s into launch 1`.
  static func place(of finding: Finding) -> String {
    guard finding.launch > 0 else { return "in the header" }
    guard let start = finding.launchStartNanoseconds else {
      return "at \(TimeText.exact(finding.timeNanoseconds)), in launch \(finding.launch)"
        + " (its start isn't in the trace)"
    }
    let time = finding.timeNanoseconds.subtractingReportingOverflow(start).partialValue
    return "\(TimeText.exact(time)) into launch \(finding.launch)"
  }

  /// The time since the launch began, or the trace's own time where that isn't known.
  static func relative(_ nanoseconds: Int64, _ finding: Finding) -> Int64 {
    nanoseconds.subtractingReportingOverflow(finding.launchStartNanoseconds ?? 0).partialValue
  }

  /// How sure and how often; empty for what is certain and happened once.
  static func remarks(_ finding: Finding) -> [String] {
    var remarks: [String] = []
    if finding.confidence != .certain { remarks.append(finding.confidence.rawValue) }
    if finding.count > 1 {
      let last = TimeText.exact(relative(finding.lastTimeNanoseconds, finding))
      remarks.append("\(finding.count) times until \(last)")
    }
    switch finding.baseline {
    case .unchanged: remarks.append("known")
    case .graver: remarks.append("graver than the baseline has it")
    case .new, nil: break
    }
    return remarks
  }

  /// What happened, with its remarks, and without a final dot.
  static func sentence(_ finding: Finding) -> String {
    let remarks = remarks(finding)
    if remarks.isEmpty { return finding.message }
    return "\(finding.message) (\(remarks.joined(separator: ", ")))"
  }

  /// A witness in one line: `3.5s  >delegate.did_enter_background  (open, line 3)`.
  static func witness(
    _ event: WitnessEvent, of finding: Finding, in capture: JudgedCapture
  ) -> String {
    var line = TimeText.exact(relative(event.timeNanoseconds, finding)) + "  "
    switch event.phase {
    case .enter: line += ">"
    case .return: line += "<"
    case .instant: break
    }
    line += event.event
    for argument in event.arguments { line += " \(argument.name)=\(value(argument.value))" }
    let remarks = witnessRemarks(event, of: capture)
    return remarks.isEmpty ? line : "\(line)  (\(remarks.joined(separator: ", ")))"
  }

  static func witnessRemarks(_ event: WitnessEvent, of capture: JudgedCapture) -> [String] {
    var remarks: [String] = []
    if event.thread != 1 { remarks.append("thread \(event.thread)") }
    if !event.role.isEmpty { remarks.append(event.role) }
    // Of several files it is said which one, and who else tells it.
    if capture.sources != nil {
      remarks += capture.places(of: event).map { "\($0.path):\($0.line)" }
    } else if event.line > 0 {
      remarks.append("line \(event.line)")
    }
    return remarks
  }

  static func value(_ value: ArgumentValue) -> String {
    switch value {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .number(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .string(let text): "\"\(text)\""
    case .json(let text): text
    }
  }

  /// The file and line that a finding is best looked for at: the last line that it rests on.
  static func place(of finding: Finding, in capture: JudgedCapture) -> SourcePlace {
    finding.witness.last { $0.line > 0 }.flatMap { capture.places(of: $0).first }
      ?? SourcePlace(path: capture.anyPath, line: 1)
  }

  static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }

  /// `2 errors, 1 warning, 0 notes; 3 traces, 12 events`, and what else is to be known.
  static func totals(_ summary: ReportSummary) -> String {
    var text = counted(summary.errors, "error") + ", " + counted(summary.warnings, "warning")
    text += ", " + counted(summary.notes, "note") + "; " + counted(summary.traces, "trace")
    text += ", " + counted(summary.events, "event")
    if summary.known > 0 { text += "; \(summary.known) known" }
    if summary.suppressed > 0 { text += "; \(summary.suppressed) suppressed" }
    let unreadable = summary.unreadable - summary.captureless
    if unreadable > 0 { text += "; \(unreadable) unreadable" }
    if summary.captureless > 0 { text += "; \(summary.captureless) without captures" }
    if summary.damaged > 0 { text += "; \(summary.damaged) damaged" }
    if summary.problemsOmitted > 0 {
      text += "; \(counted(summary.problemsOmitted, "problem")) not listed"
    }
    if summary.copies > 0 { text += "; " + counted(summary.copies, "copy", "copies") }
    return text
  }
}
