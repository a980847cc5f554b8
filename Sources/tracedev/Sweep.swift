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

  @Option(help: "The seed of the random traces.")
  var seed: UInt64 = 1

  @Flag(help: "Set every byte to all other values, not to a few.")
  var allFlips = false

  @Option(help: "The top folder of the repository.")
  var root = "."

  func run() throws {
    try roundTripTexts()
    let golden = try goldens()
    for (name, bytes) in golden {
      try report("every split of \(name)", FormatSweeps.splits(bytes))
      try report("every cut of \(name)", FormatSweeps.truncations(bytes))
    }
    for (name, bytes) in golden.prefix(allFlips ? 3 : 1) {
      try report("every flipped byte of \(name)", FormatSweeps.flips(bytes))
    }
  }

  /// NDJSON to binary to NDJSON must give the same bytes.
  private func roundTripTexts() throws {
    var events = 0
    var bytes = 0
    for number in 0..<roundTrips {
      var random = RandomTraces(seed: seed &+ UInt64(number))
      let trace = random.next()
      var text = NDJSONEncoder()
      text.begin(trace.header)
      for batch in trace.batches { text.consume(batch) }
      text.end()
      events += trace.batches.reduce(0) { $0 + $1.count }
      bytes += text.output.count
      var binary = LctraceEncoder(codec: number % 2 == 0 ? .zstd() : .stored)
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
    print("\(roundTrips) traces with \(events) events, \(bytes) bytes: all came back byte for byte")
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
      case .remark: break
      case .needsInput, .end:
        try encoder.end()
        return
      }
    }
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
