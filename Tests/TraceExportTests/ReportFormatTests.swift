// What each report format promises beside being valid: limits, levels, what counts and what
// doesn't.

import Foundation
import Testing
import TraceExport
import TraceModel
import TraceRules

struct ReportFormatTests {
  private static func finding(
    _ severity: Severity, rule: String = "LC003", count: Int = 1, baseline: BaselineState? = nil
  ) -> Finding {
    var finding = ReportSamples.finding
    finding.rule = rule
    finding.severity = severity
    finding.count = count
    finding.baseline = baseline
    finding.witness = []
    return finding
  }

  private static func results(_ report: String) throws -> [[String: Any]] {
    let log = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    let run = try #require((log?["runs"] as? [[String: Any]])?.first)
    return try #require(run["results"] as? [[String: Any]])
  }

  @Test func codeScanningGetsTheGravestOfTooMany() throws {
    let capture = ReportSamples.capture(
      Array(repeating: Self.finding(.note), count: 15_001)
        + Array(repeating: Self.finding(.warning), count: 5_001)
        + Array(repeating: Self.finding(.error), count: 5_001))
    let report = ReportSamples.report(.sarif, [capture])
    // Counted as text: reading as much JSON takes longer than writing it.
    #expect(report.components(separatedBy: "\"ruleIndex\"").count - 1 == 25_000)
    #expect(report.components(separatedBy: "\"level\":\"error\"").count - 1 >= 5_000)
    #expect(report.contains("3 results are left out of this report"))
  }

  @Test func annotationsAreTheWorstOfEachLevel() {
    let findings = (1...12).map { Self.finding(.error, rule: "LC1\($0 + 10)", count: $0) }
    let report = ReportSamples.report(
      .github, [ReportSamples.capture(findings + [Self.finding(.note)])])
    let lines = report.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == 10)
    #expect(lines.count { $0.hasPrefix("::notice ") } == 1)
    #expect(lines.first?.contains("title=LC122 ") == true)
    #expect(!report.contains("title=LC111 "))
  }

  @Test func whatABaselineKnowsFailsNothing() throws {
    let known = Self.finding(.error, baseline: .unchanged)
    let capture = ReportSamples.capture([
      known, Self.finding(.error, rule: "LC004", baseline: .new),
    ])
    let junit = ReportSamples.report(.junit, [capture])
    #expect(junit.components(separatedBy: "<failure").count == 2)
    #expect(junit.contains("<skipped message=\"known: "))
    #expect(!ReportSamples.report(.github, [capture]).contains("title=LC003"))
    let states = try Self.results(ReportSamples.report(.sarif, [capture])).map {
      $0["baselineState"] as? String
    }
    #expect(states == ["unchanged", "new"])
    #expect(
      ReportSamples.report(.text, [capture]).contains("1 error, 0 warnings, 0 notes; 1 trace"))
  }

  @Test func aSuppressedFindingIsToldWithItsReason() throws {
    var capture = ReportSamples.capture([])
    capture.traces[0].suppressed = [
      SuppressedFinding(
        finding: ReportSamples.finding, reason: "known to its maker", expires: "2030-01-02",
        origin: ".tracecheck.yml:4")
    ]
    for format in [ReportFormat.sarif, .junit, .markdown, .html] {
      #expect(ReportSamples.report(format, [capture]).contains("known to its maker"), "\(format)")
    }
    let result = try #require(try Self.results(ReportSamples.report(.sarif, [capture])).first)
    #expect((result["suppressions"] as? [[String: Any]])?.count == 1)
  }

  @Test func fingerprintsOfGitLabAreUnique() throws {
    let finding = Self.finding(.error)
    var other = ReportSamples.capture([finding])
    other.path = "other.ndjson"
    let report = ReportSamples.report(.gitlab, [ReportSamples.capture([finding, finding]), other])
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [[String: Any]])
    #expect(Set(list.compactMap { $0["fingerprint"] as? String }).count == 3)
  }

  @Test func evaluatedRulesAreCases() {
    var capture = ReportSamples.capture()
    capture.traces[0].evaluatedRules = ["LC001", "LC002", "LC003"]
    let report = ReportSamples.report(.junit, [capture])
    #expect(report.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"8.700\""))
    #expect(report.contains("<testcase name=\"LC002 \""))
    #expect(report.contains("undecided: the trace ends too early"))
  }

  @Test(arguments: [
    ("traces/a.ndjson", "/home/me/app", "/home/me/app", "traces/a.ndjson"),
    ("./a.ndjson", "/home/me/app/ci", "/home/me/app", "ci/a.ndjson"),
    ("../a.ndjson", "/home/me/app/ci", "/home/me/app", "a.ndjson"),
    ("/home/me/app/x/../a.ndjson", "/home/me/app/ci", "/home/me/app", "a.ndjson"),
    ("../../b.ndjson", "/home/me/app/ci", "/home/me/app", "../../b.ndjson"),
    ("/tmp/a.ndjson", "/home/me/app", "/home/me/app", "/tmp/a.ndjson"),
    ("/home/me/apple/a", "/home/me/app", "/home/me/app", "/home/me/apple/a"),
  ])
  func pathsAreToldFromTheRoot(path: String, folder: String, root: String, expected: String) {
    var capture = ReportSamples.capture([Self.finding(.error)])
    capture.path = path
    var context = ReportContext(toolVersion: "1.2.3")
    context.paths = ReportPaths(workingFolder: folder, root: root)
    var writer = ReportFormat.github.makeWriter(context)
    writer.capture(capture)
    writer.end(elapsedNanoseconds: 0)
    #expect(
      String(decoding: writer.output, as: UTF8.self).hasPrefix("::error file=\(expected),line=1,"))
  }
}
