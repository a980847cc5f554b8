// What is written is read back, exactly.

import Testing
import TraceCodecs
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct RoundTripTests {
  static let codecs: [UInt8: ChunkCodec] = [1: .stored, 2: .zstd()]

  @Test(arguments: [1, 2] as [UInt8], 1...20 as ClosedRange<UInt64>)
  func randomTraces(codec: UInt8, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let header = RandomTrace.header(using: &random)
    let counts = [1, 0, 300, 17]
    let batches = counts.map {
      RandomTrace.batch(count: $0, using: &random, longTexts: seed % 4 == 0)
    }
    let golden = Golden(
      header: header, batches: batches, codec: try #require(Self.codecs[codec]))
    #expect(golden.boundaries.last == golden.bytes.count, "seed \(seed)")
    #expect(steps(golden.bytes, codec: .zstd()) == golden.steps, "seed \(seed)")
  }
}
