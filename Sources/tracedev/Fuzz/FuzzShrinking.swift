// Makes a failing execution smaller while it fails in the same way. This file must not know what
// failures there are.

/// Removes what a failure doesn't need.
struct FuzzShrinking {
  /// Whether an execution fails in the same way.
  var fails: (FuzzCase) throws -> Bool
  /// When it is time to stop.
  var isOver: () -> Bool

  private(set) var triedCount = 0

  init(fails: @escaping (FuzzCase) throws -> Bool, isOver: @escaping () -> Bool) {
    self.fails = fails
    self.isOver = isOver
  }

  /// The smallest execution that was found.
  mutating func smallest(_ execution: FuzzCase) throws -> FuzzCase {
    var best = execution
    var before: FuzzCase?
    while before != best, !isOver() {
      before = best
      try shrinkArguments(&best)
      try shrinkFiles(&best)
    }
    return best
  }

  private mutating func takes(_ other: FuzzCase, _ best: inout FuzzCase) throws -> Bool {
    guard other != best, !isOver() else { return false }
    triedCount += 1
    guard try fails(other) else { return false }
    best = other
    return true
  }

  private mutating func shrinkArguments(_ best: inout FuzzCase) throws {
    for place in best.groups.indices.reversed() {
      var other = best
      other.groups.remove(at: place)
      if try takes(other, &best) { continue }
      // A long value that needn't be long.
      guard let value = best.groups[place].last, value.count > 64 else { continue }
      var length = value.count / 2
      while length > 16 {
        other = best
        other.groups[place][other.groups[place].count - 1] = Array(value.prefix(length))
        guard try takes(other, &best) else { break }
        length /= 2
      }
    }
  }

  private mutating func shrinkFiles(_ best: inout FuzzCase) throws {
    for place in best.files.indices.reversed() {
      var other = best
      let removed = other.files.remove(at: place)
      if other.input == removed.path { other.input = nil }
      if try takes(other, &best) { continue }
      try shrinkFile(place, &best, by: Self.lines)
      try shrinkFile(place, &best, by: { $0.map { [$0] } })
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) + [10] }
  }

  /// Removes ever smaller runs of the pieces of a file.
  private mutating func shrinkFile(
    _ place: Int, _ best: inout FuzzCase, by split: ([UInt8]) -> [[UInt8]]
  ) throws {
    var pieces = split(best.files[place].bytes)
    var length = pieces.count
    while length > 0, !isOver() {
      var start = 0
      while start < pieces.count, !isOver() {
        let rest = Array(pieces[..<start] + pieces[min(pieces.count, start + length)...])
        var other = best
        other.files[place].bytes = Array(rest.joined())
        if try takes(other, &best) { pieces = rest } else { start += length }
      }
      length /= 2
    }
  }
}
