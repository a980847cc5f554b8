// The JUnit report: one suite per trace and one case per rule that was evaluated, so that passing
// is seen as well as failing.

import TraceModel
import TraceRules

extension ReportFormat {
  /// JUnit XML, as test reporters of CI services read it.
  public static let junit = ReportFormat(name: "junit", mediaType: "application/xml") {
    JUnitReport($0)
  }
}

struct JUnitReport: ReportWriter {
  var output: [UInt8]
  private let context: ReportContext

  /// Findings of one rule that are told in full; the others are counted.
  private static let findingsMax = 20
  /// Events told of one finding.
  private static let witnessMax = 20

  init(_ context: ReportContext) {
    self.context = context
    output = Array(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracecheck\">\n".utf8)
  }

  mutating func capture(_ capture: JudgedCapture) {
    if capture.copyOf != nil { return }
    let path = context.paths.shown(capture)
    if let failure = capture.failure { broken(path, failure.message, failure.advice) }
    for (index, trace) in capture.traces.enumerated() {
      let name = capture.traces.count > 1 ? "\(path) (trace \(index + 1))" : path
      suite(named: name, trace, capture)
    }
    if capture.isDamaged {
      let problem = capture.problems.first { $0.consequence != .truncated }
      broken(path, problem?.message ?? "it is damaged", problem?.advice ?? "")
    }
  }

  mutating func end(elapsedNanoseconds: Int64) { write("</testsuites>\n") }

  /// A suite for what kept a capture from being read.
  private mutating func broken(_ path: String, _ message: String, _ advice: String) {
    write("  <testsuite name=\"\(attribute(path))\" tests=\"1\" failures=\"0\" errors=\"1\"")
    write(" skipped=\"0\" time=\"0.000\">\n")
    write("    <testcase name=\"the capture is readable\" classname=\"tracecheck.input\"")
    write(" time=\"0.000\">\n      <error message=\"\(attribute(message))\" type=\"unreadable\">")
    write("\(attribute(advice))</error>\n    </testcase>\n  </testsuite>\n")
  }

  private enum Outcome {
    case passed, failed, skipped
  }

  private mutating func suite(
    named name: String, _ trace: Judgement, _ capture: JudgedCapture
  ) {
    let findings = Dictionary(grouping: trace.findings, by: \.rule)
    let suppressed = Dictionary(grouping: trace.suppressed, by: \.finding.rule)
    var ids = trace.evaluatedRules
    let evaluated = Set(ids)
    ids += Set(findings.keys).union(suppressed.keys).subtracting(evaluated).sorted()
    var cases = ""
    var failures = 0
    var skips = 0
    for id in ids {
      let (outcome, body) = verdict(
        findings[id] ?? [], suppressed[id] ?? [], trace.verdicts[id], trace, capture)
      if outcome == .failed { failures += 1 }
      if outcome == .skipped { skips += 1 }
      let slug = context.ruleText(id)?.slug ?? findings[id]?.first?.slug ?? ""
      let family = slug.prefix { $0 != "/" }
      cases += "    <testcase name=\"\(attribute("\(id) \(slug)"))\""
      cases += " classname=\"tracecheck.\(attribute(String(family)))\" time=\"0.000\""
      cases += body.isEmpty ? "/>\n" : ">\n\(body)    </testcase>\n"
    }
    write("  <testsuite name=\"\(attribute(name))\" tests=\"\(ids.count)\"")
    write(" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skips)\"")
    write(" time=\"\(Self.seconds(of: trace))\">\n")
    properties(trace, capture)
    write(cases)
    write("  </testsuite>\n")
  }

  private mutating func properties(_ trace: Judgement, _ capture: JudgedCapture) {
    var list: [(String, String)] = [
      ("trace_id", trace.traceID), ("profile", trace.profile), ("format", capture.format),
      ("completeness", trace.completeness.rawValue),
    ]
    for (name, field) in [
      ("app", HeaderField.appBundleID), ("app_version", .appVersion), ("os_version", .osVersion),
    ] {
      if let text = trace.header.string(field) { list.append((name, text)) }
    }
    write("    <properties>\n")
    for (name, value) in list {
      write("      <property name=\"\(name)\" value=\"\(attribute(value))\"/>\n")
    }
    write("    </properties>\n")
  }

  /// What stands inside a case.
  private func verdict(
    _ findings: [Finding], _ suppressed: [SuppressedFinding], _ counts: VerdictCounts?,
    _ trace: Judgement, _ capture: JudgedCapture
  ) -> (Outcome, String) {
    let failing = findings.filter(context.fails)
    if let first = failing.first {
      let text = told(failing, trace, capture)
      let message = attribute(FindingText.sentence(first))
      return (
        .failed,
        "      <failure message=\"\(message)\" type=\"\(first.severity.rawValue)\">"
          + "\(text)</failure>\n"
      )
    }
    if findings.isEmpty, let item = suppressed.first {
      return (.skipped, skipped("suppressed: \(item.reason)"))
    }
    if findings.isEmpty, let counts, counts.unknown > 0 {
      let reasons = counts.unknownReasons.keys.sorted().prefix(3)
        .map { UnknownReasonText.words(for: $0) }
      return (.skipped, skipped("undecided: \(reasons.joined(separator: ", "))"))
    }
    if findings.isEmpty { return (.passed, "") }
    let known = findings.allSatisfy { $0.baseline == .unchanged }
    if known { return (.skipped, skipped("known: \(FindingText.sentence(findings[0]))")) }
    return (.passed, "      <system-out>\(told(findings, trace, capture))</system-out>\n")
  }

  private func skipped(_ reason: String) -> String {
    "      <skipped message=\"\(attribute(reason))\"/>\n"
  }

  private func told(_ findings: [Finding], _ trace: Judgement, _ capture: JudgedCapture) -> String {
    var text = ""
    for finding in findings.prefix(Self.findingsMax) {
      text += "\(finding.severity.rawValue): \(attribute(FindingText.sentence(finding)))"
      text += "\n  \(FindingText.place(of: finding))\n"
      for event in finding.witness.prefix(Self.witnessMax) {
        text += "    \(attribute(FindingText.witness(event, of: finding, in: capture)))\n"
      }
      let omitted = max(0, finding.witness.count - Self.witnessMax) + finding.witnessOmittedCount
      if omitted > 0 { text += "    \(FindingText.counted(omitted, "event")) left out\n" }
      if let link = context.timelineLink {
        let address = link.address(of: finding, in: trace, path: capture.path)
        text += "  timeline: \(attribute(address))\n"
      }
      text += "  fingerprint: \(attribute(finding.fingerprint))\n"
    }
    if findings.count > Self.findingsMax {
      text += "and \(findings.count - Self.findingsMax) more\n"
    }
    if let rule = findings.first.flatMap({ context.ruleText($0.rule) }) {
      text += "what happens: \(attribute(rule.consequence))\n"
      text += "what to do: \(attribute(rule.advice))\n"
    }
    return text
  }

  /// The length of the trace.
  private static func seconds(of trace: Judgement) -> String {
    let (length, isTooLong) = trace.lastNanoseconds.subtractingReportingOverflow(
      trace.firstNanoseconds)
    let milliseconds = isTooLong ? 0 : max(0, length) / 1_000_000
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
  }

  private func attribute(_ text: String) -> String { ReportEscapes.markup(text) }
  private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }
}
