// The report for people: one block per finding, then what else should be known of the capture, and
// totals at the end.

import TraceModel
import TraceRules

extension ReportFormat {
  /// Blocks of text for a terminal or a log.
  public static let text = ReportFormat(name: "text", mediaType: "text/plain") { TextReport($0) }
}

struct TextReport: ReportWriter {
  var output: [UInt8] = []
  private let context: ReportContext
  private var summary = ReportSummary()
  /// Rules whose consequence and advice were already given in full.
  private var advisedRules: Set<String> = []
  /// Findings that were shown while their trace was still being read.
  private var shownFindings: Set<FindingKey> = []

  private var undecided = UndecidedRules()
  private var gate: GateSummary?
  private var suppressed: [(path: String, item: SuppressedFinding)] = []

  /// Suppressed findings that are listed; the totals count them all.
  private static let suppressedMax = 1_000

  /// Inputs that hold the trace of another: path and original; at most ``copiesMax``.
  private var copies: [(path: String, original: String)] = []

  /// Copies named at the end; the totals count them all.
  private static let copiesMax = 20

  private struct FindingKey: Hashable {
    var path: String
    var rule: String
    var reason: String?
    var launch: Int
    var subject: String
    var timeNanoseconds: Int64
  }

  init(_ context: ReportContext) { self.context = context }

  mutating func liveFinding(_ finding: Finding, path: String) {
    shownFindings.insert(Self.key(of: finding, path))
    block(finding, of: JudgedCapture(path: path))
  }

  mutating func capture(_ capture: JudgedCapture) {
    summary.add(capture)
    if let original = capture.copyOf {
      if copies.count < Self.copiesMax { copies.append((capture.path, original)) }
      return
    }
    for trace in capture.traces {
      for finding in trace.findings where isToBeShown(finding, capture.path) {
        block(finding, of: capture)
      }
      undecided.add(trace)
      if context.listsSuppressed, suppressed.count < Self.suppressedMax {
        suppressed += trace.suppressed.map { (capture.path, $0) }
      }
      if !context.isQuiet { remarks(on: trace, path: capture.path) }
    }
  }

  mutating func gate(_ summary: GateSummary) { gate = summary }

  mutating func end(elapsedNanoseconds: Int64) {
    if context.isQuiet { return }
    for copy in copies {
      colored("copy", .cyan)
      text("  ")
      input(copy.path)
      text("  holds the same trace as ")
      input(copy.original)
      text("\n")
    }
    if summary.copies > copies.count { text("and \(summary.copies - copies.count) more copies\n") }
    if !copies.isEmpty { text("\n") }
    endSuppressed()
    endGate()
    endUndecided()
    if context.isGate {
      text("gate: ")
      if let verdict = gate?.verdict { text("\(verdict.rawValue); ") }
    } else if summary.findings == 0 {
      text(summary.known > 0 ? "check: no new findings\n" : "check: no findings\n")
    }
    text(FindingText.totals(summary))
    text("; \(TimeText.rounded(elapsedNanoseconds))\n")
  }

  private func isToBeShown(_ finding: Finding, _ path: String) -> Bool {
    if context.isGate, finding.baseline == .unchanged { return false }
    return shownFindings.isEmpty || !shownFindings.contains(Self.key(of: finding, path))
  }

  private static func key(of finding: Finding, _ path: String) -> FindingKey {
    FindingKey(
      path: path, rule: finding.rule, reason: finding.reason, launch: finding.launch,
      subject: finding.subject, timeNanoseconds: finding.timeNanoseconds)
  }

  // A block.

  private mutating func block(_ finding: Finding, of capture: JudgedCapture) {
    colored(finding.severity.rawValue, Self.color(of: finding.severity))
    text(" ")
    colored("\(finding.rule) ", .bold)
    input(finding.slug)
    text("  ")
    input(capture.path)
    text("  \(FindingText.place(of: finding))\n  ")
    input(finding.message)
    let remarks = FindingText.remarks(finding)
    if !remarks.isEmpty { text(" (\(remarks.joined(separator: ", ")))") }
    text("\n")
    witness(of: finding, capture)
    if let rule = context.ruleText(finding.rule) {
      if advisedRules.insert(finding.rule).inserted {
        paragraph("what happens: ", PrintableText.printable(rule.consequence))
        paragraph("what to do:   ", PrintableText.printable(rule.advice))
      } else {
        text("  what happens and what to do: as said above for \(finding.rule)\n")
      }
    }
    text("\n")
  }

  private static let firstWitnesses = 3
  private static let lastWitnesses = 5

