// Real reports of other people, where they are at hand: which rules find something in them.

import Foundation
import Testing
import TraceCatalogue
import TraceImport
import TraceModel
import TraceRules

/// What is expected of a report of the folder `shared/samples` beside the repository.
private struct Expectation: Sendable, CustomStringConvertible {
  var file: String
  var format: String
  /// Parts of the kills' lines, one for each.
  var kills: [String]
  var findings: [String] = []
  /// A part of a remark.
  var remark = ""

  var description: String { file }
}

private let expectations: [Expectation] = [
  Expectation(
    file: "crash-01-8badf00d-scene-update-ios11.crash", format: "crash",
    kills: ["cause=watchdog code=2343432205 namespace=SPRINGBOARD"],
    findings: ["LM14"], remark: "scene-update was too slow, 10 s were allowed"),
  Expectation(
    file: "crash-02-dead10cc-ios10.crash", format: "crash",
    kills: ["1.904s @0 proc.kill cause=file_lock code=3735883980 namespace=SPRINGBOARD"],
    findings: ["LM11"]),
  Expectation(
    file: "crash-04-2bad45ec-ios11.ips", format: "crash",
    kills: ["cause=unknown code=732775916"], remark: "while the device was locked"),
  Expectation(
    file: "crash-05-c00010ff-thermal.crash", format: "crash",
    kills: ["cause=thermal code=3221229823"]),
  Expectation(
    file: "crash-07-cpu-resource-kill-ios11.ips", format: "resource",
    kills: ["cause=cpu_limit"], findings: ["LC207"], remark: "cpu usage: 48 seconds"),
  Expectation(file: "crash-09-stackshot-ios7.ips", format: "stackshot", kills: []),
  Expectation(
    file: "crash-11-diskwrites-resource-ios14.ips", format: "resource", kills: [],
    remark: "nothing was ended"),
  Expectation(
    file: "crash-12-tcc-kill-ios15.ips", format: "ips",
    kills: ["signal=6 cause=crash code=0 namespace=TCC"]),
  Expectation(
    file: "crash-14-converted-with-header-ios16.crash", format: "crash",
    kills: ["signal=5 cause=crash namespace=SIGNAL"]),
  Expectation(
    file: "crash-16-testflight-sigabrt-ios26.crash", format: "crash",
    kills: ["signal=6 cause=crash namespace=SIGNAL"]),
  Expectation(
    file: "crash-17-testflight-dyld-ios16.crash", format: "crash",
    kills: ["cause=crash code=1 namespace=DYLD"]),
  Expectation(
    file: "jetsam-01-event-ios14.ips", format: "jetsam",
    kills: [
      "description=highwater role=\"daemon,idle\"", "description=highwater role=\"daemon,idle\"",
    ]),
  Expectation(
    file: "jetsam-03-highwater-ios10.ips", format: "jetsam",
    kills: ["cause=jetsam namespace=JETSAM description=highwater"],
    remark: "SpringBoard with 240 MiB"),
  Expectation(
    file: "metrickit-01-real_report.json", format: "metrickit",
    kills: ["signal=5 cause=crash", "signal=11 cause=crash"]),
  Expectation(
    file: "metrickit-03-xcode_simulated.json", format: "metrickit",
    kills: [], remark: "hang of 20 s"),
  Expectation(
    file: "metrickit-05-callstacktree-real.json", format: "metrickit", kills: [],
    remark: "not a payload"),
]

@Suite struct ForeignReportTests {
  @Test(arguments: expectations)
  fileprivate func reportsSayWhatEndedAndNoMore(_ expected: Expectation) {
    guard let bytes = foreignSample(expected.file) else { return }
    let head = bytes.span.extracting(first: 65_536)
    for format in CaptureImporters.all {
      let sureness = format.recognise(head)
      #expect(format.name == expected.format ? sureness >= 80 : sureness <= 20, "\(format.name)")
    }
    guard let format = CaptureImporters.all.first(where: { $0.name == expected.format }) else {
      return
    }
    let text = imported(bytes, as: format)
    let kills = text.split(separator: "\n").filter { $0.contains(" proc.kill ") }
    #expect(kills.count == expected.kills.count)
    for (kill, part) in zip(kills, expected.kills) { #expect(kill.contains(part)) }
    #expect(expected.remark.isEmpty || text.contains(expected.remark))
    #expect(foundRules(bytes, format) == expected.findings)
  }
}

/// The rules that find something in a report, once for each finding.
func foundRules(_ bytes: [UInt8], _ format: CaptureFormat) -> [String] {
  var decoder = format.makeDecoder()
  decoder.feed(bytes.span)
  decoder.finish()
  var batch = EventBatch()
  var checker: Checker?
  var rules: [String] = []
  func end() {
    guard var ended = checker else { return }
    rules += ended.finish(isDamaged: false).findings.map(\.rule)
    checker = nil
  }
  while true {
    switch decoder.next(into: &batch) {
    case .header(let header):
      end()
      checker = Checker(header: header, options: CheckOptions())
    case .batch: checker?.consume(&batch)
    case .end, .needsInput:
      end()
      return rules
    case .stream(.amended(let header)): checker?.amend(header)
    case .problem, .remark, .stream: break
    }
  }
}
