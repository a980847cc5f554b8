// What ends in one of two lives only. Of what was cut short nobody knows whether it would have.

import TraceModel

extension LifeComparison {
  /// Decides what never ended of what the end of a process or of a recording cut: what had been
  /// open for longer than anything that ended. The rest might have ended soon.
  func decideEndings(_ mine: inout LifeItems, _ other: inout LifeItems) {
    let lengths = [mine.longest, other.longest].compactMap { $0?.durationNanoseconds }
    guard let longest = lengths.max() else { return }
    let limit = longest.plus(max(tolerance.nanoseconds, longest / Tolerance.part))
    mine.decide(longerThan: limit)
    other.decide(longerThan: limit)
  }

  /// Of what is told apart: how many more of one life never ended than of the other. Where one
  /// ends in this life and another one in that, nothing has changed.
  func endings(
    _ pairs: ItemPairs, _ draft: LifeDifference, _ mine: LifeItems, _ other: LifeItems
  ) -> [LifeDifference] {
    guard draft.key.hasLength, mine.unendedCount != other.unendedCount else { return [] }
    var difference = draft
    difference.change = other.unendedCount > mine.unendedCount ? .neverEnded : .ended
    difference.count = 0
    for (place, otherPlace) in pairs.pairs {
      let (a, b) = (mine.items[place], other.items[otherPlace])
      if a.isCut == b.isCut || a.isUndecided || b.isUndecided { continue }
      guard b.isCut == (difference.change == .neverEnded) else {
        difference.count -= 1
        continue
      }
      difference.count += 1
      if difference.first != nil { continue }
      difference.first = a
      difference.second = b
    }
    return difference.count > 0 ? [difference] : []
  }

  /// Of what is only counted: how many more never ended, whatever became of the undecided ones.
  func countedEndings(
    _ draft: LifeDifference, _ mine: LifeItems, _ other: LifeItems
  ) -> [LifeDifference] {
    var difference = draft
    let more = other.unendedCount - mine.unendedCount
    if more > mine.undecidedCount {
      difference.change = .neverEnded
      difference.count = more - mine.undecidedCount
    } else if -more > other.undecidedCount {
      difference.change = .ended
      difference.count = -more - other.undecidedCount
    } else {
      return []
    }
    return [difference]
  }
}