  private mutating func witness(of finding: Finding, _ capture: JudgedCapture) {
    let events = finding.witness
    let isShort = events.count <= Self.firstWitnesses + Self.lastWitnesses
    let head = events.prefix(Self.firstWitnesses)
    let tail = isShort ? events.dropFirst(head.count) : events.suffix(Self.lastWitnesses)
    let omitted = events.count - head.count - tail.count + max(0, finding.witnessOmittedCount)
    let shown = Array(head) + Array(tail)
    let times = shown.map { TimeText.exact(FindingText.relative($0.timeNanoseconds, finding)) }
    let timeWidth = times.map(\.utf8.count).max() ?? 0
    for (index, event) in shown.enumerated() {
      if index == head.count, omitted > 0 { omittedLine(omitted) }
      let padding = String(repeating: " ", count: timeWidth - times[index].utf8.count)
      text("    \(padding)\(times[index])  ")
      switch event.phase {
      case .enter: text(">")
      case .return: text("<")
      case .instant: break
      }
      input(event.event)
      for argument in event.arguments {
        text(" ")
        input(argument.name)
        text("=")
        input(FindingText.value(argument.value), scalarsMax: 80)
      }
      let remarks = FindingText.witnessRemarks(event, of: capture).map {
        PrintableText.printable($0)
      }
      if !remarks.isEmpty { colored("  (\(remarks.joined(separator: ", ")))", .dim) }
      text("\n")
    }
    if shown.count == head.count, omitted > 0 { omittedLine(omitted) }
  }

  private mutating func omittedLine(_ count: Int) {
    colored("    … \(FindingText.counted(count, "event")) left out\n", .dim)
  }

  // What else should be known of a trace, or of the call.

  private mutating func endSuppressed() {
    for (path, item) in suppressed {
      colored("suppressed", .dim)
      text(" ")
      input("\(item.finding.rule) \(item.finding.slug)")
      text("  ")
      input(path)
      text(": ")
      input(item.reason)
      text(item.expires.map { " (until \($0))" } ?? "")
      text("\n")
    }
    if !suppressed.isEmpty { text("\n") }
  }

  private mutating func endGate() {
    guard let gate else { return }
    for item in gate.fixed {
      colored("fixed", .cyan)
      text("  ")
      input("\(item.rule) \(item.subject)")
      text("  ")
      input("\(item.app) \(item.fingerprint)")
      text("\n")
    }
    for item in gate.milder {
      colored("milder", .cyan)
      text("  ")
      input(item.words)
      text("  ")
      input("\(item.app) \(item.fingerprint)")
      text("\n")
    }
    for item in gate.partial {
      colored("coverage", .cyan)
      text("  ")
      input("\(item.appName): \(item.words)")
      text("\n")
    }
    colored("baseline", .cyan)
    text("  ")
    input(gate.path)
    text(": \(gate.counts)\n")
  }

  private mutating func remarks(on trace: Judgement, path: String) {
    if trace.quality.isEmpty { return }
    colored("about ", .cyan)
    input(path)
    text("\n")
    for note in trace.quality {
      text("  \(note.id)  ")
      input(note.message)
      if note.count > 1 { text(" (\(note.count) times)") }
      text("\n")
    }
    text("\n")
  }

  /// Says of how many rules nothing is known, or of which.
  private mutating func endUndecided() {
    if undecided.isEmpty { return }
    if context.listsUndecided {
      colored("undecided\n", .cyan)
      for line in undecided.lines { text("  \(line)\n") }
      text("\n")
    } else {
      text("\(undecided.summary); --undecided lists them\n")
    }
  }

  // Bytes.

  private enum Color: String {
    case red = "31"
    case yellow = "33"
    case cyan = "36"
    case bold = "1"
    case dim = "2"
  }

  private static func color(of severity: Severity) -> Color {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }

  private mutating func colored(_ words: String, _ color: Color) {
    guard context.usesColor else { return text(words) }
    text("\u{1B}[\(color.rawValue)m\(words)\u{1B}[0m")
  }

  /// Appends text of our own.
  private mutating func text(_ text: String) { output.append(contentsOf: text.utf8) }

  /// Appends text that comes from an input.
  private mutating func input(_ text: String, scalarsMax: Int = PrintableText.scalarsMax) {
    PrintableText.append(text, to: &output, scalarsMax: scalarsMax)
  }

  /// Appends a text of the catalogue under a title.
  private mutating func paragraph(_ title: String, _ words: String) {
    if words.isEmpty { return }
    text(WrappedText.lines(words, indent: 2 + title.utf8.count, title: "  " + title))
  }
}
