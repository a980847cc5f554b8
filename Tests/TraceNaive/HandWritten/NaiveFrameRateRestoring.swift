// LC407, the plain way: each lowering is followed through the activations after it.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Frame rates that were lowered for an interruption and not raised after it.
  func unrestoredFrameRates() -> [NaiveHit] {
    launches.flatMap { launch in parts(launch).flatMap { unrestoredFrameRates($0, launch) } }
  }

  private func unrestoredFrameRates(_ part: Range<Int>, _ launch: NaiveLaunch) -> [NaiveHit] {
    var hits: [NaiveHit] = []
    var next = part.lowerBound
    while let lowering = part.first(where: { $0 >= next && isLowering($0, part) }) {
      let raise = part.first { $0 > lowering && change($0, part) > 0 }
      let due = due(after: lowering, part, launch)
      next = min(raise ?? part.upperBound, due?.place ?? part.upperBound)
      guard let due, due.place <= raise ?? .max else {
        if raise == nil { isUnknown = true }
        continue
      }
      switch isPaused(before: due.place, part) {
      case true?: continue
      case nil: isUnknown = true
      case false?:
        hits.append(NaiveHit(offender: lowering, time: due.time, moment: due.place - 1))
      }
    }
    return hits
  }

  /// Greater than 0 where the rate is raised, less where it is lowered.
  private func change(_ place: Int, _ part: Range<Int>) -> Double {
    guard let rate = rate(place),
      let last = part.last(where: { $0 < place && self.rate($0) != nil }),
      let before = self.rate(last)
    else { return 0 }
    return rate - before
  }

  private func rate(_ place: Int) -> Double? {
    guard events[place].kind == .glFrameRate, let rate = events[place].arguments["fps"]?.double,
      rate.isFinite
    else { return nil }
    return rate
  }

  /// Whether the rate is lowered between the enter of the callback that resigns and the next one
  /// that makes the app active.
  private func isLowering(_ place: Int, _ part: Range<Int>) -> Bool {
    guard change(place, part) < 0 else { return false }
    let turn = part.last { $0 < place && (isResigning($0) || isActivation($0)) }
    return turn.map(isResigning) ?? false
  }

  private func isResigning(_ place: Int) -> Bool {
    trace.isCallback(.delegateWillResignActive, at: place) == true
      && [.resigning, .inactive].contains(events[place].stateAfter)
  }

  private func isActivation(_ place: Int) -> Bool {
    trace.isCallback(.delegateDidBecomeActive, at: place) == true
      && events[place].stateAfter == .active
  }

  /// The first event at which the time after an activation is over, and when it was over.
  private func due(
    after lowering: Int, _ part: Range<Int>, _ launch: NaiveLaunch
  ) -> (place: Int, time: Int64)? {
    let end = launch.endPlace.map { $0 == part.upperBound ? [$0] : [] } ?? []
    var target: Int64?
    for place in part.filter({ $0 > lowering }) + end {
      let event = events[place]
      if let target, event.time > target { return (place, target) }
      if place == part.upperBound { break }
      // Interrupted again, the app has no time to speed up.
      if event.stateAfter != .active { target = nil }
      if target == nil && isActivation(place) && event.phase != .enter {
        target = event.time.plus(parameter("limit"))
      }
      // Who plays on has the time that a return gives.
      if target != nil && isGame && event.kind == .gameResume {
        target = event.time.plus(parameter("limit"))
      }
    }
    return nil
  }

  private var isGame: Bool { trace.header.string(.appKind) == "game" }

  /// Whether the game is paused; nil if that isn't known.
  private func isPaused(before place: Int, _ part: Range<Int>) -> Bool? {
    guard isGame else { return false }
    let last = part.last {
      $0 < place && [.gamePause, .gameResume].contains(events[$0].kind)
    }
    if let last { return events[last].kind == .gamePause }
    return events[part.lowerBound].losesTrack ? nil : false
  }
}
