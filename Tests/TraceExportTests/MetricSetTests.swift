// Metrics add up in any order, stay under their cap, and never fall.

import Foundation
import Testing
import TraceExport
import TraceLifecycle
import TraceModel
import TraceRules
import TraceTestSupport

struct MetricSetTests {
  private static let run = MetricRun(version: "1.2.3", endSeconds: 10, lastSuccessSeconds: 9)

  private static func text(_ metrics: MetricSet, _ format: MetricFormat = .openMetrics) -> String {
    String(decoding: metrics.text(format, run: run), as: UTF8.self)
  }

  /// A capture of one of some apps, with a few measures.
  private static func capture(_ random: inout SeededGenerator, apps: Int = 30) -> JudgedCapture {
    var capture = ReportSamples.capture(Bool.random(using: &random) ? [ReportSamples.finding] : [])
    capture.traces[0].traceID = "t\(Int.random(in: 0..<1000, using: &random))"
    capture.traces[0].header[.appBundleID] = .string("a\(Int.random(in: 0..<apps, using: &random))")
    capture.traces[0].header[.appVersion] = .string("\(Int.random(in: 0..<3, using: &random))")
    var measures = TraceMeasures()
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      let duration = LifeDuration.allCases.randomElement(using: &random) ?? .launch
      measures.add(
        LifeMeasure(
          .duration(duration), timeNanoseconds: 0,
          durationNanoseconds: Int64.random(in: 0..<900_000_000_000, using: &random)))
      let state = LifecycleState.allCases.randomElement(using: &random) ?? .active
      measures.add(LifeMeasure(.state(state), timeNanoseconds: 0, durationNanoseconds: 7))
    }
    capture.measures = [measures]
    return capture
  }

  /// The number of each series.
  private static func values(_ text: String) -> [Substring: Double] {
    var values: [Substring: Double] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let plain = line.split(separator: " # ", maxSplits: 1)[0]
      guard let blank = plain.lastIndex(of: " ") else { continue }
      values[plain[..<blank]] = Double(plain[plain.index(after: blank)...])
    }
    return values
  }

  @Test(arguments: [0, 60, 400, 100_000]) func sumsDontDependOnTheirGrouping(seriesMax: Int) {
    var random = SeededGenerator(seed: UInt64(seriesMax) + 1)
    for _ in 0..<10 {
      let sets = (0..<24).map { _ in
        MetricSet(Self.capture(&random), seriesMax: seriesMax)
      }
      var forwards = MetricSet(seriesMax: seriesMax)
      for set in sets { forwards.add(set) }
      var backwards = MetricSet(seriesMax: seriesMax)
      for set in sets.reversed() { backwards.add(set) }
      var halves = MetricSet(seriesMax: seriesMax)
      for part in [sets[12...], sets[..<12]] {
        var half = MetricSet(seriesMax: seriesMax)
        for set in part { half.add(set) }
        halves.add(half)
      }
      #expect(Self.text(forwards) == Self.text(backwards))
      #expect(Self.text(forwards) == Self.text(halves))
    }
  }

  @Test func whatStaysUnderTheCapIsExact() {
    var random = SeededGenerator(seed: 5)
    let captures = (0..<60).map { _ in Self.capture(&random) }
    var whole = MetricSet()
    var capped = MetricSet(seriesMax: 300)
    for capture in captures {
      whole.add(capture)
      capped.add(capture)
    }
    let all = Self.values(Self.text(whole))
    let kept = Self.values(Self.text(capped))
    var openCount = 0
    for (series, value) in kept where series.contains("app=") && !series.contains("\"other\"") {
      #expect(all[series] == value, "\(series)")
      openCount += 1
    }
    #expect((1...300).contains(openCount))
    func total(_ values: [Substring: Double], _ name: String) -> Double {
      values.filter { $0.key.hasPrefix(name) }.values.reduce(0, +)
    }
    for name in ["tracecheck_findings_total", "tracecheck_launch_duration_seconds_count"] {
      #expect(total(all, name) == total(kept, name))
      #expect(total(all, name) > 0)
    }
  }

  @Test func readingACaptureAgainNeverLetsACounterFall() {
    var random = SeededGenerator(seed: 9)
    var readings = (0..<5).map { _ in MetricSet(Self.capture(&random, apps: 3)) }
    var before: [Substring: Double] = [:]
    for _ in 0..<50 {
      let place = Int.random(in: 0..<5, using: &random)
      readings[place].raise(to: MetricSet(Self.capture(&random, apps: 3)))
      var all = MetricSet()
      for reading in readings { all.add(reading) }
      let now = Self.values(Self.text(all))
      for (series, value) in before { #expect(now[series] ?? -1 >= value, "\(series)") }
      before = now
    }
    let once = readings[0]
    readings[0].raise(to: once)
    #expect(Self.text(readings[0]) == Self.text(once))
  }

  @Test func copiesCountNothing() {
    var capture = ReportSamples.capture()
    capture.copyOf = "other.ndjson"
    #expect(Self.text(MetricSet(capture)) == Self.text(MetricSet()))
  }

  @Test func theNewestTraceSpeaksForASample() {
    var all = MetricSet()
    for (id, wall) in [("old", 1), ("new", 3), ("between", 2)] as [(String, Int64)] {
      var capture = ReportSamples.capture()
      capture.traces[0].traceID = id
      var measures = TraceMeasures()
      measures.add(LifeMeasure(.wallClock(nanoseconds: wall), timeNanoseconds: 0))
      capture.measures = [measures]
      all.add(capture)
    }
    let text = Self.text(all)
    #expect(text.contains("} 3 # {trace_id=\"new\"} 1\n"))
    #expect(!text.contains("\"old\""))
    #expect(!Self.text(all, .text).contains("trace_id"))
  }

  @Test func anIdThatCannotBePrintedTakesNoOthersPlace() {
    var all = MetricSet()
    for id in ["a", "zzz\ny", String(repeating: "z", count: 200)] {
      var capture = ReportSamples.capture()
      capture.traces[0].traceID = id
      var measures = TraceMeasures()
      measures.add(
        LifeMeasure(.duration(.launch), timeNanoseconds: 0, durationNanoseconds: 5_000_000))
      capture.measures = [measures]
      all.add(capture)
    }
    let text = Self.text(all)
    #expect(text.contains("} 3 # {trace_id=\"a\"} 1\n"))
    #expect(text.contains("le=\"0.1\"} 3 # {trace_id=\"a\"} 0.005\n"))
  }

  @Test func aSeriesIsNothingWhenItIsFirstSeen() {
    var random = SeededGenerator(seed: 3)
    var metrics = MetricSet(Self.capture(&random))
    metrics.addCheck(durationNanoseconds: 1)
    var seen = SeenSeries()
    func shown() -> String {
      String(decoding: metrics.text(.openMetrics, run: Self.run, seen: &seen), as: UTF8.self)
    }
    let first = Self.values(shown())
    #expect(seen.hasNew)
    let whole = Self.values(Self.text(metrics))
    #expect(Set(first.keys) == Set(whole.keys))
    for (series, value) in first where !series.contains("timestamp") && !series.contains("build") {
      #expect(value == 0, "\(series)")
    }
    #expect(shown() == Self.text(metrics))
    #expect(!seen.hasNew)
    // Another's series are new, and the known ones stay as they are.
    metrics.add(MetricSet(Self.capture(&random)))
    _ = shown()
    #expect(seen.hasNew)
    #expect(shown() == Self.text(metrics))
    // What was shown before a start isn't new.
    var later = SeenSeries(metrics)
    let text = metrics.text(.openMetrics, run: Self.run, seen: &later)
    #expect(String(decoding: text, as: UTF8.self) == Self.text(metrics))
  }

  @Test(arguments: MetricFormat.allCases) func whatIsUnseenIsSaidByWhoLooks(format: MetricFormat) {
    var run = Self.run
    func text() -> String { String(decoding: MetricSet().text(format, run: run), as: UTF8.self) }
    #expect(text().contains("# TYPE tracecheck_unseen_paths gauge\n"))
    #expect(!text().contains("\ntracecheck_unseen_paths"))
    for count in [0, 2] {
      run.unseenPathCount = count
      #expect(text().contains("\ntracecheck_unseen_paths \(count)\n"))
    }
  }

  @Test func aCopyInAnotherFormatCountsOnce() {
    var capture = ReportSamples.capture()
    var counted = MetricSet(capture)
    let once = Self.text(counted)
    capture.format = "timeline"
    counted.raise(toRereading: MetricSet(capture))
    #expect(Self.text(counted) == once)
  }

  @Test func anOutcomeMayComeLater() {
    let capture = ReportSamples.capture()
    var counted = MetricSet(capture, countsOutcomes: false)
    #expect(Self.text(counted).contains("{outcome=\"findings\",source=\"ndjson\"} 0\n"))
    counted.raise(toRereading: MetricSet(.findings, format: "ndjson"))
    #expect(Self.text(counted) == Self.text(MetricSet(capture)))
    // The first outcome stays.
    counted.raise(toRereading: MetricSet(.clean, format: "ndjson"))
    #expect(Self.text(counted) == Self.text(MetricSet(capture)))
  }

  @Test func whatHoldsNoEventIsNotClean() {
    #expect(TraceOutcome(findingCount: 0, eventCount: 0) == .unreadable)
    #expect(TraceOutcome(findingCount: 0, eventCount: 1) == .clean)
    #expect(TraceOutcome(findingCount: 1, eventCount: 0) == .findings)
  }

  @Test func aDurationIsInTheBucketOfItsBound() {
    var measures = TraceMeasures()
    for nanoseconds in [100_000_000, 100_000_001, 5_000_000_000, 600_000_000_001] as [Int64] {
      measures.add(
        LifeMeasure(.duration(.launch), timeNanoseconds: 0, durationNanoseconds: nanoseconds))
    }
    var capture = ReportSamples.capture([])
    capture.measures = [measures]
    let text = Self.text(MetricSet(capture), .text)
    let start =
      "tracecheck_launch_duration_seconds_bucket{app=\"com.example.notes\",app_version=\"unknown\",le="
    for line in [
      "\"0.1\"} 1", "\"0.25\"} 2", "\"2.0\"} 2", "\"5.0\"} 3", "\"600.0\"} 3", "\"+Inf\"} 4",
    ] {
      #expect(text.contains(start + line + "\n"), "\(line)")
    }
    #expect(text.contains("app_version=\"unknown\"} 605.200000002\n"))
  }

  @Test(arguments: InjectionTests.attacks) func namesOfStrangersStayInTheirQuotes(attack: String) {
    var capture = ReportSamples.capture()
    capture.traces[0].header[.appBundleID] = .string(attack)
    capture.traces[0].header[.deviceModel] = .string(attack)
    capture.traces[0].traceID = attack
    for format in MetricFormat.allCases {
      let text = Self.text(MetricSet(capture), format)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines.dropLast() { #expect(line.hasPrefix("#") || line.hasPrefix("tracecheck_")) }
      #expect(!text.unicodeScalars.contains { $0 != "\n" && PrintableText.isHarmful($0) })
    }
  }

  @Test func theArticleHasTheTable() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/TraceExport/TraceExport.docc/Metrics.md"),
      encoding: .utf8)
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| `tracecheck_") }
    let expected = MetricFamily.all.map { family in
      let labels = family.labels.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      let cell = labels.isEmpty ? "" : " \(labels)"
      return "| `\(family.name)` | \(family.kind.rawValue) |\(cell) | \(family.help) |"
    }
    #expect(rows.map(String.init) == expected)
  }

  @Test func namesFollowTheConventions() {
    #expect(MetricFamily.all.map(\.index) == Array(MetricFamily.all.indices))
    for family in MetricFamily.all {
      #expect(family.name.hasPrefix("tracecheck_"))
      #expect(family.unit.isEmpty || family.base.hasSuffix("_\(family.unit)"))
      #expect(family.help.hasSuffix("."))
      #expect(Set(family.labels).count == family.labels.count)
    }
  }
}
