// The HTML report: one page without scripts and without anything from elsewhere, that opens from a
// file.

import TraceModel
import TraceRules

extension ReportFormat {
  /// One self-contained page.
  public static let html = ReportFormat(name: "html", mediaType: "text/html") { HTMLReport($0) }
}

struct HTMLReport: ReportWriter {
  var output: [UInt8]
  private let context: ReportContext
  private var summary = ReportSummary()
  private var gate: GateSummary?
  private var findingCount = 0
  private var omittedCount = 0
  /// Rules whose consequence and advice are told below the findings.
  private var rules: Set<String> = []

  /// Findings on the page: more make browsers slow and nobody wiser.
  private static let findingsMax = 10_000
  private static let witnessMax = 50
  private static let fixedMax = 1_000

  init(_ context: ReportContext) {
    self.context = context
    output = Array(Self.head.utf8)
  }

  mutating func capture(_ capture: JudgedCapture) {
    summary.add(capture)
    let path = context.paths.shown(capture)
    if let original = capture.copyOf {
      write("<p class=\"quiet\">\(escaped(path)) holds the same trace as ")
      write("\(escaped(context.paths.fromRoot(original)))</p>\n")
      return
    }
    if let failure = capture.failure {
      write("<section class=\"error\"><h2>\(escaped(path))</h2><p>unreadable: ")
      write("\(escaped(failure.message))</p></section>\n")
    }
    for trace in capture.traces { section(trace, path, capture) }
  }

  mutating func gate(_ summary: GateSummary) { gate = summary }

  mutating func end(elapsedNanoseconds: Int64) {
    write("<section><h2>Rules</h2>\n")
    for rule in rules.sorted() {
      guard let text = context.ruleText(rule) else { continue }
      write("<h3 id=\"rule-\(escaped(rule))\">\(escaped(rule)) \(escaped(text.slug))</h3>")
      write("<p>\(escaped(text.summary))</p><p>\(escaped(text.consequence))</p>")
      write("<p>\(escaped(text.advice))</p>\n")
    }
    write("</section>\n")
    if let gate, !gate.fixed.isEmpty {
      write("<section><h2>Fixed</h2><ul>\n")
      for item in gate.fixed.prefix(Self.fixedMax) {
        write("<li>\(escaped("\(item.rule) \(item.subject) (\(item.app))"))</li>\n")
      }
      write("</ul></section>\n")
    }
    if let gate, !gate.milder.isEmpty {
      write("<section><h2>Milder than the baseline has it</h2><ul>\n")
      for item in gate.milder.prefix(Self.fixedMax) {
        write("<li>\(escaped("\(item.words) (\(item.app))"))</li>\n")
      }
      write("</ul></section>\n")
    }
    // The style puts it at the top: only here is it known.
    write("<header><h1>tracecheck</h1>")
    if let gate {
      write("<p><b>\(gate.counts)</b></p>")
      for item in gate.partial.prefix(Self.fixedMax) {
        write("<p>Coverage fell: \(escaped("\(item.appName): \(item.words)"))</p>")
      }
    }
    write("<p>\(FindingText.totals(summary))</p>")
    if omittedCount > 0 { write("<p>\(omittedCount) findings are left out of this page.</p>") }
    write("</header>\n</body></html>\n")
  }

  private mutating func section(_ trace: Judgement, _ path: String, _ capture: JudgedCapture) {
    write("<section><h2>\(escaped(path))</h2><p class=\"quiet\">")
    let app = trace.header.string(.appBundleID) ?? "unknown app"
    let version = trace.header.string(.appVersion).map { " \($0)" } ?? ""
    let system = trace.header.string(.osVersion) ?? "?"
    write("\(escaped(app))\(escaped(version)), system \(escaped(system)), ")
    write("profile \(escaped(trace.profile)), \(FindingText.counted(trace.eventCount, "event")), ")
    write("\(trace.completeness.rawValue), trace \(escaped(trace.traceID))</p>\n")
    if trace.findings.isEmpty { write("<p>no findings</p>\n") }
    for finding in trace.findings { article(finding, trace, capture) }
    for item in trace.suppressed {
      let until = item.expires.map { " until \($0)" } ?? ""
      write("<p class=\"quiet\">suppressed\(escaped(until)): \(escaped(item.finding.rule)) ")
      write("\(escaped(item.finding.message)); \(escaped(item.reason))</p>\n")
    }
    for note in trace.quality {
      write("<p class=\"quiet\">\(escaped(note.id)) \(escaped(note.message))</p>\n")
    }
    write("</section>\n")
  }

  private mutating func article(
    _ finding: Finding, _ trace: Judgement, _ capture: JudgedCapture
  ) {
    guard findingCount < Self.findingsMax else {
      omittedCount += 1
      return
    }
    findingCount += 1
    rules.insert(finding.rule)
    let state = finding.baseline == .unchanged ? " known" : ""
    write("<article class=\"\(finding.severity.rawValue)\(state)\"><h3>")
    write("<span>\(finding.severity.rawValue)</span> ")
    write("<a href=\"#rule-\(escaped(finding.rule))\">\(escaped(finding.rule))</a> ")
    write("\(escaped(finding.slug))</h3><p>\(escaped(FindingText.sentence(finding)))</p>")
    write("<p class=\"quiet\">\(FindingText.place(of: finding))")
    if let link = context.timelineLink {
      let address = link.address(of: finding, in: trace, path: capture.path)
      write(" · <a href=\"\(escaped(address, scalarsMax: 8_192))\">timeline</a>")
    }
    write(" · <code>\(escaped(finding.fingerprint))</code></p>\n")
    if !finding.witness.isEmpty {
      write("<pre>")
      for event in finding.witness.prefix(Self.witnessMax) {
        write("\(escaped(FindingText.witness(event, of: finding, in: capture)))\n")
      }
      let omitted = max(0, finding.witness.count - Self.witnessMax) + finding.witnessOmittedCount
      if omitted > 0 { write("\(FindingText.counted(omitted, "event")) left out\n") }
      write("</pre>")
    }
    write("</article>\n")
  }

  private func escaped(_ text: String, scalarsMax: Int = PrintableText.scalarsMax) -> String {
    ReportEscapes.markup(text, scalarsMax: scalarsMax)
  }

  private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

  private static let head = """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width"><title>tracecheck</title>
    <style>
    :root{color-scheme:light dark;--line:#8884;--quiet:#8889;--error:#d33;--warning:#c80;--note:#28c}
    body{display:flex;flex-direction:column;max-width:70rem;margin:0 auto;padding:1rem;\
    font:1rem/1.45 system-ui,sans-serif}
    header{order:-1}
    h2{font-size:1.1rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
    h3{font-size:1rem;margin:.3rem 0}
    .quiet{opacity:.7;font-size:.9rem;overflow-wrap:anywhere}
    article{border-left:.3rem solid var(--note);padding:.1rem .8rem;margin:.8rem 0}
    article.error{border-color:var(--error)} article.warning{border-color:var(--warning)}
    article.known{opacity:.6} section.error h2{color:var(--error)}
    article span{text-transform:uppercase;font-size:.75rem}
    article.error span{color:var(--error)} article.warning span{color:var(--warning)}
    pre{overflow-x:auto;font-size:.85rem;background:#8881;padding:.5rem}
    </style></head><body>

    """
}
