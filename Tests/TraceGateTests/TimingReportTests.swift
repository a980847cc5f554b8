// The timing gate from captures to its table and its findings.

import Testing
import TraceExport
import TraceGate
import TraceLifecycle
import TraceModel
import TraceRules

struct TimingReportTests {
  /// A capture with launches of these lengths, in milliseconds.
  private static func capture(
    _ milliseconds: [Int64], app: String = "com.example.notes", device: String = "iPhone7,2",
    keepsTimes: Bool = true, room: Int = 100
  ) -> JudgedCapture {
    var header = TraceHeader()
    header[.appBundleID] = .string(app)
    header[.deviceModel] = .string(device)
    header[.osVersion] = .string("8.1.3")
    var measures = TraceMeasures(keepsTimes: keepsTimes, room: room)
    for (place, length) in milliseconds.enumerated() {
      measures.add(
        LifeMeasure(
          .duration(.launch), timeNanoseconds: Int64(place) * 1_000_000_000,
          durationNanoseconds: length * 1_000_000))
    }
    var capture = JudgedCapture(path: "a.ndjson", format: "ndjson")
    capture.traces = [
      Judgement(
        header: header, traceID: "x", profile: "ios8", eventCount: 1, launchCount: 1,
        firstNanoseconds: 0, lastNanoseconds: 9, completeness: .complete, findings: [],
        quality: [], verdicts: [:])
    ]
    capture.measures = [measures]
    return capture
  }

  private static func samples(
    _ reference: [JudgedCapture], _ candidate: [JudgedCapture]
  ) -> [TimingSamples] {
    var intake = TimingIntake()
    for capture in reference { intake.add(capture, to: .reference) }
    for capture in candidate { intake.add(capture, to: .candidate) }
    return intake.samples
  }

  private static let before = (0..<10).map { Int64(400 + $0) }

  @Test func durationsAreSharedOutByAppDeviceAndMetric() {
    let samples = Self.samples(
      [Self.capture([1, 2]), Self.capture([3], device: "iPad4,1")],
      [Self.capture([4]), Self.capture([5], app: "com.example.a")])
    #expect(samples.map(\.app) == ["com.example.a", "com.example.notes", "com.example.notes"])
    #expect(samples.map(\.stratum) == ["iPhone7,2, 8.1", "iPad4,1, 8.1", "iPhone7,2, 8.1"])
    #expect(samples[2].metric == "launch")
    #expect(samples[2].reference == [1_000_000, 2_000_000])
    #expect(samples[2].candidate == [4_000_000])
  }

  @Test func copiesDoNotCountAndMissingTimesAreTold() {
    var copy = Self.capture([1])
    copy.copyOf = "b.ndjson"
    var intake = TimingIntake()
    intake.add(copy, to: .reference)
    #expect(intake.samples.isEmpty)
    #expect(!intake.isIncomplete)
    intake.add(Self.capture([1, 2, 3], room: 2), to: .reference)
    #expect(intake.samples.first?.reference == [1_000_000, 2_000_000])
    #expect(intake.isIncomplete)
  }

  @Test func whatGrewIsAFinding() {
    let report = TimingReport(
      Self.samples([Self.capture(Self.before)], [Self.capture(Self.before.map { $0 + 80 })]),
      comparesSides: true, budgets: [])
    #expect(report.hasRegression)
    #expect(
      report.findings.map(\.message) == [
        "launch on iPhone7,2, 8.1 grew by 80 ms: the median was 404 ms of 10, and is 484 ms of 10"
          + " (p <0.0001)"
      ])
    #expect(report.findings.map(\.rule) == [.slower])
    #expect(
      report.table(isQuiet: false) == """
        duration  app                device          reference    candidate   \
         shift   p        verdict
        launch    com.example.notes  iPhone7,2, 8.1  404 ms (10)  484 ms (10) \
         +80 ms  <0.0001  slower

        1 slower, 0 faster, 0 unchanged, 0 inconclusive

        """)
  }

  @Test func whatIsUnchangedOrInconclusivePasses() {
    let same = TimingReport(
      Self.samples([Self.capture(Self.before)], [Self.capture(Self.before)]),
      comparesSides: true, budgets: [])
    #expect(!same.hasRegression)
    #expect(same.findings.isEmpty)
    #expect(same.table(isQuiet: true) == "")
    let few = TimingReport(
      Self.samples([Self.capture(Self.before)], [Self.capture([9_000])]), comparesSides: true,
      budgets: [])
    #expect(!few.hasRegression)
    #expect(
      few.table(isQuiet: false)
        .contains("inconclusive: the candidate has only 1 of at least 8"))
    let none = TimingReport([], comparesSides: true, budgets: [])
    #expect(none.table(isQuiet: false) == "no durations were measured\n")
  }

  @Test func budgetsAreHeldForEachApp() throws {
    let samples = Self.samples(
      [], [Self.capture([100, 200]), Self.capture([500], app: "com.example.a")])
    let budgets = [try Budget("launch.max=400ms"), try Budget("terminate.median=1s")]
    let report = TimingReport(samples, comparesSides: false, budgets: budgets)
    #expect(report.hasRegression)
    #expect(report.findings.map(\.app) == ["com.example.a"])
    #expect(report.findings.map(\.rule) == [.overBudget])
    #expect(
      report.findings.first?.message
        == "the budget launch.max=400ms is broken: it is 0.5s of 1 duration")
    #expect(
      report.table(isQuiet: false) == """
        budget               app                measured  verdict
        launch.max=400ms     com.example.a      0.5s (1)  broken
        launch.max=400ms     com.example.notes  0.2s (2)  kept
        terminate.median=1s  -                  nothing   inconclusive

        1 of 3 budgets broken

        """)
  }
}
