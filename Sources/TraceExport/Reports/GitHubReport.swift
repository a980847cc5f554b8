// Annotations for GitHub: workflow commands on standard output, the worst few of each level, as
// GitHub shows no more of one step.

import TraceModel
import TraceRules

extension ReportFormat {
  /// Workflow commands. The job summary beside them is ``githubSummary``.
  public static let github = ReportFormat(name: "github", mediaType: "text/plain") {
    GitHubReport($0)
  }
}

struct GitHubReport: ReportWriter {
  var output: [UInt8] = []
  private let context: ReportContext
  private var summary = ReportSummary()
  /// The worst ones by level; at most ``annotationsMax`` of each.
  private var annotations: [Severity: [Annotation]] = [:]
  private var gate: GateSummary?

  /// Annotations of one level that GitHub shows of one step.
  static let annotationsMax = 10
  /// Characters of one annotation: what a reviewer reads in a margin.
  private static let messageScalarsMax = 2_000

  private struct Annotation {
    var rank: (Int, Int)
    var line: String
  }

  init(_ context: ReportContext) { self.context = context }

  mutating func capture(_ capture: JudgedCapture) {
    summary.add(capture)
    if capture.copyOf != nil { return }
    if let failure = capture.failure {
      keep(
        Annotation(
          rank: (3, 0),
          line: command(
            "error", capture.path, line: 1, title: "unreadable capture",
            PrintableText.printable(failure.message))),
        .error)
    }
    for trace in capture.traces {
      for finding in trace.findings where finding.baseline != .unchanged {
        keep(annotation(finding, trace, capture), finding.severity)
      }
    }
  }

  mutating func gate(_ summary: GateSummary) {
    gate = summary
    for item in summary.partial {
      keep(
        Annotation(
          rank: (3, 0),
          line: command(
            "warning", summary.path, line: 1, title: "coverage fell",
            PrintableText.printable("\(item.appName): \(item.words)"))),
        .warning)
    }
  }

  mutating func end(elapsedNanoseconds: Int64) {
    for severity in [Severity.error, .warning, .note] {
      for annotation in annotations[severity] ?? [] {
        output.append(contentsOf: annotation.line.utf8)
        output.append(UInt8(ascii: "\n"))
      }
    }
    let counts = gate.map { "\($0.counts); " } ?? ""
    output.append(contentsOf: "tracecheck: \(counts)\(FindingText.totals(summary))\n".utf8)
  }

  /// Keeps an annotation if it is among the worst of its level; of equal ones the first is.
  private mutating func keep(_ annotation: Annotation, _ severity: Severity) {
    var list = annotations[severity] ?? []
    let place = list.firstIndex { $0.rank < annotation.rank } ?? list.count
    guard place < Self.annotationsMax else { return }
    list.insert(annotation, at: place)
    annotations[severity] = Array(list.prefix(Self.annotationsMax))
  }

  private func annotation(
    _ finding: Finding, _ trace: Judgement, _ capture: JudgedCapture
  ) -> Annotation {
    let certainty =
      switch finding.confidence {
      case .certain: 2
      case .likely: 1
      case .possible: 0
      }
    var words = PrintableText.printable(FindingText.sentence(finding))
    words += "; \(FindingText.place(of: finding))"
    if let rule = context.ruleText(finding.rule) {
      words += "\n\(PrintableText.printable(rule.consequence))"
      words += "\n\(PrintableText.printable(rule.advice))"
    }
    let level =
      switch finding.severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    let place = FindingText.place(of: finding, in: capture)
    return Annotation(
      rank: (certainty, finding.count),
      line: command(
        level, place.path, line: Int(place.line),
        title: "\(finding.rule) \(finding.slug)", words))
  }

  private func command(
    _ level: String, _ path: String, line: Int, title: String, _ message: String
  ) -> String {
    let file = PrintableText.printable(context.paths.fromRoot(path))
    let message = String(message.unicodeScalars.prefix(Self.messageScalarsMax))
    return "::\(level) file=\(ReportEscapes.commandProperty(file)),line=\(line),title="
      + "\(ReportEscapes.commandProperty(PrintableText.printable(title)))::"
      + ReportEscapes.commandData(message)
  }
}
