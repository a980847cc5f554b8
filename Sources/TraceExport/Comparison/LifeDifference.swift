// Something in which two lives differ.

import TraceLifecycle
import TraceModel
import TraceRules

/// A stretch or moment that differs between two lives, or several that differ in the same way.
struct LifeDifference: Sendable {
  /// In which way.
  enum Change: String, CaseIterable, Sendable {
    /// Only the second life has it.
    case appeared
    /// Only the first life has it.
    case vanished
    /// It begins at another time, measured from where the lives are aligned.
    case moved
    /// It is among what is so frequent that only counts are compared.
    case moreOften = "more often"
    case lessOften = "less often"
    /// Work that takes another time.
    case slower
    case faster
    /// A stretch in which something is open, or an app is in a state, that takes another time.
    case longer
    case shorter
    /// It ends in the first life only, or in the second.
    case neverEnded = "never ended"
    case ended

    /// Another length: work gets slower or faster, what is open is so for longer or shorter.
    static func length(_ changeNanoseconds: Int64, of key: LifeItemKey) -> Change {
      if changeNanoseconds > 0 { return key.isWork ? .slower : .longer }
      return key.isWork ? .faster : .shorter
    }
  }

  /// Which of the lengths of one name are compared.
  enum Measure: String, Sendable {
    /// Those of two that are the same thing.
    case single
    /// Single ones aren't told apart.
    case mean, longest, shortest
  }

  var change: Change
  var key: LifeItemKey
  /// The name with its numbers, and the track, of the item that is shown: the first life's, if it
  /// has one.
  var name = ""
  var track = ""
  /// How many differ in this way; those shown are the ones with the largest difference.
  var count = 1
  /// Of the life that lacks it nil.
  var first: LifeItem?
  var second: LifeItem?
  /// How many of it each life has.
  var firstCount = 0
  var secondCount = 0
  /// How many of these ended, and how many never did: of the rest nobody knows.
  var firstEndedCount = 0
  var secondEndedCount = 0
  var firstUnendedCount = 0
  var secondUnendedCount = 0
  /// The time by which it comes later or takes longer.
  var changeNanoseconds: Int64?
  /// Which lengths differ, and how long they are; nil if lengths don't differ.
  var measure: Measure?
  var firstNanoseconds: Int64?
  var secondNanoseconds: Int64?
  /// Whether what comes behind it has moved as far.
  var movesTheRest = false
}

/// What two lives have in common and what not.
struct LifeComparison: Sendable {
  /// How much has to change to be told.
  struct Tolerance: Hashable, Sendable {
    /// Nanoseconds that mean nothing.
    var nanoseconds: Int64
    /// The share that means nothing either, as one part of so many: five percent, as for the gate.
    static let part: Int64 = 20

    /// Whether a change of a length means nothing.
    func covers(_ change: Int64, of length: Int64) -> Bool {
      change.magnitude <= max(nanoseconds, length / Self.part).magnitude
    }
  }

  let first: LifeSketch
  let second: LifeSketch
  let alignment: LifeAlignment
  let tolerance: Tolerance
  /// In order of time.
  private(set) var differences: [LifeDifference] = []

  init(
    _ first: LifeSketch, _ second: LifeSketch, _ alignment: LifeAlignment, _ tolerance: Tolerance
  ) {
    self.first = first
    self.second = second
    self.alignment = alignment
    self.tolerance = tolerance
    compare()
  }

  // MARK: Times

  /// A time of the first life, measured from where it is aligned.
  func aligned(first nanoseconds: Int64) -> Int64 {
    nanoseconds.minus(first.anchorNanoseconds ?? 0)
  }

  /// A time of the second life, measured from where it is aligned.
  func aligned(second nanoseconds: Int64) -> Int64 {
    nanoseconds.minus(second.anchorNanoseconds ?? 0)
  }

  /// When a difference is to be seen.
  func time(of difference: LifeDifference) -> Int64 {
    difference.first.map { aligned(first: $0.startNanoseconds) }
      ?? difference.second.map { aligned(second: $0.startNanoseconds) } ?? 0
  }

  // MARK: Findings

  /// Findings of one life that the other doesn't have, and of the second life that the first has.
  /// Several launches of a life may hold the same finding: each counts.
  var findings: (appeared: [Finding], vanished: [Finding], common: [Finding]) {
    let (common, appeared) = Self.split(second.findings, by: first.findings)
    return (appeared, Self.split(first.findings, by: second.findings).others, common)
  }

