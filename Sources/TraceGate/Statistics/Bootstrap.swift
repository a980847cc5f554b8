// An interval for the difference of two medians, by drawing the samples again and again.

import TraceModel

/// The interval that the difference of the medians lies in.
public struct Bootstrap: Hashable, Sendable {
  /// In the unit of the samples.
  public let lower: Double
  public let upper: Double

  /// Draws of one interval.
  public static let drawsMax = 2_000
  /// The share of draws left out at each end: an interval of 99 %.
  public static let tail = 0.005
  /// The seed of every interval: the same samples give the same one, everywhere.
  public static let seed: UInt64 = 0x7472_6163_6563_6865

  /// - Parameters: Both sorted and not empty. Cost: ``drawsMax`` times the sizes of the samples.
  init(sortedReference: [Int64], sortedCandidate: [Int64]) {
    var generator = SplitMix(state: Self.seed)
    var differences: [Double] = []
    differences.reserveCapacity(Self.drawsMax)
    var counts: [Int32] = []
    for _ in 0..<Self.drawsMax {
      let reference = Self.drawnMedian(of: sortedReference, &counts, &generator)
      let candidate = Self.drawnMedian(of: sortedCandidate, &counts, &generator)
      differences.append(candidate - reference)
    }
    differences.sort()
    let skipped = Int(Double(Self.drawsMax) * Self.tail)
    lower = differences[skipped]
    upper = differences[Self.drawsMax - 1 - skipped]
  }

  /// The median of as many numbers of a sample as it has, drawn with replacement.
  private static func drawnMedian(
    of sorted: [Int64], _ counts: inout [Int32], _ generator: inout SplitMix
  ) -> Double {
    counts.removeAll(keepingCapacity: true)
    counts.append(contentsOf: repeatElement(0, count: sorted.count))
    for _ in 0..<sorted.count {
      counts[generator.next(below: sorted.count)] += 1
    }
    let upperPlace = sorted.count / 2
    let lowerPlace = sorted.count % 2 == 1 ? upperPlace : upperPlace - 1
    var seen = 0
    var lower: Int64?
    for (index, count) in counts.enumerated() where count > 0 {
      seen += Int(count)
      if lower == nil, seen > lowerPlace { lower = sorted[index] }
      if seen > upperPlace { return (Double(lower ?? sorted[index]) + Double(sorted[index])) / 2 }
    }
    return 0
  }
}

/// Steele, Lea and Flood's SplitMix64: a few lines that any language can repeat.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(state: UInt64) { self.state = state }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to a bound: the upper half of a product, whose bias is below 2⁻⁴⁰ for the
  /// sizes of samples.
  mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
