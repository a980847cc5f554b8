// Texts of strangers must stay texts, in every report.

import Foundation
import Testing
import TraceExport
import TraceModel
import TraceRules

struct InjectionTests {
  /// Each begins and ends with a word, with an attack between.
  static let attacks: [String] = [
    "a\u{1B}[2J\u{1B}[31mb", "a\u{9B}31mb", "a\rerror LC999b", "a\nerror LC999 forgedb", "a\u{7F}b",
    "a\u{202E}cba\u{2066}b", "a\u{200B}\u{200D}\u{FEFF}b", "a\u{2028}b\u{2029}b", "a\u{0}b",
    "a\u{E0041}\u{E0042}b", "a\u{1B}]8;;http://x\u{7}linkb", "a\u{AD}\u{061C}b", "a\u{8}\u{8}b",
    "a\"},\"evil\":{\"b", "a\\u001b[31mb", "a<script>alert(1)</script>b",
    "a\u{FFFE}\u{FFFF}\u{1FFFE}b",
  ]

  private static func capture(_ text: String) -> JudgedCapture {
    var finding = ReportSamples.finding
    finding.slug = text
    finding.message = text
    finding.subject = text
    finding.reason = text
    finding.witness[0].event = text
    finding.witness[0].role = text
    finding.witness[0].arguments = [WitnessArgument(name: text, value: .string(text))]
    var capture = ReportSamples.capture([finding])
    capture.path = text
    capture.traces[0].quality = [QualityNote(id: "TQ10", count: 1, message: text)]
    capture.traces[0].header[.appBundleID] = .string(text)
    var counts = VerdictCounts()
    counts.unknown = 1
    counts.unknownReasons = [text: 1]
    capture.traces[0].verdicts = ["LC001": counts]
    capture.add(InputProblem(.skipped, at: .line(1, column: 1), text, advice: text))
    return capture
  }

  private static func harmful(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != "\n" && PrintableText.isHarmful($0) }
  }

  @Test(arguments: attacks) func nothingHarmfulReachesAReader(attack: String) {
    let lineCount = ReportSamples.report(.text, [Self.capture("ab")]).components("\n")
    for format in ReportFormat.all {
      let report = ReportSamples.report(format, [Self.capture(attack)])
      #expect(Self.harmful(report).isEmpty, "\(format.name)")
      if format.name == "text" { #expect(report.components("\n") == lineCount) }
    }
    let problems = String(decoding: ProblemText.lines(of: Self.capture(attack)), as: UTF8.self)
    #expect(Self.harmful(problems).isEmpty)
    #expect(problems.components("\n") == 1)
  }

  @Test(arguments: attacks) func xmlIsWellFormed(attack: String) throws {
    let report = ReportSamples.report(.junit, [Self.capture(attack)])
    // Of all scalars these are the ones that XML has no way to hold.
    let forbidden = report.unicodeScalars.filter {
      ($0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0)) || $0 == "\u{FFFE}"
        || $0 == "\u{FFFF}"
    }
    #expect(forbidden.isEmpty)
  }

  @Test(arguments: attacks) func jsonGivesTheTextBack(attack: String) throws {
    let text = ReportSamples.report(.jsonl, [Self.capture(attack)])
    let trace = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(trace["path"] as? String == attack)
    let finding = try #require((trace["findings"] as? [[String: Any]])?.first)
    #expect(finding["message"] as? String == attack)
    #expect(finding["reason"] as? String == attack)
    #expect(trace["evil"] == nil)
  }

  @Test func longTextsAreCut() {
    let limit = PrintableText.scalarsMax
    let exact = String(repeating: "x", count: limit)
    #expect(PrintableText.printable(exact) == exact)
    #expect(PrintableText.printable(exact + "y") == exact + "…")
    #expect(PrintableText.printable("日本語 é", scalarsMax: 4) == "日本語 …")
  }

  @Test func notationKeepsItsMeaning() {
    var output: [UInt8] = []
    let source = Array("name=\"a\u{202E}é\u{E0041}\"\n0s\tx\n".utf8)
    PrintableText.appendEscaped(source, to: &output)
    #expect(
      String(decoding: output, as: UTF8.self) == "name=\"a\\u202eé\\udb40\\udc41\"\n0s\tx\n")
  }
}
