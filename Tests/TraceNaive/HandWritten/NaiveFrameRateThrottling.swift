// LC405, the plain way: for each stretch of inactivity the rates that were set, then those that
// were presented, in plain fractions.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Less than this many frames tell no two rates apart.
  private static let framesTolerance = 1e-5
  /// How long after the callback the rate is free.
  private static let freeNanoseconds: Int64 = 500_000_000

  /// Stretches of inactivity at too high a frame rate.
  func unthrottledFrameRates() -> [NaiveHit] {
    launches.flatMap { launch in
      parts(launch).flatMap { part in
        part.filter(beginsInactivity).compactMap { unthrottled(from: $0, part, launch) }
      }
    }
  }

  private func isResigning(_ place: Int) -> Bool {
    [.delegateWillResignActive, .sceneWillResignActive].contains(events[place].kind)
  }

  private func beginsInactivity(_ place: Int) -> Bool {
    isResigning(place) && events[place].stateAfter == .inactive
      && events[place].stateBefore != .inactive
  }

  private func unthrottled(
    from start: Int, _ part: Range<Int>, _ launch: NaiveLaunch
  ) -> NaiveHit? {
    let free = events[start].time.plus(Self.freeNanoseconds)
    let due = free.plus(parameter("window"))
    let end = part.first { $0 > start && events[$0].stateAfter != .inactive } ?? part.upperBound
    guard case .over(let first) = wait(launch, after: start, until: { events[$0].time >= due }),
      first <= end
    else {
      isUnknown = true
      return nil
    }
    let limit = limit(start, first, part)
    func hit(_ time: Int64, _ moment: Int) -> NaiveHit {
      NaiveHit(offender: start, time: time, moment: moment)
    }
    /// Whether too much was presented up to a time, by the calls up to a place; nil if unknown.
    func isTooFast(_ time: Int64, _ last: Int) -> Bool? {
      let window = time.minus(parameter("window"))..<time
      let count = frames(window, calls(part).filter { $0 <= last })
      let seconds = Double(parameter("window")) / 1e9
      if count <= Double(parameter("rate")) * seconds + Self.framesTolerance { return false }
      return limit.map { count > $0 * seconds + Self.framesTolerance }
    }
    // What was in force by the time that the stretch is long enough to be judged.
    if let setting = part.first(where: { isWrong($0, free, before: first, part) }) {
      return hit(max(events[setting].time, free), first)
    }
    let isCall = part.contains(first) && isPresent(first)
    var moments: [(Int64, Int)] = [(due, isCall ? first : first - 1)]
    for place in first..<max(end, first) where isPresent(place) {
      moments.append((events[place].time, place))
    }
    if isCall && first == end { moments.append((events[first].time, first)) }
    let settings = (first..<max(end, first)).filter { isTooHigh($0) }
    for (time, place) in moments {
      if let setting = settings.first, setting < place { return hit(events[setting].time, setting) }
      switch isTooFast(time, place) {
      case true?: return hit(time, max(place, first))
      case nil:
        isUnknown = true
        return nil
      case false?: continue
      }
    }
    return settings.first.map { hit(events[$0].time, $0) }
  }

  // MARK: Set

  private func rate(_ place: Int) -> Double? {
    guard events[place].kind == .glFrameRate, let rate = events[place].arguments["fps"]?.double,
      rate.isFinite
    else { return nil }
    return rate
  }

  private func isTooHigh(_ place: Int) -> Bool {
    rate(place).map { $0 > Double(parameter("rate")) } ?? false
  }

  /// Whether a rate was too high and still in force when it was no longer free.
  private func isWrong(_ place: Int, _ free: Int64, before first: Int, _ part: Range<Int>) -> Bool {
    guard place < first, isTooHigh(place) else { return false }
    let next = part.first { $0 > place && $0 < first && rate($0) != nil }
    return next.map { events[$0].time > free } ?? true
  }

  // MARK: Presented

  private func isPresent(_ place: Int) -> Bool {
    events[place].kind == .glCall && events[place].phase != .return
      && events[place].text("kind") == "present"
  }

  /// The calls in the foreground that present frames.
  private func calls(_ part: Range<Int>) -> [Int] {
    part.filter { isPresent($0) && !events[$0].stateAfter.isBackgroundOrSuspended }
  }

  /// The frames in a stretch of time. A call stands for the frames since the call before it.
  private func frames(_ window: Range<Int64>, _ calls: [Int]) -> Double {
    zip(calls, calls.dropFirst()).reduce(0) { sum, pair in
      let (from, to) = (events[pair.0].time, events[pair.1].time)
      let count = events[pair.1].arguments["count"]?.int64 ?? 1
      let frames = Double(min(max(count, 0), 1_000_000))
      if from == to {
        return sum + (to > window.lowerBound && to <= window.upperBound ? frames : 0)
      }
      let inside = min(to, window.upperBound) - max(from, window.lowerBound)
      return sum + (inside > 0 ? frames * Double(inside) / Double(to - from) : 0)
    }
  }

  /// The frames per second that are allowed; nil if the rate while active isn't known.
  private func limit(_ start: Int, _ first: Int, _ part: Range<Int>) -> Double? {
    let low = Double(parameter("rate"))
    let resign =
      events[start].stateBefore == .resigning
      ? part.last { $0 < start && isResigning($0) && events[$0].stateBefore != .resigning } : start
    guard let resign else { return nil }
    let state = events[resign].stateBefore
    guard state == .active else {
      return [.unknown, .notRunning].contains(state) ? nil : low
    }
    // The stretch of activity before, if its beginning is known.
    let active = part.last { $0 < resign && events[$0].stateBefore != .active }
    guard let active, events[active].stateAfter == .active,
      [.delegateDidBecomeActive, .sceneDidBecomeActive].contains(events[active].kind)
    else { return nil }
    let to = events[resign].time
    let from = max(events[active].time, to.minus(parameter("window")))
    guard from < to else { return low }
    // The next call still tells of the time before it.
    let next = part.first { $0 > resign && $0 <= first && isPresent($0) } ?? first
    let count = frames(from..<to, calls(part).filter { $0 <= next })
    let rate = count / (Double(to - from) / 1e9)
    return max(low, rate * Double(parameter("share")) / 100)
  }
}