  /// Findings that others match one by one, and the rest.
  private static func split(
    _ findings: [Finding], by others: [Finding]
  ) -> (matched: [Finding], others: [Finding]) {
    var left: [String: Int] = [:]
    for finding in others { left[finding.fingerprint, default: 0] += 1 }
    var matched: [Finding] = []
    var rest: [Finding] = []
    for finding in findings {
      if let count = left[finding.fingerprint], count > 0 {
        left[finding.fingerprint] = count - 1
        matched.append(finding)
      } else {
        rest.append(finding)
      }
    }
    return (matched, rest)
  }

  /// How long each life was in a state, and took to be active first: in the order of the states.
  var times: [(name: String, first: Int64?, second: Int64?)] {
    var rows: [(name: String, first: Int64?, second: Int64?)] = [
      ("until active", Self.untilActive(first), Self.untilActive(second))
    ]
    for state in LifecycleState.allCases {
      rows.append((state.title, first.stateNanoseconds[state], second.stateNanoseconds[state]))
    }
    return rows.filter { $0.first != nil || $0.second != nil }
  }

  private static func untilActive(_ life: LifeSketch) -> Int64? {
    guard let active = life.activeNanoseconds, let first = life.firstNanoseconds else { return nil }
    return active.minus(first)
  }

  // MARK: Stretches and moments

  private mutating func compare() {
    let firstItems = first.items()
    let secondItems = second.items()
    var moves = LifeMoves(anchorNanoseconds: first.anchorNanoseconds ?? 0)
    var found: [LifeDifference] = []
    for key in Set(firstItems.keys).union(secondItems.keys).sorted() {
      var mine = firstItems[key] ?? LifeItems()
      var other = secondItems[key] ?? LifeItems()
      decideEndings(&mine, &other)
      guard mine.areToldApart, other.areToldApart else {
        found += compareCounts(key, mine, other)
        continue
      }
      let pairs = ItemPairs(
        mine.items.map { aligned(first: $0.startNanoseconds) },
        other.items.map { aligned(second: $0.startNanoseconds) })
      let draft = Self.draft(key, mine, other)
      found += only(pairs, draft, mine, other)
      found += lengths(pairs, draft, mine, other)
      found += endings(pairs, draft, mine, other)
      for (place, otherPlace) in pairs.pairs {
        moves.add(
          mine.items[place], other.items[otherPlace],
          shiftNanoseconds: aligned(second: other.items[otherPlace].startNanoseconds)
            .minus(aligned(first: mine.items[place].startNanoseconds)),
          draft)
      }
    }
    found += moves.differences(tolerance)
    differences = found.map { named($0) }.sorted { sortKey($0) < sortKey($1) }
  }

  /// Says what the item that a difference shows is called.
  private func named(_ difference: LifeDifference) -> LifeDifference {
    var difference = difference
    if let item = difference.first {
      difference.name = first.name(of: item)
      difference.track = first.trackName(of: item)
    } else if let item = difference.second {
      difference.name = second.name(of: item)
      difference.track = second.trackName(of: item)
    }
    return difference
  }

  private func sortKey(_ difference: LifeDifference) -> (Int64, Int, LifeItemKey, String) {
    let ordinal = difference.first?.ordinal ?? difference.second?.ordinal ?? 0
    return (time(of: difference), ordinal, difference.key, difference.change.rawValue)
  }

  private static func draft(
    _ key: LifeItemKey, _ mine: LifeItems, _ other: LifeItems
  ) -> LifeDifference {
    LifeDifference(
      change: .appeared, key: key, firstCount: mine.count, secondCount: other.count,
      firstEndedCount: mine.measuredCount, secondEndedCount: other.measuredCount,
      firstUnendedCount: mine.unendedCount, secondUnendedCount: other.unendedCount)
  }

  /// What has no counterpart.
  private func only(
    _ pairs: ItemPairs, _ draft: LifeDifference, _ mine: LifeItems, _ other: LifeItems
  ) -> [LifeDifference] {
    var found: [LifeDifference] = []
    var difference = draft
    if let place = pairs.onlyFirst.first {
      difference.change = .vanished
      difference.count = pairs.onlyFirst.count
      difference.first = mine.items[place]
      found.append(difference)
    }
    difference = draft
    if let place = pairs.onlySecond.first {
      difference.change = .appeared
      difference.count = pairs.onlySecond.count
      difference.second = other.items[place]
      found.append(difference)
    }
    return found
  }

