// A log of several apps: traces that are told at once.

import Testing
import TraceCatalogue
import TraceExport
import TraceModel
import TracePipeline
import TraceRules

struct SeveralTracesTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func line(_ second: Int, _ app: String, _ message: String) -> String {
    let time = "10:00:\(second < 10 ? "0" : "")\(second)"
    return "Mar  4 \(time) \(app)(UIKitCore)[\(400 + app.count)] <Notice>: \(message)\n"
  }

  private static func end(_ second: Int, _ app: String, _ token: Int) -> String {
    line(second, app, "Ending background task with UIBackgroundTaskIdentifier: \(token)")
  }

  /// Two apps whose lines alternate.
  private static let log =
    end(0, "Notes", 1) + end(1, "Mail", 1) + end(2, "Notes", 2) + end(9, "Mail", 2)
    + end(20, "Notes", 3)

  @Test func judgementsAndMeasuresStandInTheSameOrder() throws {
    let path = try folder.file("device.log", Self.log)
    for measuring in [CheckRun.Measuring.totals, .timed] {
      let captures = try Folder.check([path]) { $0.measuring = measuring }
      let capture = try #require(captures.first)
      #expect(capture.traces.map { $0.header.string(.appBundleID) } == ["Notes", "Mail"])
      #expect(capture.traces.map(\.eventCount) == [4, 3])
      #expect(capture.measures.count == 2)
    }
    #expect(try Folder.check([path]).first?.measures.isEmpty == true)
  }

  /// A line behind more events than wait tells the bundle of the app, whose suppressions count.
  @Test func suppressionsAreThoseOfTheAppThatIsLearned() throws {
    let metal =
      "Execution of the command buffer was aborted due to an error during execution."
      + " Insufficient Permission (to submit GPU work from background)"
    var text = ""
    for number in 0..<600 { text += Self.end(number / 20, "Notes", number + 1) }
    text += Self.line(31, "Notes", metal)
    text += Self.line(40, "runningboardd", "[app<com.example.notes>:405] Suspending task.")
    text += Self.line(50, "other", "x")
    let path = try folder.file("device.log", text)
    let plain = try #require(try Folder.check([path]).first?.traces.first)
    #expect(plain.header.string(.appBundleID) == "com.example.notes")
    #expect(plain.findings.contains { $0.rule == "LM09" })
    let judged = try Folder.check([path]) { run in
      run.terms = { header, _ in
        let isNotes = header.string(.appBundleID) == "com.example.notes"
        return TraceTerms(options: CheckOptions()) { finding, _ in
          isNotes
            ? SuppressedFinding(finding: finding, reason: "known", expires: nil, origin: "c.yml:1")
            : nil
        }
      }
    }
    let trace = try #require(judged.first?.traces.first)
    #expect(trace.findings.isEmpty)
    #expect(trace.suppressed.contains { $0.finding.rule == "LM09" })
  }

  /// What takes one trace after the other, as a conversion does, is told of them so.
  @Test func aConversionHoldsTheTracesOneAfterTheOther() throws {
    let path = try folder.file("device.log", Self.log)
    let converted = try folder.converted(path, to: "device.lctrace")
    let capture = try #require(try Folder.check([converted]).first)
    #expect(capture.problems.isEmpty)
    #expect(capture.traces.map(\.eventCount) == [4, 3])
  }

  @Test func anExaminationCountsEachTraceForItself() throws {
    let path = try folder.file("device.log", Self.log)
    let copy = folder.path + "/copy.lctrace"
    let writer = try TraceWriter(path: copy, format: .lctrace)
    let examination = try CaptureExamination(path: path, writer: writer)
    try writer.finish()
    #expect(examination.traceCount == 2)
    #expect(examination.eventCount == 7)
    #expect(examination.missingNumberCount == 0 && examination.lostEventCount == 0)
    #expect(try Folder.check([copy]).first?.traces.map(\.eventCount) == [4, 3])
  }
}
