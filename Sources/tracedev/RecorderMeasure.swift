// Measures the recorder: time of an event against a bare look at the clock, in the same run.

import ArgumentParser
import Foundation
import TraceIO
import TraceModel
import TraceRecorder

/// What an event costs, beside a bare look at the clock in the same run.
struct MeasureRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Measures the cost of an event against a look at the clock.")

  @Argument(help: "The folder of the recording.") var folder: String
  @Option var threads = 1
  @Option var events = 400_000
  @Flag(help: "Record only, once, for counters outside.") var bare = false
  @Flag(help: "End as programs do, and not at once.") var exits = false

  func run() throws {
    var configuration = RecorderConfiguration(directory: folder)
    configuration.name = "measure"
    configuration.segmentBytes = 8 << 20
    configuration.segmentCount = 4
    configuration.sealIntervalMilliseconds = 60_000
    configuration.heartbeatNanoseconds = 60_000_000_000
    let recorder = try TraceRecorder.start(configuration)
    if bare {
      // Counted are appends, and not how the threads beside the app start.
      ProcessClocks.sleep(milliseconds: 100)
      for n in 0..<events { Self.append(recorder, n) }
      // Leave without stopping: sealing isn't what is counted.
      if exits { Foundation.exit(0) }
      _exit(0)
    }
    let results = Results()
    for thread in 1..<max(1, threads) {
      let events = events
      Thread.detachNewThread { results.add(Self.measure(recorder, events, seed: thread)) }
    }
    results.add(Self.measure(recorder, events, seed: 0))
    while results.count < threads { ProcessClocks.sleep(milliseconds: 1) }
    let dropped = recorder.statistics.droppedCount
    try recorder.stop()
    for result in results.all {
      print(
        "clock \(result.clock) ns, event \(result.event) ns, ratio \(result.ratio), "
          + "p99.9 \(result.tail) ns (clock p99.9 \(result.clockTail) ns)")
    }
    let worst = results.all.map(\.ratio).max() ?? 0
    print("threads \(threads), worst ratio \(worst), dropped \(dropped)")
  }

  struct Result: Sendable {
    var clock: Double
    var event: Double
    /// The median of the ratios of the rounds: what disturbs a round disturbs both of its halves.
    var ratio: Double
    var tail: Int64
    var clockTail: Int64
  }

  final class Results: @unchecked Sendable {
    private let lock = SystemLock()
    private var results: [Result] = []
    func add(_ result: Result) { lock.withLock { results.append(result) } }
    var count: Int { lock.withLock { results.count } }
    var all: [Result] { lock.withLock { results } }
  }

  @inline(never)
  static func append(_ recorder: TraceRecorder, _ n: Int) {
    recorder.game.pause()
  }

  /// Alternates short rounds of both and takes medians, so that a busy machine hits both.
  static func measure(_ recorder: TraceRecorder, _ events: Int, seed: Int) -> Result {
    let rounds = 400
    let perRound = max(1, events / rounds)
    var clocks: [Double] = []
    var costs: [Double] = []
    var sum: Int64 = 0
    for round in 0..<rounds {
      let start = ProcessClocks.continuousNanoseconds()
      for _ in 0..<perRound { sum &+= ProcessClocks.continuousNanoseconds() }
      let middle = ProcessClocks.continuousNanoseconds()
      for n in 0..<perRound { append(recorder, n &+ round) }
      let end = ProcessClocks.continuousNanoseconds()
      clocks.append(Double(middle - start) / Double(perRound))
      costs.append(Double(end - middle) / Double(perRound))
    }
    var tails: [Int64] = []
    var clockTails: [Int64] = []
    for n in 0..<20_000 {
      let start = ProcessClocks.continuousNanoseconds()
      append(recorder, n)
      let middle = ProcessClocks.continuousNanoseconds()
      sum &+= ProcessClocks.continuousNanoseconds()
      let end = ProcessClocks.continuousNanoseconds()
      tails.append(middle - start)
      clockTails.append(end - middle)
    }
    tails.sort()
    clockTails.sort()
    precondition(sum != 0)
    let ratios = zip(costs, clocks).map { cost, clock in cost / max(clock, 0.001) }
    return Result(
      clock: clocks.sorted()[rounds / 2], event: costs.sorted()[rounds / 2],
      ratio: ratios.sorted()[rounds / 2],
      tail: tails[tails.count * 999 / 1_000], clockTail: clockTails[tails.count * 999 / 1_000])
  }
}
