// LC401, the plain way: for each entry into the background every submit is asked what covers it.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// News of a completion, and of what another thread submitted, may be so late.
  private static let lateNanoseconds: Int64 = 5_000_000

  /// Entries into the background with submits that aren't complete.
  func unfinishedSubmits() -> [NaiveHit] {
    let hits = launches.flatMap(unfinishedSubmits)
    // Who records no completions leaves open whether there were any.
    let isRecorded = launches.contains { launch in
      launch.places.contains { isFinish($0) || completed($0) != nil }
    }
    if !isRecorded && !hits.isEmpty { isUnknown = true }
    return isRecorded ? hits : []
  }

  private func unfinishedSubmits(_ launch: NaiveLaunch) -> [NaiveHit] {
    var judged = launch.places.lowerBound - 1
    return launch.places.filter(isEntry).compactMap { entry in
      let end = events[entry].time.plus(Self.lateNanoseconds)
      let all = submits(after: judged, entry, launch)
      let wait = wait(launch, after: entry) { place in
        if isEntry(place) && events[place].time <= end { return true }
        if case .process(place) = launch.end, events[place].text("cause") == "gpu_in_background" {
          return events[place].kind == .procKill
        }
        return events[place].time > end
      }
      guard case .over(let place) = wait, !isNews(place, end) else {
        // The app was in front again and left again, or nothing more is known: too soon to tell.
        if !all.isEmpty { isUnknown = true }
        return nil
      }
      judged = entry
      let open = all.filter { !isCovered($0, entry, upTo: min(place, launch.places.upperBound)) }
      // Where the app was when it made a submit may have been lost.
      let certain = open.filter {
        events[$0].stateAfter != .unknown && !hasGap(after: $0, upTo: entry)
      }
      if certain.count > parameter("pending") {
        return NaiveHit(offender: entry, time: events[entry].time, moment: entry)
      }
      if !open.isEmpty { isUnknown = true }
      return nil
    }
  }

  /// Whether the app enters the background once more before news of the entry before can be due.
  private func isNews(_ place: Int, _ end: Int64) -> Bool {
    isEntry(place) && events[place].time <= end
  }

  private func isEntry(_ place: Int) -> Bool {
    let event = events[place]
    return [.delegateDidEnterBackground, .sceneDidEnterBackground].contains(event.kind)
      && event.phase != .enter && event.stateAfter == .background
      && event.stateBefore != .background
  }

  /// What was submitted in front since the last entry that was judged, and by other threads until
  /// just after this one.
  private func submits(after judged: Int, _ entry: Int, _ launch: NaiveLaunch) -> [Int] {
    launch.places.filter { place in
      let event = events[place]
      guard place > judged, event.kind == .glCall, event.phase != .return,
        event.text("kind") != "finish", number(place) != nil
      else { return false }
      return place < entry
        ? !event.stateAfter.isBackgroundOrSuspended || isLate(place, after: judged)
        : isLate(place, entry)
    }
  }

  /// Whether a call comes just after the callback by which the app is in the background.
  private func isLate(_ place: Int, after first: Int = -1) -> Bool {
    guard let entry = events.indices.last(where: { $0 < place && isEntry($0) }), entry > first
    else { return false }
    return isLate(place, entry)
  }

  private func isLate(_ place: Int, _ entry: Int) -> Bool {
    events[place].thread != events[entry].thread
      && events[place].time <= events[entry].time.plus(Self.lateNanoseconds)
      && events[entry...place].allSatisfy { $0.stateAfter.isBackgroundOrSuspended }
  }

  private func isCovered(_ submit: Int, _ entry: Int, upTo last: Int) -> Bool {
    guard submit < last else { return false }
    return (submit + 1..<last).contains { place in
      let event = events[place]
      guard event.time <= events[entry].time.plus(Self.lateNanoseconds) else { return false }
      if let done = completed(place), let own = number(submit) { return own <= done }
      return isFinish(place) && key("context", at: place) == key("context", at: submit)
        && (!event.stateAfter.isBackgroundOrSuspended || isLate(place))
    }
  }

  private func isFinish(_ place: Int) -> Bool {
    events[place].kind == .glCall && events[place].phase != .enter
      && events[place].text("kind") == "finish"
  }

  /// Up to which number all submits are done.
  private func completed(_ place: Int) -> Int64? {
    events[place].kind == .glComplete ? number(place) : nil
  }

  private func number(_ place: Int) -> Int64? {
    if case .unsigned(let large)? = events[place].arguments["submit_id"] {
      return Int64(clamping: large)
    }
    return events[place].arguments["submit_id"]?.int64
  }
}
