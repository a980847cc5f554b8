// Finds for each recorded call the one of the replay that is the same.
// This file must not know what is said of calls that differ.

import TraceModel

/// Pairs of recorded and replayed calls.
///
/// Calls of one identity are paired in the order of time; where one side has more of them, those
/// are left over that are the furthest from a partner. It costs time in proportion to n log n.
struct CallMatching {
  private let recorded: [RecordedEvent]
  private let replayed: [RecordedEvent]
  private let toleranceNanoseconds: Int64
  /// By the place of a recorded call: the place of its partner. A call without one is missing.
  private(set) var partners: [Int: Int] = [:]
  /// The places of replayed calls that have a partner. A call that isn't among them is new.
  private(set) var used: Set<Int> = []

  init(_ recorded: [RecordedEvent], _ replayed: [RecordedEvent], toleranceNanoseconds: Int64) {
    self.recorded = recorded
    self.replayed = replayed
    self.toleranceNanoseconds = toleranceNanoseconds
    let oldIdentities = CallIdentity.all(of: recorded)
    let newIdentities = CallIdentity.all(of: replayed)
    align(oldIdentities, newIdentities, nearOnly: false)
    // What is left may have been done at its time by another thread.
    align(
      oldIdentities.map(\.onAnyThread), newIdentities.map(\.onAnyThread), nearOnly: true)
  }

  private mutating func align(
    _ oldIdentities: [CallIdentity], _ newIdentities: [CallIdentity], nearOnly: Bool
  ) {
    var demands: [CallIdentity: [Int]] = [:]
    for (place, identity) in oldIdentities.enumerated() where partners[place] == nil {
      demands[identity, default: []].append(place)
    }
    var offers: [CallIdentity: [Int]] = [:]
    for (place, identity) in newIdentities.enumerated() where !used.contains(place) {
      offers[identity, default: []].append(place)
    }
    for (identity, old) in demands {
      if let new = offers[identity] { align(old, new, nearOnly: nearOnly) }
    }
  }

  /// - Parameter nearOnly: Whether calls further apart than the tolerance are no pair.
  private mutating func align(_ old: [Int], _ new: [Int], nearOnly: Bool) {
    var (left, right) = (0, 0)
    while left < old.count, right < new.count {
      let distance = self.distance(old[left], new[right])
      let surplus = (old.count - left) - (new.count - right)
      let isFar = distance > toleranceNanoseconds
      if surplus > 0, isFar, self.distance(old[left + 1], new[right]) < distance {
        left += 1
      } else if surplus < 0, isFar, self.distance(old[left], new[right + 1]) < distance {
        right += 1
      } else if nearOnly, isFar {
        let isOldFirst =
          recorded[old[left]].timeNanoseconds < replayed[new[right]].timeNanoseconds
        if isOldFirst { left += 1 } else { right += 1 }
      } else {
        // Of several at the same time the one that is the same in everything else, too.
        let (firstOld, firstNew) = (left, right)
        if surplus > 0 {
          left += equalAhead(surplus) { (old[firstOld + $0], new[firstNew]) }
        } else if surplus < 0 {
          right += equalAhead(-surplus) { (old[firstOld], new[firstNew + $0]) }
        }
        partners[old[left]] = new[right]
        used.insert(new[right])
        left += 1
        right += 1
      }
    }
  }

  /// How many further calls are looked at for one that is the same in everything.
  private static let equalAheadMax = 32

  /// How far ahead the first pair is whose calls are near each other and have the same arguments; 0
  /// if there is none.
  private func equalAhead(_ surplus: Int, _ pair: (Int) -> (old: Int, new: Int)) -> Int {
    for offset in 0...min(surplus, Self.equalAheadMax) {
      let (old, new) = pair(offset)
      if distance(old, new) > toleranceNanoseconds { return 0 }
      if recorded[old].arguments == replayed[new].arguments { return offset }
    }
    return 0
  }

  /// How far apart two calls are; the largest number if it can't be said.
  private func distance(_ old: Int, _ new: Int) -> Int64 {
    let (time, other) = (recorded[old].timeNanoseconds, replayed[new].timeNanoseconds)
    return max(time, other).minus(min(time, other))
  }
}
