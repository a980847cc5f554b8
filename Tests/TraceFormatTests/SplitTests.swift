// What comes out doesn't depend on how the bytes come in.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct SplitTests {
  @Test func everySplitOfASmallTrace() {
    let golden = Golden.small(blocks: 3)
    for place in 0...golden.bytes.count {
      #expect(steps(golden.bytes, chunks: [place, .max]) == golden.steps, "split at \(place)")
    }
  }

  @Test func byteAtATime() {
    let golden = Golden.small(blocks: 8)
    #expect(steps(golden.bytes, chunks: [1]) == golden.steps)
  }

  /// Damaged inputs too: every decision depends on bytes, never on chunks.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func damagedInputInRandomChunks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Golden.small(seed: seed).bytes + Golden.small(seed: seed + 100).bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: .min ... .max, using: &random)
    }
    if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 1...40, using: &random)) }
    let whole = steps(bytes)
    #expect(steps(bytes, chunks: [1]) == whole, "seed \(seed)")
    for _ in 0..<20 {
      let chunks = (0..<200).map { _ in Int.random(in: 1...90, using: &random) }
      #expect(steps(bytes, chunks: chunks) == whole, "seed \(seed)")
    }
  }

  @Test func concatenationIsATrace() {
    let first = Golden.small(seed: 1)
    let second = Golden.small(seed: 2)
    #expect(steps(first.bytes + second.bytes) == first.steps + second.steps)
    #expect(steps(first.bytes + first.bytes) == first.steps + first.steps)
  }

  @Test func aSecondHeaderBeginsANewTrace() {
    var random = SeededGenerator(seed: 3)
    let batch = RandomTrace.batch(count: 5, using: &random)
    var encoder = LctraceEncoder(codec: .stored)
    encoder.begin(TraceHeader())
    encoder.consume(batch)
    encoder.begin(TraceHeader())
    encoder.consume(batch)
    encoder.end()
    let result = steps(encoder.output)
    #expect(result.headers.count == 2)
    #expect(result.events.map(\.ordinal) == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
  }

  @Test func memoryFollowsTheRecord() {
    var window = InputWindow()
    let chunk = [UInt8](repeating: 7, count: 1_000)
    for _ in 0..<10_000 {
      window.append(chunk.span)
      window.advance(to: window.bytes.count - 10)
    }
    #expect(window.bytes.count < 4_000)
    #expect(window.endOffset == 10_000_000)
  }
}
