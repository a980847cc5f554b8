// Which occurrences of one thing in two lives are the same one, and what has moved.
// This file must not know what they are.

import TraceLifecycle
import TraceModel

/// Pairs of times of two sorted lists, in order: all of the shorter list have a partner, chosen so
/// that the distances are least in sum.
struct ItemPairs {
  private(set) var pairs: [(Int, Int)] = []
  private(set) var onlyFirst: [Int] = []
  private(set) var onlySecond: [Int] = []

  /// Cost is the product of the lengths, which are at most ``LifeItems/toldApartMax``.
  init(_ first: [Int64], _ second: [Int64]) {
    if first.count <= second.count {
      let partners = Self.partners(first, second)
      pairs = Array(zip(first.indices, partners))
      onlySecond = Self.others(partners, second.count)
    } else {
      let partners = Self.partners(second, first)
      pairs = Array(zip(partners, second.indices))
      onlyFirst = Self.others(partners, first.count)
    }
  }

  private static func others(_ taken: [Int], _ count: Int) -> [Int] {
    let taken = Set(taken)
    return (0..<count).filter { !taken.contains($0) }
  }

  /// For each time of the shorter list the place of its partner; of equally good choices the
  /// earliest.
  private static func partners(_ short: [Int64], _ long: [Int64]) -> [Int] {
    if short.count == long.count { return Array(long.indices) }
    let width = long.count + 1
    // The least sum of distances for the first so many of both lists.
    var sums = [Double](repeating: 0, count: (short.count + 1) * width)
    for row in 0..<short.count {
      for column in 0..<width where column <= row { sums[(row + 1) * width + column] = .infinity }
      for column in row..<long.count {
        let distance = Double(long[column]) - Double(short[row])
        let paired = sums[row * width + column] + distance.magnitude
        sums[(row + 1) * width + column + 1] = min(paired, sums[(row + 1) * width + column])
      }
    }
    var partners = [Int](repeating: 0, count: short.count)
    var column = long.count
    for row in short.indices.reversed() {
      while column > row + 1,
        sums[(row + 1) * width + column - 1] == sums[(row + 1) * width + column]
      {
        column -= 1
      }
      column -= 1
      partners[row] = column
    }
    return partners
  }
}

/// Finds what begins at another time than what is around it. If everything from some moment on
/// comes later, that moment is told and not what follows.
struct LifeMoves {
  private struct Pair {
    var first: LifeItem
    var second: LifeItem
    var shiftNanoseconds: Int64
    var draft: LifeDifference

    /// Whether it only follows from an event that is told itself.
    var isDerived: Bool { [.launches, .state, .scenes].contains(draft.key.group) }
  }

  /// Where the lives are laid beside each other, on the clock of the first one.
  private let anchorNanoseconds: Int64
  private var pairs: [Pair] = []

  init(anchorNanoseconds: Int64) { self.anchorNanoseconds = anchorNanoseconds }

  mutating func add(
    _ first: LifeItem, _ second: LifeItem, shiftNanoseconds: Int64, _ draft: LifeDifference
  ) {
    pairs.append(
      Pair(first: first, second: second, shiftNanoseconds: shiftNanoseconds, draft: draft))
  }

  /// The moves, one for each name that moved on its own, and one for each moment from which on
  /// everything did.
  func differences(_ tolerance: LifeComparison.Tolerance) -> [LifeDifference] {
    // Of one moment the call that moved is named, and not the state that it leads to.
    let pairs = pairs.sorted {
      ($0.first.startNanoseconds, $0.first.ordinal, $0.isDerived ? 1 : 0, $0.draft.key)
        < ($1.first.startNanoseconds, $1.first.ordinal, $1.isDerived ? 1 : 0, $1.draft.key)
    }
    var found: [LifeDifference] = []
    var alone: [LifeItemKey: Int] = [:]
    var prevailing: Int64 = 0
    var reached = pairs.first?.first.startNanoseconds ?? 0
    for (place, pair) in pairs.enumerated() {
      // From here on times agree by themselves, however far the stretch before has moved.
      if reached < anchorNanoseconds, pair.first.startNanoseconds >= anchorNanoseconds {
        prevailing = 0
        reached = anchorNanoseconds
      }
      let moved = pair.shiftNanoseconds.minus(prevailing)
      let elapsed = pair.first.startNanoseconds.minus(reached)
      if tolerance.covers(moved, of: elapsed) {
        prevailing = pair.shiftNanoseconds
        reached = pair.first.startNanoseconds
        continue
      }
      var difference = pair.draft
      difference.change = .moved
      difference.first = pair.first
      difference.second = pair.second
      difference.changeNanoseconds = moved
      if isFollowed(pair, pairs[(place + 1)...], prevailing, tolerance) {
        difference.movesTheRest = true
        prevailing = pair.shiftNanoseconds
        reached = pair.first.startNanoseconds
        found.append(difference)
      } else if let known = alone[difference.key] {
        found[known] = Self.joined(found[known], difference)
      } else {
        alone[difference.key] = found.count
        found.append(difference)
      }
    }
    return found
  }

  private static func joined(
    _ known: LifeDifference, _ other: LifeDifference
  ) -> LifeDifference {
    let (mine, others) = (known.changeNanoseconds ?? 0, other.changeNanoseconds ?? 0)
    var joined = others.magnitude > mine.magnitude ? other : known
    joined.count = known.count + 1
    return joined
  }

  /// Whether the next thing that another event began has moved along.
  private func isFollowed(
    _ pair: Pair, _ rest: ArraySlice<Pair>, _ prevailing: Int64,
    _ tolerance: LifeComparison.Tolerance
  ) -> Bool {
    guard let next = rest.first(where: { $0.first.ordinal != pair.first.ordinal }) else {
      return false
    }
    let distance = next.shiftNanoseconds.minus(pair.shiftNanoseconds)
    let elapsed = next.first.startNanoseconds.minus(pair.first.startNanoseconds)
    return tolerance.covers(distance, of: elapsed)
      && distance.magnitude < next.shiftNanoseconds.minus(prevailing).magnitude
  }
}
