// What goes to a receiver are the numbers of the text formats.

import Testing
import TraceLifecycle
import TraceModel
import TraceRules
import TraceTestSupport

@testable import TraceExport

struct RemoteWriteTotalsTests {
  private static let run = MetricRun(version: "1.2.3", endSeconds: 10, lastSuccessSeconds: 9)

  private static func metrics(apps: Int) -> MetricSet {
    var metrics = MetricSet(seriesMax: 1_000_000)
    var random = SeededGenerator(seed: UInt64(apps))
    for app in 0..<apps {
      var capture = ReportSamples.capture([ReportSamples.finding])
      capture.traces[0].header[.appBundleID] = .string("a\"\\\n\(app)")
      var measures = TraceMeasures()
      for duration in LifeDuration.allCases {
        measures.add(
          LifeMeasure(
            .duration(duration), timeNanoseconds: 0,
            durationNanoseconds: Int64.random(in: 0..<Int64.max, using: &random)))
      }
      measures.add(
        LifeMeasure(.state(.active), timeNanoseconds: 0, durationNanoseconds: 1_234_567_891))
      capture.measures = [measures]
      metrics.add(capture)
    }
    return metrics
  }

  /// The series of a text, written as in a text, with their numbers.
  private static func values(of text: [UInt8]) -> [String: Double] {
    var values: [String: Double] = [:]
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n")
    where !line.hasPrefix("#") {
      guard let blank = line.lastIndex(of: " ") else { continue }
      values[String(line[..<blank])] = Double(line[line.index(after: blank)...])
    }
    return values
  }

