// Texts of captures give the runner of a job no orders, wherever a line begins with them.

import Foundation
import Testing
import TraceExport
import TraceRules

struct LogCommandsTests {
  static let attacks: [(text: String, shown: String)] = [
    ("::error::x", "\\u{3A}:error::x"), ("  ::error::x", "  \\u{3A}:error::x"),
    ("\u{A0}\u{3000}::error::x", "\u{A0}\u{3000}\\u{3A}:error::x"),
    ("##[error]x", "#\\u{23}[error]x"),
    ("a ###[error]x", "a ##\\u{23}[error]x"), ("a##vso[task.x]", "a#\\u{23}vso[task.x]"),
    ("##VSO[x", "#\\u{23}VSO[x"), ("a ::error::x", "a ::error::x"), (":a", ":a"),
    ("## [x", "## [x"), ("##vs[", "##vs["), ("[::1]", "[::1]"), ("##", "##"), ("::", "\\u{3A}:"),
  ]

  @Test(arguments: attacks) func whatIsPrintedIsNoCommand(text: String, shown: String) {
    #expect(PrintableText.printable(text) == shown)
    #expect(LogCommands.broken(text) == shown)
    let lines = Array("first\n\(text)\n\nlast".utf8)
    #expect(
      String(decoding: LogCommands.brokenLines(lines), as: UTF8.self)
        == "first\n\(shown)\n\nlast")
  }

  @Test(arguments: attacks) func jsonMeansTheSame(text: String, shown: String) throws {
    var bytes: [UInt8] = []
    PrintableText.appendJSON(text, to: &bytes)
    let json = String(decoding: bytes, as: UTF8.self)
    #expect(!json.contains("##[") && !json.lowercased().contains("##vso["))
    #expect(try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8)) == [text])
  }

  @Test(arguments: attacks) func aFindingGivesNoOrders(text: String, shown: String) {
    var finding = ReportSamples.finding
    finding.message = text
    let report = ReportSamples.report(.text, [ReportSamples.capture([finding])])
    #expect(report.contains("\n  \(shown)\n"))
  }

  @Test func wordsThatAreMovedToTheStartOfALineGiveNoOrders() {
    #expect(
      WrappedText.lines("aaaa ::error::x ::b", width: 14)
        == "  aaaa\n  \\u{3A}:error::x\n  \\u{3A}:b\n")
    #expect(WrappedText.lines("::a ::b", indent: 0) == "\\u{3A}:a ::b\n")
    #expect(WrappedText.lines("::a", title: "said  ") == "said  ::a\n")
  }
}
