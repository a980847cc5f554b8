// `statistics`: the timing gate's statistics on numbers from outside, and how often they are wrong.

import ArgumentParser
import TraceExport
import TraceGate
import TraceNotation

struct Statistics: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics",
    abstract: "Tests the statistics of the timing gate.",
    subcommands: [StatisticsSamples.self, StatisticsRates.self])
}

/// Answers for samples on standard input, so that another implementation can be asked, too.
struct StatisticsSamples: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples",
    abstract:
      "Reads lines [[reference…],[candidate…]] of nanoseconds, and prints one JSON line each.",
    discussion: "All lines together are one call: their chances are corrected for each other.")

  func run() throws {
    var samples: [TimingSamples] = []
    while let line = readLine() {
      let lists = try Self.lists(Array(line.utf8))
      samples.append(
        TimingSamples(metric: "m", stratum: "", reference: lists.0, candidate: lists.1))
    }
    for (sample, result) in zip(samples, TimingComparison.results(of: samples)) {
      let test = MannWhitney(reference: sample.reference, candidate: sample.candidate)
      var json = JSONBuilder()
      json.beginObject()
      json.key("u")
      json.number(test?.u ?? 0)
      json.key("p")
      json.number(test?.p ?? 1)
      json.key("exact")
      json.boolean(test?.isExact ?? false)
      json.key("adjusted")
      json.number(result.adjustedP)
      json.key("shift")
      json.number(result.shiftNanoseconds)
      json.key("interval")
      json.beginArray()
      if let interval = result.interval {
        json.number(interval.lower)
        json.number(interval.upper)
      }
      json.endArray()
      json.key("decision")
      json.string(result.decision.word)
      json.endObject()
      print(String(decoding: json.bytes, as: UTF8.self))
    }
  }

  private static func lists(_ bytes: [UInt8]) throws(JSONError) -> ([Int64], [Int64]) {
    let text = bytes.span
    var parser = JSONPullParser()
    var lists: [[Int64]] = []
    try parser.beginArray(in: text)
    while try parser.nextElement(in: text) {
      var list: [Int64] = []
      try parser.beginArray(in: text)
      while try parser.nextElement(in: text) {
        if case .integer(let value) = try parser.number(in: text).value { list.append(value) }
      }
      lists.append(list)
    }
    try parser.end(in: text)
    return (lists.first ?? [], lists.last ?? [])
  }
}

/// Counts false alarms among pairs of one distribution, and shifts that are found.
struct StatisticsRates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rates", abstract: "Counts false alarms and shifts that are missed.")

  @Option var seed: UInt64 = 1
  @Option var pairs = 2_000
  @Option(help: "Numbers of each sample.") var count = 20
  /// The noise of a launch on one device.
  @Option(help: "Standard deviation, in per cent of the median.") var noise = 5.0

  func run() throws {
    var generator = SplitMix(state: seed)
    var isWrong = false
    func report(_ name: String, _ count: Int, isRight: Bool, _ bar: String) {
      print("\(isRight ? "ok  " : "FAIL") \(name): \(count) of \(pairs) (\(bar))")
      isWrong = isWrong || !isRight
    }
    for (name, shape) in [("normal", false), ("long-tailed", true)] {
      let alarms = slowerCount(shift: 1, hasTail: shape, noise, &generator)
      report(
        "false alarms, \(name), \(noise) %", alarms, isRight: alarms * 100 <= pairs,
        "at most 1 %")
    }
    let noisy = slowerCount(shift: 1, hasTail: false, 6 * noise, &generator)
    report(
      "false alarms, normal, \(6 * noise) %", noisy, isRight: noisy * 100 <= pairs, "at most 1 %")
    let found = slowerCount(shift: 1.1, hasTail: false, noise, &generator)
    report(
      "10 % shifts of 1 s found", found, isRight: found * 100 >= pairs * 95, "at least 95 %")
    if isWrong { throw ExitCode.failure }
  }

  /// How many pairs are told slower; each is a call of its own.
  private func slowerCount(
    shift: Double, hasTail: Bool, _ noise: Double, _ generator: inout SplitMix
  ) -> Int {
    (0..<pairs).count { _ in
      let sample = { (factor: Double, generator: inout SplitMix) -> [Int64] in
        (0..<count).map { _ in
          let size = Self.normal(&generator) * noise / 100
          let value = hasTail ? 1 + abs(size) * 3 : 1 + size
          return Int64(max(0, factor * value) * 1_000_000_000)
        }
      }
      let results = TimingComparison.results(of: [
        TimingSamples(
          metric: "launch", stratum: "", reference: sample(1, &generator),
          candidate: sample(shift, &generator))
      ])
      return results.first?.decision == .slower
    }
  }

  /// A standard normal number: twelve uniform ones added up.
  private static func normal(_ generator: inout SplitMix) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }
}
