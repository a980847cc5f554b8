// Ranges of bytes of which each byte counts once.

import Testing
import TraceTestSupport

@testable import TracePipeline

struct ByteRangesTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func everyByteCountsOnce(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ranges = ByteRanges()
    var bytes: Set<UInt64> = []
    for _ in 0..<200 {
      let start = UInt64.random(in: 0..<1_000, using: &random)
      let range = start..<start + .random(in: 0..<40, using: &random)
      ranges.insert(range)
      bytes.formUnion(range)
      #expect(ranges.count == UInt64(bytes.count))
    }
  }

  @Test func moreRangesThanAreRemembered() {
    var ranges = ByteRanges()
    let count = UInt64(ByteRanges.rangesMax) * 2
    for place in 0..<count { ranges.insert(place * 10..<place * 10 + 3) }
    #expect(ranges.count == count * 3)
    ranges.insert((count - 1) * 10..<(count - 1) * 10 + 4)
    #expect(ranges.count == count * 3 + 1)
  }

  @Test func theWholeOfAFile() {
    var ranges = ByteRanges()
    ranges.insert(0..<UInt64.max)
    ranges.insert(5..<7)
    #expect(ranges.count == .max)
  }
}
