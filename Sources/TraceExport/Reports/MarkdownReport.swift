// The Markdown report for comments on pull requests and for job summaries: what is new first,
// details per rule, never longer than the place it is meant for.

import TraceModel
import TraceRules

extension ReportFormat {
  /// Markdown for a comment on a pull request, with a hidden mark by which it is found again.
  public static let markdown = ReportFormat(name: "markdown", mediaType: "text/markdown") {
    MarkdownReport($0, bytesMax: MarkdownReport.commentBytesMax, mark: MarkdownReport.mark)
  }

  /// Markdown for GitHub's job summary, which stands beside ``github``.
  ///
  /// - Parameter usedBytes: How much of the summary's room is taken.
  public static func githubSummary(
    _ context: ReportContext, usedBytes: Int64
  ) -> any ReportWriter {
    let room = Int64(MarkdownReport.summaryBytesMax).subtractingReportingOverflow(max(0, usedBytes))
    return MarkdownReport(context, bytesMax: max(0, Int(room.partialValue)), mark: "")
  }
}

struct MarkdownReport: ReportWriter {
  var output: [UInt8] = []
  private let context: ReportContext
  private let bytesMax: Int
  private let mark: String
  private var summary = ReportSummary()
  private var gate: GateSummary?
  private var rules: [String: Entry] = [:]
  private var unreadable: [String] = []
  private var suppressed: [String] = []
  private var suppressedCount = 0

  /// Characters of a comment are at most 65,536, and no character takes less than a byte.
  static let commentBytesMax = 65_535
  /// Bytes of a job summary; a step has no more of them.
  static let summaryBytesMax = 1_048_576
  static let mark = "<!-- tracecheck-report -->\n"
  /// Findings of one rule that are kept; the others are counted.
  private static let findingsMax = 20
  private static let witnessMax = 8
  private static let listMax = 50
  /// Room for the last line, which says what was left out.
  private static let endBytes = 200

  private struct Entry {
    var severity: Severity
    var slug: String
    var isKnown: Bool
    var count = 0
    var blocks: [String] = []
  }

  init(_ context: ReportContext, bytesMax: Int, mark: String) {
    self.context = context
    self.bytesMax = bytesMax
    self.mark = mark
  }

  mutating func capture(_ capture: JudgedCapture) {
    summary.add(capture)
    if capture.copyOf != nil { return }
    if let failure = capture.failure, unreadable.count < Self.listMax {
      unreadable.append("\(escaped(shown(capture))): \(escaped(failure.message))")
    }
    for trace in capture.traces {
      for finding in trace.findings { add(finding, trace, capture) }
      for item in trace.suppressed {
        suppressedCount += 1
        guard suppressed.count < Self.listMax else { continue }
        let until = item.expires.map { " until \($0)" } ?? ""
        suppressed.append(
          escaped("\(item.finding.rule) in \(shown(capture)): \(item.reason)\(until)"))
      }
    }
  }

  mutating func gate(_ summary: GateSummary) { gate = summary }

  mutating func end(elapsedNanoseconds: Int64) {
    output.append(contentsOf: mark.utf8)
    append("## tracecheck: \(verdict)\n\n")
    if let gate {
      append("\(gate.counts).\n\n")
      for item in gate.partial.prefix(Self.listMax) {
        append("Coverage fell: \(escaped("\(item.appName): \(item.words)")).\n\n")
      }
    }
    append("\(FindingText.totals(summary))\n\n")
    var omitted = 0
    let order = rules.sorted {
      let (a, b) = ($0.value, $1.value)
      if a.isKnown != b.isKnown { return b.isKnown }
      return a.severity != b.severity ? a.severity > b.severity : $0.key < $1.key
    }
    for (rule, entry) in order where !append(section(rule, entry)) { omitted += 1 }
    if omitted > 0 {
      append("\n\(FindingText.counted(omitted, "rule")) left out; the other reports have all.\n")
    }
    list(
      summary.unreadable > summary.captureless ? "Unreadable" : "Without captures", unreadable,
      summary.unreadable)
    list("Suppressed", suppressed, suppressedCount)
    if let gate {
      list(
        "Fixed",
        gate.fixed.prefix(Self.listMax).map { escaped("\($0.rule) \($0.subject) (\($0.app))") },
        gate.fixed.count)
      list(
        "Milder than the baseline has it",
        gate.milder.prefix(Self.listMax).map { escaped("\($0.words) (\($0.app))") },
        gate.milder.count)
    }
  }

  private var verdict: String {
    if summary.unreadable > summary.captureless { return "captures are unreadable" }
    if summary.captureless > 0 { return "there are no captures" }
    if summary.findings == 0 { return gate == nil ? "no findings" : "nothing new" }
    let word = gate.map { $0.graverCount > 0 ? "new or graver finding" : "new finding" }
    return FindingText.counted(summary.findings, word ?? "finding")
  }

  private func shown(_ capture: JudgedCapture) -> String { context.paths.shown(capture) }
  private func escaped(_ text: String) -> String { ReportEscapes.markdown(text) }

  private mutating func add(_ finding: Finding, _ trace: Judgement, _ capture: JudgedCapture) {
    var entry =
      rules[finding.rule] ?? Entry(severity: finding.severity, slug: finding.slug, isKnown: true)
    entry.severity = max(entry.severity, finding.severity)
    entry.isKnown = entry.isKnown && finding.baseline == .unchanged
    entry.count += 1
    if entry.blocks.count < Self.findingsMax {
      entry.blocks.append(block(finding, trace, capture))
    }
    rules[finding.rule] = entry
  }

  private func block(
    _ finding: Finding, _ trace: Judgement, _ capture: JudgedCapture
  ) -> String {
    var text = "- **\(finding.severity.rawValue)** \(escaped(FindingText.sentence(finding)))<br>"
    text += "\(escaped(shown(capture))), \(FindingText.place(of: finding))"
    if let link = context.timelineLink {
      let address = link.address(of: finding, in: trace, path: capture.path)
      text += ", <a href=\"\(ReportEscapes.markup(address))\">timeline</a>"
    }
    text += "\n"
    let events = finding.witness.prefix(Self.witnessMax)
      .map { "  <code>\(escaped(FindingText.witness($0, of: finding, in: capture)))</code><br>\n" }
    return text + events.joined()
  }

  private func section(_ rule: String, _ entry: Entry) -> String {
    let known = entry.isKnown ? ", known" : ""
    var text = "<details><summary><b>\(escaped(rule))</b> \(escaped(entry.slug)): "
    text += "\(FindingText.counted(entry.count, entry.severity.rawValue))\(known)</summary>\n\n"
    if let words = context.ruleText(rule) {
      text += "\(escaped(words.consequence)) \(escaped(words.advice))\n\n"
    }
    text += entry.blocks.joined()
    let omitted = entry.count - entry.blocks.count
    if omitted > 0 { text += "\nand \(omitted) more\n" }
    return text + "\n</details>\n\n"
  }

  private mutating func list(_ title: String, _ items: [String], _ count: Int) {
    if items.isEmpty { return }
    var text = "<details><summary>\(title): \(count)</summary>\n\n"
    for item in items { text += "- \(item)\n" }
    if count > items.count { text += "\nand \(count - items.count) more\n" }
    append(text + "\n</details>\n\n")
  }

  /// Appends a part if there is room for it.
  @discardableResult private mutating func append(_ text: String) -> Bool {
    guard output.count + text.utf8.count <= bytesMax - Self.endBytes else { return false }
    output.append(contentsOf: text.utf8)
    return true
  }
}