  /// A series as a text has it: the labels of metrics stand in another order there.
  private static func name(_ series: WireReading.Series, like names: [String: Double]) -> String {
    var labels = Dictionary(
      series.labels.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    let name = labels.removeValue(forKey: "__name__") ?? ""
    let base = MetricFamily.all.first { name.hasPrefix($0.name) && name.count - $0.name.count < 8 }
    let order = (base?.labels.map(\.rawValue) ?? []) + ["version", "le"]
    let texts = order.compactMap { label in
      labels[label].map { "\(label)=\"\(MetricText.escaped($0, quotes: true))\"" }
    }
    return texts.isEmpty ? name : "\(name){\(texts.joined(separator: ","))}"
  }

  @Test(arguments: [0, 1, 3, 60]) func totalsAreThoseOfTheText(apps: Int) throws {
    let metrics = Self.metrics(apps: apps)
    let expected = Self.values(of: metrics.text(.text, run: Self.run))
    var found: [String: Double] = [:]
    var sampleCount = 0
    var batches: [RemoteBatch] = []
    metrics.write(run: Self.run, at: RemoteMoment(milliseconds: 1_700)) { batches.append($0) }
    for batch in batches {
      sampleCount += batch.sampleCount
      for series in try WireReading.series(batch) {
        #expect(series.samples.map(\.milliseconds) == [1_700])
        let names = series.labels.map { $0[0] }
        #expect(names == names.sorted())
        found[Self.name(series, like: expected)] = series.samples.first?.value
      }
    }
    #expect(found == expected)
    #expect(sampleCount == expected.count)
  }

  @Test func aNewSeriesBeginsWithNothing() throws {
    let metrics = Self.metrics(apps: 40)
    let moment = RemoteMoment(milliseconds: 1_700, zeroMilliseconds: 1_000)
    var batches: [RemoteBatch] = []
    metrics.write(run: Self.run, at: moment) { batches.append($0) }
    #expect(batches.count > 2)
    // One was taken: its series aren't new any more, and the others are.
    var seen = SeenSeries()
    seen.insert(batches[1])
    let known = Set(try WireReading.series(batches[1]).map(\.labels))
    var isKnown: Set<Bool> = []
    metrics.write(run: Self.run, at: moment, seen: seen) { batch in
      guard let all = try? WireReading.series(batch) else { return }
      for series in all {
        let isOwn = series.labels.contains { $0[1].hasSuffix("_timestamp_seconds") }
        let isBuild = series.labels.contains { $0[1] == "tracecheck_build_info" }
        if isOwn || isBuild { continue }
        let isNew = !known.contains(series.labels)
        isKnown.insert(isNew)
        #expect(series.samples.map(\.milliseconds) == (isNew ? [1_000, 1_700] : [1_700]))
        if isNew { #expect(series.samples.first?.value == 0) }
      }
    }
    #expect(isKnown == [true, false])
  }

  @Test func secondsAreTheNumbersThatArePrinted() {
    var random = SeededGenerator(seed: 5)
    for width in 0..<64 {
      for _ in 0..<50 {
        let value = UInt64.random(in: 0...(.max >> UInt64(width)), using: &random)
        #expect(SampleValues.seconds(value) == Double(MetricText.seconds(value)), "\(value)")
      }
    }
  }
}

struct RemoteBackfillTests {
  private static let day: Int64 = 86_400

  private static func capture(wallSeconds: Int64) -> JudgedCapture {
    var capture = ReportSamples.capture([ReportSamples.finding])
    capture.traces[0].lastNanoseconds = 900_000_000_000
    var measures = TraceMeasures(keepsTimes: true)
    measures.add(
      LifeMeasure(
        .wallClock(nanoseconds: wallSeconds * 1_000_000_000), timeNanoseconds: 0,
        durationNanoseconds: 0))
    for second in [Int64(1), 40, 70, 900] {
      measures.add(
        LifeMeasure(
          .duration(.launch), timeNanoseconds: second * 1_000_000_000,
          durationNanoseconds: 300_000_000))
    }
    measures.add(
      LifeMeasure(
        .state(.active), timeNanoseconds: 200_000_000_000, durationNanoseconds: 130_500_000_000))
    capture.measures = [measures]
    return capture
  }

  private static func samples(
    _ backfill: Backfill
  ) throws -> [(labels: [[String]], samples: [(value: Double, milliseconds: Int64)])] {
    var batches: [RemoteBatch] = []
    backfill.write { batches.append($0) }
    return try batches.flatMap { try WireReading.series($0) }.map { ($0.labels, $0.samples) }
  }

  @Test func thePastHasTheTimesOfTheText() throws {
    let now: Int64 = 1_700_000_000
    for destination in [Backfill.Destination.blocks, .remoteWrite] {
      var backfill = Backfill(nowSeconds: now, for: destination)
      let refusals = backfill.add(Self.capture(wallSeconds: now - Self.day))
      #expect(refusals.isEmpty)
      var lines: [UInt8] = []
      backfill.write { lines += $0 }
      var expected: [Double] = []
      for line in String(decoding: lines, as: UTF8.self).split(separator: "\n")
      where !line.hasPrefix("#") {
        let parts = line.split(separator: " ")
        expected.append((Double(parts[parts.count - 1]) ?? 0) * 1_000)
        expected.append(Double(parts[parts.count - 2]) ?? -1)
      }
      var found: [Double] = []
      for series in try Self.samples(backfill) {
        let times = series.samples.map(\.milliseconds)
        #expect(times == times.sorted())
        #expect(Set(times).count == times.count)
        for sample in series.samples { found += [Double(sample.milliseconds), sample.value] }
      }
      #expect(!found.isEmpty)
      #expect(found.sorted() == expected.sorted())
    }
  }

  /// A receiver may have what is new, but nobody what is yet to come.
  @Test func nothingIsLaterThanNow() throws {
    let now: Int64 = 1_700_000_010
    var blocks = Backfill(nowSeconds: now)
    let young = blocks.add(Self.capture(wallSeconds: now - 1_000))
    #expect(young.count == 1)
    for age in [Int64(901), 930, 960, 990, 1_500] {
      var backfill = Backfill(nowSeconds: now, for: .remoteWrite)
      let refused = backfill.add(Self.capture(wallSeconds: now - age))
      #expect(refused.isEmpty, "\(age)")
      let samples = try Self.samples(backfill)
      let counts = samples.filter { $0.labels[0][1].hasSuffix("launch_duration_seconds_count") }
      #expect(counts.flatMap(\.samples).last?.value == 4)
      for series in samples {
        for sample in series.samples { #expect(sample.milliseconds <= (now + 1) * 1_000) }
        let times = series.samples.map(\.milliseconds)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
    var early = Backfill(nowSeconds: now, for: .remoteWrite)
    let refusals = early.add(Self.capture(wallSeconds: now + 60))
    #expect(refusals.first?.contains("yet to come") == true)
  }
}
