// Metrics that are kept: they come back as they were, no bytes are believed that weren't written,
// and raising a count never lets a sum fall.

import Testing
import TraceTestSupport

@testable import TraceExport

struct MetricCodingTests {
  private static func sample(_ seed: UInt64) -> MetricSet {
    var random = SeededGenerator(seed: seed)
    var set = MetricSet()
    for _ in 0..<Int.random(in: 0..<40, using: &random) {
      let family = MetricFamily.all.randomElement(using: &random) ?? .traces
      let values = family.labels.map { _ in
        ["", "a", "\u{1F41E}", "x\ny"].randomElement(using: &random) ?? ""
      }
      let number = UInt64.random(in: 0 ... .max >> 8, using: &random)
      let exemplar = MetricExemplar(
        traceID: "t\(number)", value: number, wallNanoseconds: number.isMultiple(of: 2) ? -1 : 5)
      let value =
        family.kind == .histogram
        ? MetricValue(durationNanoseconds: number, exemplar: exemplar)
        : MetricValue(count: number, exemplar: number.isMultiple(of: 3) ? exemplar : nil)
      set.add(value, to: SeriesKey(family: family, values: values))
    }
    return set
  }

  @Test func theyComeBack() throws {
    for seed in 0..<200 as Range<UInt64> {
      let set = Self.sample(seed)
      let back = try #require(MetricSet(encoded: set.encoded), "seed \(seed)")
      #expect(back.table.values == set.table.values, "seed \(seed)")
      #expect(back.encoded == set.encoded)
    }
  }

  @Test func brokenBytesAreRefusedOrAreOtherMetrics() {
    for seed in 0..<20 as Range<UInt64> {
      let bytes = Self.sample(seed).encoded
      for count in 0..<bytes.count { _ = MetricSet(encoded: Array(bytes.prefix(count))) }
      for place in bytes.indices {
        var flipped = bytes
        flipped[place] ^= 0x80
        _ = MetricSet(encoded: flipped)
      }
    }
    #expect(MetricSet(encoded: []) == nil)
    #expect(MetricSet(encoded: Array("tcm2".utf8)) == nil)
    #expect(MetricSet(encoded: Array("tcm1\u{5}nosuch".utf8)) == nil)
    // A length that no memory has.
    #expect(
      MetricSet(encoded: Array("tcm1".utf8) + [UInt8](repeating: 0xFF, count: 9) + [1]) == nil)
  }

  @Test func growthIsWhatASumLacks() {
    for seed in 0..<200 as Range<UInt64> {
      let old = Self.sample(seed)
      var new = old
      new.raise(to: Self.sample(seed + 1_000))
      var sum = old
      sum.add(new.growth(since: old))
      for (key, value) in new.table.values {
        #expect(sum.table[key]?.counts == value.counts, "seed \(seed)")
      }
    }
  }
}
