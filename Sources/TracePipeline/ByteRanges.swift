// Ranges of a file's bytes, of which each byte counts once.
// This file must not know what is wrong with the bytes.

import TraceModel

/// The bytes of ranges that may overlap.
struct ByteRanges: Sendable {
  /// How many bytes lie in any of the ranges.
  private(set) var count: UInt64 = 0
  /// Disjoint, in order of place.
  private var ranges: [Range<UInt64>] = []
  /// Ranges that are remembered: a file may be damaged every few bytes. Beyond them the first ones
  /// are forgotten, and bytes of these count again if another range holds them.
  static let rangesMax = 65_536

  init() {}

  mutating func insert(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    // The first range that ends at this one's start or behind it, and the first that begins behind
    // its end: nearly always the end of the list.
    let first = place { $0.upperBound >= range.lowerBound }
    let end = place { $0.lowerBound > range.upperBound }
    var joined = range
    for other in ranges[first..<end] {
      joined = min(joined.lowerBound, other.lowerBound)..<max(joined.upperBound, other.upperBound)
      count -= other.upperBound - other.lowerBound
    }
    count += joined.upperBound - joined.lowerBound
    ranges.replaceSubrange(first..<end, with: [joined])
    if ranges.count > Self.rangesMax { ranges.removeFirst(Self.rangesMax / 2) }
  }

  /// The first place from which on all ranges fulfil a condition.
  private func place(where isBehind: (Range<UInt64>) -> Bool) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(ranges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
