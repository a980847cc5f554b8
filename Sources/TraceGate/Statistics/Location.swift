// Where samples lie: medians, percentiles, and the shift between two samples.

import TraceModel

enum Location {
  /// The median; the mean of the two middle numbers of an even count. 0 for an empty sample.
  static func median(ofSorted sorted: [Int64]) -> Double {
    if sorted.isEmpty { return 0 }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return Double(sorted[middle]) }
    return (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2
  }

  /// The smallest number that at least this share of the sample doesn't exceed (nearest rank).
  static func percentile(_ percent: Double, ofSorted sorted: [Int64]) -> Int64 {
    if sorted.isEmpty { return 0 }
    // Multiplied first: a whole per cent of a sample that gives a whole rank stays whole.
    let rank = (percent * Double(sorted.count) / 100).rounded(.up)
    return sorted[min(max(Int(rank) - 1, 0), sorted.count - 1)]
  }

  /// The nearest whole number; the nearest that there is for what 64 bits don't hold.
  static func whole(_ number: Double) -> Int64 {
    Int64(exactly: number.rounded()) ?? (number < 0 ? -Int64.max : Int64.max)
  }

  /// The Hodges-Lehmann estimate of a shift: the median of all differences between a number of the
  /// candidate and one of the reference. Cost: 64 passes, whatever the number of differences.
  ///
  /// - Parameters: Both sorted, not empty, and not negative.
  static func shift(sortedReference: [Int64], sortedCandidate: [Int64]) -> Double {
    let pairs = sortedReference.count * sortedCandidate.count
    let upper = difference(pairs / 2, sortedReference, sortedCandidate)
    if pairs % 2 == 1 { return Double(upper) }
    let lower = difference(pairs / 2 - 1, sortedReference, sortedCandidate)
    return (Double(lower) + Double(upper)) / 2
  }

  /// The difference at a place, from 0, in the sorted list of all differences.
  private static func difference(
    _ place: Int, _ reference: [Int64], _ candidate: [Int64]
  ) -> Int64 {
    guard let firstReference = reference.first, let lastReference = reference.last,
      let firstCandidate = candidate.first, let lastCandidate = candidate.last
    else { return 0 }
    var low = firstCandidate - lastReference
    var high = lastCandidate - firstReference
    while low < high {
      // No overflow: numbers aren't negative, so that differences are below 2⁶³ apart.
      let middle = low + Int64((UInt64(bitPattern: high &- low)) / 2)
      if count(upTo: middle, reference, candidate) > place {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  /// How many differences are at most this.
  private static func count(
    upTo limit: Int64, _ reference: [Int64], _ candidate: [Int64]
  ) -> Int {
    var count = 0
    var end = 0
    for number in reference {
      // As the reference's numbers grow, more of the candidate's come within the limit.
      while end < candidate.count, candidate[end] - number <= limit { end += 1 }
      count += end
    }
    return count
  }
}
