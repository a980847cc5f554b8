// Sweeps over many inputs, run as a release executable: they are too long for unit tests.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceModel
import TraceNotation
import TraceTestSupport

/// Runs the sweeps over formats; exits with 1 at the first that fails.
struct Sweep: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Round trips, flipped bytes, cuts and splits of traces.")

  @Option(help: "Random traces to convert to the binary format and back.")
  var roundTrips = 1_000

  @Option(help: "Random lives to judge, each cut into blocks in several ways.")
  var lives = 2_000

  @Option(help: "The seed of the random traces.")
  var seed: UInt64 = 1

  @Flag(help: "Set every byte to all other values, not to a few.")
  var allFlips = false

  @Option(help: "The top folder of the repository.")
  var root = "."

  func run() throws {
    try roundTripTexts()
    try report(
      "rows, columns and pieces of large blocks",
      FormatProperties.forms(seeds: seed..<seed + UInt64(max(2, roundTrips / 500))))
    try report(
      "columns damaged at random",
      FormatProperties.damage(seed: seed, caseCount: max(100, roundTrips / 5)))
    try judgeLives()
    let golden = try goldens()
    for (name, bytes) in golden {
      try report("every split of \(name)", FormatSweeps.splits(bytes))
      try report("every cut of \(name)", FormatSweeps.truncations(bytes))
    }
    // Three traces in one file: what damage there leaves whole is more than nothing.
    let three = ("three traces in one file", golden.prefix(3).flatMap(\.1))
    try report("every split of \(three.0)", FormatSweeps.splits(three.1))
    try report("every cut of \(three.0)", FormatSweeps.truncations(three.1))
    for (name, bytes) in allFlips ? golden.prefix(2) + [three] : golden.prefix(1) {
      try report("every flipped byte of \(name)", FormatSweeps.flips(bytes))
    }
  }

  /// NDJSON to binary to NDJSON must give the same bytes.
  private func roundTripTexts() throws {
    var events = 0
    var bytes = 0
    var emptyCount = 0
    var kinds: Set<String> = []
    var longestString = 0
    for number in 0..<roundTrips {
      var random = RandomTraces(seed: seed &+ UInt64(number))
      let trace = random.next()
      var text = NDJSONEncoder()
      text.begin(trace.header)
      for batch in trace.batches { text.consume(batch) }
      text.end()
      events += trace.batches.reduce(0) { $0 + $1.count }
      bytes += text.output.count
      emptyCount += trace.batches.allSatisfy { $0.count == 0 } ? 1 : 0
      for batch in trace.batches {
        for template in batch.templates { kinds.insert(batch.name(of: template.kind)) }
        for place in 0..<batch.strings.count {
          longestString = max(longestString, batch.strings.range(at: place).count)
        }
      }
      // Every other trace as columns, however short its blocks.
      var binary = LctraceEncoder(
        codec: number % 2 == 0 ? .zstd() : .stored,
        columnEventsMin: number % 4 < 2 ? 1 : FormatLimits.columnEventsMin)
      var fromText = NDJSONDecoder()
      try pass(&fromText, text.output, &binary)
      var again = NDJSONEncoder()
      var fromBinary = LctraceDecoder(codec: .zstd())
      try pass(&fromBinary, binary.output, &again)
      guard again.output == text.output else {
        print("FAILED: seed \(seed &+ UInt64(number)) comes back otherwise")
        throw ExitCode(1)
      }
    }
    let known = Vocabulary.kinds.count { kinds.contains($0.name) }
    print(
      "\(roundTrips) traces (\(emptyCount) empty) with \(events) events of \(known) known and",
      "\(kinds.count - known) unknown kinds, longest text \(longestString) bytes, \(bytes) bytes",
      "in all: every one came back byte for byte")
    if roundTrips >= 10_000 {
      guard known == Vocabulary.kinds.count, longestString == BatchLimits.stringBytesMax,
        emptyCount > 0, kinds.count > known
      else {
        print("FAILED: the random traces don't hold everything that they should")
        throw ExitCode(1)
      }
    }
  }

  private func pass(
    _ decoder: inout some CaptureDecoder, _ bytes: [UInt8], _ encoder: inout some TraceEncoder
  ) throws {
    decoder.feed(bytes.span)
    decoder.finish()
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header): try encoder.begin(header)
      case .batch: try encoder.consume(batch)
      case .problem(let problem): throw ValidationError("\(problem.location): \(problem.message)")
      case .remark, .stream: break
      case .needsInput, .end:
        try encoder.end()
        return
      }
    }
  }

  private func judgeLives() throws {
    for number in 0..<lives {
      if let failure = RandomLives.disagreement(seed: seed &+ UInt64(number)) {
        print("FAILED: \(failure)")
        throw ExitCode(1)
      }
    }
    print("\(lives) random lives: every judgement is the same however its trace is cut")
  }

  private func goldens() throws -> [(String, [UInt8])] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/traces")
      .filter { $0.hasSuffix(".lctrace") }.sorted()
      .map { ($0, [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(root)/traces/\($0)")))) }
  }

  private func report(_ what: String, _ result: SweepResult) throws {
    if let failure = result.firstFailure {
      print("FAILED: \(what): \(failure)")
      throw ExitCode(1)
    }
    print("\(what): \(result.caseCount) cases")
  }
}