  /// What takes another time.
  private func lengths(
    _ pairs: ItemPairs, _ draft: LifeDifference, _ mine: LifeItems, _ other: LifeItems
  ) -> [LifeDifference] {
    if !draft.key.hasLength { return [] }
    var grown: LifeDifference?
    var shrunk: LifeDifference?
    for (place, otherPlace) in pairs.pairs {
      let (a, b) = (mine.items[place], other.items[otherPlace])
      if a.isCut || b.isCut { continue }
      let change = b.durationNanoseconds.minus(a.durationNanoseconds)
      if tolerance.covers(change, of: a.durationNanoseconds) { continue }
      if change > 0 {
        Self.note(&grown, .length(change, of: draft.key), draft, a, b, change)
      } else {
        Self.note(&shrunk, .length(change, of: draft.key), draft, a, b, change)
      }
    }
    return [grown, shrunk].compactMap { $0 }
  }

  /// Counts one more of a kind, and keeps the one that changed most.
  private static func note(
    _ kept: inout LifeDifference?, _ change: LifeDifference.Change, _ draft: LifeDifference,
    _ first: LifeItem, _ second: LifeItem, _ nanoseconds: Int64
  ) {
    let count = (kept?.count ?? 0) + 1
    if nanoseconds.magnitude > kept?.changeNanoseconds?.magnitude ?? 0 {
      kept = draft
      kept?.change = change
      kept?.first = first
      kept?.second = second
      kept?.measure = .single
      kept?.firstNanoseconds = first.durationNanoseconds
      kept?.secondNanoseconds = second.durationNanoseconds
      kept?.changeNanoseconds = nanoseconds
    }
    kept?.count = count
  }

  /// Compares what is too frequent to be told apart: how often, how many never ended, and how long
  /// on average and at most and at least.
  private func compareCounts(
    _ key: LifeItemKey, _ mine: LifeItems, _ other: LifeItems
  ) -> [LifeDifference] {
    var draft = Self.draft(key, mine, other)
    draft.first = mine.items.first
    draft.second = other.items.first
    if mine.count == 0 || other.count == 0 {
      draft.change = mine.count == 0 ? .appeared : .vanished
      draft.count = max(mine.count, other.count)
      return [draft]
    }
    var found: [LifeDifference] = []
    if mine.count != other.count {
      var often = draft
      often.change = other.count > mine.count ? .moreOften : .lessOften
      often.count = max(mine.count, other.count) - min(mine.count, other.count)
      found.append(often)
    }
    if !key.hasLength { return found }
    return found + countedEndings(draft, mine, other) + compareMeasures(draft, mine, other)
  }

  /// Compares the lengths of what isn't told apart. Where the mean tells a change, the longest and
  /// the shortest say no more; where it hides one, they tell it.
  private func compareMeasures(
    _ draft: LifeDifference, _ mine: LifeItems, _ other: LifeItems
  ) -> [LifeDifference] {
    guard let longest = mine.longest, let otherLongest = other.longest,
      let shortest = mine.shortest, let otherShortest = other.shortest
    else { return [] }
    var found: [LifeDifference] = []
    if var mean = length(.mean, draft, mine.meanNanoseconds, other.meanNanoseconds) {
      mean.count = other.measuredCount
      found.append(mean)
    }
    let extremes: [(measure: LifeDifference.Measure, first: LifeItem, second: LifeItem)] = [
      (.longest, longest, otherLongest), (.shortest, shortest, otherShortest),
    ]
    for (measure, first, second) in extremes {
      let told = length(measure, draft, first.durationNanoseconds, second.durationNanoseconds)
      guard var difference = told else { continue }
      let change = difference.change
      if found.contains(where: { $0.change == change }) { continue }
      difference.first = first
      difference.second = second
      found.append(difference)
    }
    return found
  }

  /// The change of one measure; nil if it means nothing.
  private func length(
    _ measure: LifeDifference.Measure, _ draft: LifeDifference, _ first: Int64, _ second: Int64
  ) -> LifeDifference? {
    let change = second.minus(first)
    if tolerance.covers(change, of: first) { return nil }
    var difference = draft
    difference.change = .length(change, of: draft.key)
    difference.measure = measure
    difference.firstNanoseconds = first
    difference.secondNanoseconds = second
    difference.changeNanoseconds = change
    return difference
  }
}
