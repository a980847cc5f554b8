// The statistics on samples small enough to check by hand or with a table.

import Testing
import TraceGate

struct StatisticsTests {
  @Test func smallSamplesAreCounted() throws {
    // 24 of 25 pairs; 2 of the 252 arrangements have as many.
    let test = try #require(
      MannWhitney(reference: [1, 3, 5, 7, 11], candidate: [10, 12, 14, 16, 18]))
    #expect(test.isExact)
    #expect(test.u == 24)
    #expect(abs(test.p - 2.0 / 252) < 1e-12)
  }

  @Test func tiesAreApproximated() throws {
    let test = try #require(
      MannWhitney(
        reference: [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], candidate: [1, 2, 2, 3, 4, 5, 5, 6, 7, 8]))
    #expect(!test.isExact)
    #expect(abs(test.p - 0.103_372_96) < 1e-8)
  }

  @Test func equalNumbersShowNothing() throws {
    let same = [Int64](repeating: 5, count: 20)
    #expect(try #require(MannWhitney(reference: same, candidate: same)).p == 1)
    #expect(MannWhitney(reference: [], candidate: [1]) == nil)
  }

  @Test func manyTestsAreCorrected() {
    let adjusted = FalseDiscoveries.adjusted([0.01, 0.04, 0.03, 0.005, 0.5])
    for (value, expected) in zip(adjusted, [0.025, 0.05, 0.05, 0.025, 0.5]) {
      #expect(abs(value - expected) < 1e-12)
    }
    #expect(FalseDiscoveries.adjusted([]) == [])
  }

  private static func result(_ reference: [Int64], _ candidate: [Int64]) -> TimingResult {
    TimingComparison.results(of: [
      TimingSamples(metric: "launch", stratum: "x", reference: reference, candidate: candidate)
    ])[0]
  }

  private static let before = (0..<20).map { Int64(1_000_000_000 + $0 * 3_000_000) }

  @Test func aShiftIsFoundBothWays() {
    let after = Self.before.map { $0 + 100_000_000 }
    let slower = Self.result(Self.before, after)
    #expect(slower.decision == .slower)
    #expect(slower.shiftNanoseconds == 100_000_000)
    #expect(Self.result(after, Self.before).decision == .faster)
    #expect(Self.result(Self.before, Self.before).decision == .unchanged)
  }

  @Test func aShiftThatMattersToNobodyIsNone() {
    // Certain, and less than 5 %.
    let after = Self.before.map { $0 + 45_000_000 }
    #expect(Self.result(Self.before, after).decision == .unchanged)
    // More than 5 %, and less than 20 ms.
    let short = (0..<20).map { Int64(100_000_000 + $0 * 100_000) }
    #expect(Self.result(short, short.map { $0 + 15_000_000 }).decision == .unchanged)
  }

  @Test func tooFewDecideNothing() {
    let result = Self.result(Array(Self.before.prefix(7)), Self.before)
    #expect(result.decision == .inconclusive("the reference has only 7 of at least 8"))
    #expect(
      Self.result(Self.before, []).decision
        == .inconclusive("the candidate has none of at least 8"))
  }

  @Test func greatNumbersDoNotTrap() {
    let great = [Int64](repeating: .max, count: 10)
    let small = [Int64](repeating: .min, count: 10)
    #expect(Self.result(small, great).decision == .slower)
    #expect(Self.result(great, small).decision == .faster)
  }

  @Test func budgetsAreReadAndMeasured() throws {
    let budget = try Budget("launch.p95=400ms")
    #expect(budget.metric == "launch")
    #expect(budget.limitNanoseconds == 400_000_000)
    #expect(budget.value(of: Array(1...100)) == 95)
    #expect(try Budget("enter_background.median=1s").value(of: [3, 1, 2]) == 2)
    #expect(try Budget("launch.max=1s").value(of: [3, 1, 2]) == 3)
    #expect(budget.value(of: []) == nil)
    // 7 per cent of 100 is the seventh, whatever 0.07 is in a double.
    #expect(try Budget("launch.p7=1s").value(of: Array(1...100)) == 7)
    for text in [
      "launch=1s", "launch.p95", "launch.p0=1s", "launch.p101=1s", "launch.p95=soon",
      "launch.p95=-1s", "",
    ] {
      #expect(throws: Budget.Refusal.self, "\(text)") { try Budget(text) }
    }
  }
}
