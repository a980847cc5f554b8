// What a paragraph of Markdown begins with stays a text.

import Testing
import TraceExport
import TraceRules

struct MarkdownStartTests {
  @Test func markdownDoesNotBeginAnythingWithAText() {
    let starts: [(text: String, escaped: String, rest: String)] = [
      ("- a", "&#45;", " a"), ("--- a", "&#45;", "-- a"), ("-", "&#45;", ""), ("-a", "", "-a"),
      ("1. a", "1&#46;", " a"), ("12) a", "12&#41;", " a"), ("1.5 s", "", "1.5 s"),
      ("1234567890. a", "", "1234567890. a"), ("    a", "&#32;   ", "a"),
      (" - a", "&#32;&#45;", " a"), ("7.", "7&#46;", ""), ("", "", ""),
    ]
    for start in starts {
      let split = MarkdownStart.split(start.text)
      #expect(split.escaped == start.escaped && split.rest == start.rest, "\(start.text)")
    }
    var finding = ReportSamples.finding
    finding.message = "- 1. a"
    let report = ReportSamples.report(.markdown, [ReportSamples.capture([finding])])
    #expect(report.contains("&#45; 1. a"))
  }
}
