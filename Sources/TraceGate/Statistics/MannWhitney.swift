// The Mann-Whitney U test, one-sided: are the numbers of one sample greater than the other's?

import TraceModel

/// How likely it is that a sample looks greater than another one by chance.
public struct MannWhitney: Hashable, Sendable {
  /// In how many pairs the candidate's number is greater; a tie is half a pair.
  public let u: Double
  /// The chance of so great a `u` if both samples come from one distribution.
  public let p: Double
  /// Whether the chance was counted, and not approximated by the normal distribution.
  public let isExact: Bool

  /// Numbers of the smaller sample up to which chances are counted, if there are no ties.
  public static let exactCountMax = 8
  /// Pairs up to which chances are counted: their number of arrangements is exact in a double.
  public static let exactPairsMax = 2_000

  /// Tests whether a candidate's numbers are greater. Nil for an empty sample.
  ///
  /// Up to ``exactCountMax`` numbers on a side and without ties the chance is counted; else it is
  /// approximated by the normal distribution, with the variance corrected for ties and the
  /// continuity correction of one half (Hollander and Wolfe, Nonparametric Statistical Methods,
  /// 4.1). Cost: n log n.
  public init?(reference: [Int64], candidate: [Int64]) {
    if reference.isEmpty || candidate.isEmpty { return nil }
    let (rankSum, tieTerm) = Self.ranks(reference, candidate)
    let m = Double(candidate.count)
    let n = Double(reference.count)
    u = rankSum - m * (m + 1) / 2
    let smaller = min(reference.count, candidate.count)
    let pairs = m * n
    isExact =
      tieTerm == 0 && smaller <= Self.exactCountMax && pairs <= Double(Self.exactPairsMax)
    if isExact {
      p = Self.exactChance(reference.count, candidate.count, atLeast: u)
    } else {
      let total = m + n
      let variance = pairs / 12 * (total + 1 - tieTerm / (total * (total - 1)))
      // All numbers are equal: nothing can look greater.
      p = variance > 0 ? MathFunctions.upperTail((u - pairs / 2 - 0.5) / variance.squareRoot()) : 1
    }
  }

  /// The sum of the candidate's ranks, and over all groups of ties the sum of t³ - t.
  private static func ranks(_ reference: [Int64], _ candidate: [Int64]) -> (Double, Double) {
    let all =
      (reference.map { ($0, false) } + candidate.map { ($0, true) }).sorted { $0.0 < $1.0 }
    var rankSum = 0.0
    var tieTerm = 0.0
    var start = 0
    while start < all.count {
      var end = start
      var candidates = 0
      while end < all.count, all[end].0 == all[start].0 {
        if all[end].1 { candidates += 1 }
        end += 1
      }
      rankSum += Double(candidates) * Double(start + 1 + end) / 2
      let ties = Double(end - start)
      tieTerm += ties * ties * ties - ties
      start = end
    }
    return (rankSum, tieTerm)
  }

  /// The share of all arrangements whose `u` is at least this.
  private static func exactChance(_ m: Int, _ n: Int, atLeast u: Double) -> Double {
    // The numbers of arrangements by `u` are the coefficients of the Gaussian binomial: the product
    // of (1 - q^(n+i)) / (1 - q^i).
    var counts = [Double](repeating: 0, count: m * n + 1)
    counts[0] = 1
    for i in 1...m {
      for place in counts.indices.reversed() where place >= n + i {
        counts[place] -= counts[place - n - i]
      }
      for place in counts.indices where place >= i { counts[place] += counts[place - i] }
    }
    let total = counts.reduce(0, +)
    let first = Int(u.rounded(.up))
    return counts[min(max(first, 0), counts.count)...].reduce(0, +) / total
  }
}
