// LC843, the plain way: from a kill back to the last warning, and from there on to a release.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Kills for memory after a warning that nothing was released for.
  func ignoredMemoryWarnings() -> [NaiveHit] {
    launches.compactMap { launch in
      guard case .process(let kill) = launch.end, events[kill].kind == .procKill,
        events[kill].text("cause") == "jetsam",
        let first = ignoredWarnings(launch, kill).first
      else { return nil }
      let state = events[kill].stateBefore
      if state == .unknown || hasGap(after: first, upTo: kill) {
        isUnknown = true
        return nil
      }
      guard [.active, .inactive, .background].contains(state) else { return nil }
      if ignoredWarnings(launch, kill).contains(where: { isWithoutComparison($0, launch) }) {
        isUnknown = true
        return nil
      }
      return NaiveHit(offender: kill, time: events[kill].time, moment: kill)
    }
  }

  /// The place of the warning, or those of both levels of pressure, that were ignored before the
  /// kill.
  private func ignoredWarnings(_ launch: NaiveLaunch, _ kill: Int) -> [Int] {
    func pressure(_ level: Int64, after place: Int) -> Int? {
      launch.places.last {
        let named = events[$0].arguments["level"]
        return $0 > place && events[$0].kind == .sysMemoryPressure
          && (named == .string("\(level)") || named?.int64 == level)
      }
    }
    // A kill long after the time was over has nothing to do with the warning.
    func isRecent(_ place: Int) -> Bool {
      let end = events[place].time.plus(parameter("limit"))
      return events[kill].time.minus(end) <= parameter("kill")
    }
    let warning = launch.places.last {
      events[$0].kind == .delegateDidReceiveMemoryWarning && events[$0].phase != .return
    }
    if let warning, !isFollowed(warning, launch), isRecent(warning) { return [warning] }
    guard let first = pressure(1, after: -1), let second = pressure(2, after: first),
      !isFollowed(first, launch), !isFollowed(second, launch), isRecent(second)
    else { return [] }
    return [first, second]
  }

  /// Whether memory is released while the time runs. A suspended app can't, so that only run time
  /// counts.
  private func isFollowed(_ warning: Int, _ launch: NaiveLaunch) -> Bool {
    launch.places.contains { isInTime($0, warning) && isRelease($0, launch) }
  }

  private func isInTime(_ place: Int, _ warning: Int) -> Bool {
    place > warning
      && events[place].runTime.minus(events[warning].runTime) <= parameter("limit")
  }

  /// Whether a sample comes in time, and no other before it: then nobody knows whether memory fell.
  private func isWithoutComparison(_ warning: Int, _ launch: NaiveLaunch) -> Bool {
    launch.places.contains { place in
      isInTime(place, warning) && events[place].footprint != nil
        && sample(before: place, launch) == nil
    }
  }

  /// The last sample of memory before a place, with nothing lost in between.
  private func sample(before place: Int, _ launch: NaiveLaunch) -> Int64? {
    launch.places.last { $0 < place && events[$0].footprint != nil }.flatMap {
      hasGap(after: $0, upTo: place) ? nil : events[$0].footprint
    }
  }

  private func isRelease(_ place: Int, _ launch: NaiveLaunch) -> Bool {
    let event = events[place]
    if event.kind == .memCache { return event.text("op") == "drop" }
    guard event.kind == .procFootprint, let bytes = event.footprint,
      let before = sample(before: place, launch)
    else { return false }
    return bytes < before
  }
}

extension NaiveEvent {
  /// The bytes of a sample of memory.
  var footprint: Int64? {
    guard kind == .procFootprint, let bytes = arguments["bytes"]?.int64, bytes >= 0 else {
      return nil
    }
    return bytes
  }
}
