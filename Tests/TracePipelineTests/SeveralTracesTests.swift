// A log of several apps: traces that are told at once.

import Testing
import TraceExport
import TraceModel
import TracePipeline
import TraceRules

struct SeveralTracesTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Two apps whose lines alternate.
  private static let log = [
    (0, "Notes", 1), (1, "Mail", 1), (2, "Notes", 2), (9, "Mail", 2), (20, "Notes", 3),
  ].map { second, app, token in
    "Mar  4 10:00:\(second < 10 ? "0" : "")\(second) \(app)(UIKitCore)[\(400 + app.count)] <Notice>: "
      + "Ending background task with UIBackgroundTaskIdentifier: \(token)\n"
  }.joined()

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
