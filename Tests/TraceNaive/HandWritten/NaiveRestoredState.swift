// LC854, the plain way: each launch is compared with the one just before it.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Stores that were saved on the way to the background and not read by the next launch.
  func unrestoredStores() -> [NaiveHit] {
    let launches = launches
    return zip(launches, launches.dropFirst()).flatMap(unrestoredStores)
  }

  private func unrestoredStores(_ before: NaiveLaunch, _ next: NaiveLaunch) -> [NaiveHit] {
    guard let end = endInBackground(before), let start = next.places.first,
      // Between launches a whole one may be lost.
      !hasGap(after: end, upTo: start), !events[start].isMidLife,
      events[start].model.launch?.into != .background
    else { return [] }
    let saves = lastSaves(before)
    guard !saves.isEmpty else { return [] }
    let activated = wait(next, after: start - 1) { place in
      events[place].stateAfter == .active && events[place].phase != .enter
        && trace.isCallback(.delegateDidBecomeActive, at: place) == true
    }
    guard case .over(let activation) = activated else {
      isUnknown = true
      return []
    }
    // A prewarmed process may have gone elsewhere.
    guard events[activation].model.launch?.into == .foreground else { return [] }
    return saves.compactMap { store, save in
      let isRead = (start..<activation).contains {
        events[$0].kind == .dataRestore && isSame(key("store", at: $0), store)
      }
      if isRead { return nil }
      if hasGap(after: save, upTo: before.places.upperBound - 1) {
        isUnknown = true
        return nil
      }
      return NaiveHit(
        offender: save, key: [store], time: events[activation].time, moment: activation)
    }
  }

  /// The place of the last event of a launch that ended while in the background; nil if it ended
  /// elsewhere, or may not have ended.
  private func endInBackground(_ launch: NaiveLaunch) -> Int? {
    switch launch.end {
    case .process(let place):
      events[place].stateBefore.isBackgroundOrSuspended ? place : nil
    case .newStart(let place):
      // The next process is the only news of the end.
      events[place].stateBefore.isBackgroundOrSuspended ? place : nil
    case .recorded, .truncated: nil
    }
  }

  /// The last successful save of each store on the way to the background, or in it, after which
  /// the app wasn't in front again.
  private func lastSaves(_ launch: NaiveLaunch) -> [NaiveKey: Int] {
    var saves: [NaiveKey: Int] = [:]
    for part in parts(launch) {
      var open: [Int] = []
      for place in part {
        let event = events[place]
        if event.stateAfter.isForeground { saves = [:] }
        guard event.kind == .dataSave, !event.isVoid else { continue }
        if event.phase == .enter {
          open.append(place)
          continue
        }
        // What the end of a save doesn't say, its beginning does.
        let own = key("store", at: place)
        var enter: Int?
        if event.phase == .return {
          enter = open.last {
            events[$0].thread == event.thread && isSame(key("store", at: $0), own)
          }
          open.removeAll { $0 == enter }
        }
        let store = own == .absent ? enter.map { key("store", at: $0) } ?? .absent : own
        let hasFailed = [place, enter ?? place].contains { events[$0].truth("ok") == false }
        if [.enteringBackground, .background].contains(event.stateAfter) && !hasFailed {
          saves[store] = place
        }
      }
    }
    return saves
  }

  /// Names may be the same where one isn't given.
  func isSame(_ key: NaiveKey, _ other: NaiveKey) -> Bool {
    key == other || key == .absent || other == .absent
  }
}
