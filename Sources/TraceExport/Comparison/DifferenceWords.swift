// Sentences about differences that the forms share. Nothing here is escaped.

import TraceLifecycle
import TraceModel

/// Differences in words.
enum DifferenceWords {
  /// A time with its sign, measured from where the lives are aligned.
  static func moment(_ nanoseconds: Int64) -> String {
    nanoseconds < 0 ? TimeText.exact(nanoseconds) : "+\(TimeText.exact(nanoseconds))"
  }

  /// How much later or longer.
  static func change(_ nanoseconds: Int64) -> String {
    nanoseconds == 0 ? "same" : moment(nanoseconds)
  }

  /// Where it is: the track, and its group if the track has no name that says so.
  static func place(_ difference: LifeDifference) -> String {
    let group = difference.key.group
    if difference.track.isEmpty || difference.track == difference.name { return group.title }
    return group == .threads ? difference.track : "\(group.title), \(difference.track)"
  }

  /// What is different, behind the name.
  static func details(_ difference: LifeDifference, _ comparison: LifeComparison) -> String {
    let times = difference.count > 1 ? "\(difference.count) times" : ""
    switch difference.change {
    case .appeared, .vanished:
      let length = (difference.second ?? difference.first)?.durationNanoseconds ?? 0
      let words = [times, length > 0 ? TimeText.exact(length) : ""].filter { !$0.isEmpty }
      return words.joined(separator: ", ")
    case .moreOften, .lessOften:
      return "\(difference.firstCount) times, now \(difference.secondCount)"
    case .moved:
      let first = moment(
        comparison.aligned(first: difference.first?.startNanoseconds ?? 0))
      let second = moment(
        comparison.aligned(second: difference.second?.startNanoseconds ?? 0))
      let distance = difference.changeNanoseconds ?? 0
      let length = TimeText.exact(Int64(clamping: distance.magnitude))
      var words = first == second ? "" : "\(first), now \(second): "
      words += "\(length) \(distance < 0 ? "earlier" : "later")"
      if difference.movesTheRest { words += ", and what follows with it" }
      return difference.count > 1 ? "\(words); \(times)" : words
    case .slower, .faster, .longer, .shorter:
      let first = TimeText.exact(difference.firstNanoseconds ?? 0)
      let second = TimeText.exact(difference.secondNanoseconds ?? 0)
      let words =
        measure(difference)
        + "\(first), now \(second) (\(change(difference.changeNanoseconds ?? 0)))"
      if difference.measure == .mean { return "\(words); \(measured(difference))" }
      return difference.count > 1 ? "\(words); \(times)" : words
    case .neverEnded:
      return "\(difference.firstUnendedCount) of \(difference.firstCount), now"
        + " \(difference.secondUnendedCount) of \(difference.secondCount)"
    case .ended:
      return "\(difference.firstEndedCount) of \(difference.firstCount), now"
        + " \(difference.secondEndedCount) of \(difference.secondCount)"
    }
  }

  private static func measure(_ difference: LifeDifference) -> String {
    switch difference.measure {
    case .mean: "on average "
    case .longest: "the longest "
    case .shortest: "the shortest "
    case .single, nil: ""
    }
  }

  /// Of how many the mean is taken.
  private static func measured(_ difference: LifeDifference) -> String {
    let (first, second) = (difference.firstEndedCount, difference.secondEndedCount)
    return first == second ? "\(second) times" : "\(first) times, now \(second)"
  }

  /// `5 differences: 3 appeared, 2 slower`.
  static func summary(_ differences: [LifeDifference]) -> String {
    if differences.isEmpty { return "no differences" }
    let counts = LifeDifference.Change.allCases.compactMap { change -> String? in
      let count = differences.count { $0.change == change }
      return count == 0 ? nil : "\(count) \(change.rawValue)"
    }
    let noun = differences.count == 1 ? "difference" : "differences"
    return "\(differences.count) \(noun): \(counts.joined(separator: ", "))"
  }
}
