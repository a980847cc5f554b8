// `lasts`, the plain way: each span, launch or stretch on its own.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  func hits(_ lasts: Lasts) -> [NaiveHit] {
    switch lasts.subject {
    case .span(let patterns): return spanHits(lasts, patterns)
    case .launch: return events.indices.compactMap { launchHit(lasts, $0) }
    case .condition(let condition): return conditionHits(lasts, condition)
    }
  }

  // MARK: Spans

  private func spanHits(_ lasts: Lasts, _ patterns: [EventPattern]) -> [NaiveHit] {
    var tooLong: [(enter: Int, end: Int, hit: NaiveHit)] = []
    for enter in events.indices where events[enter].isInLaunch && events[enter].phase == .enter {
      switch matchesAny(patterns, at(enter)) {
      case false?: continue
      case nil:
        // Whether it counts or not, a span that was short by any clock is none too long.
        if !isShort(lasts, enter) { isUnknown = true }
      case true?:
        guard let hit = spanHit(lasts, enter) else { continue }
        var end = events[enter...].firstIndex { $0.endsLaunch } ?? events.count
        if case .returned(let back)? = trace.spanEnds[enter] { end = back }
        tooLong.append((enter, end, hit))
      }
    }
    if lasts.isInnermost {
      let all = tooLong
      tooLong = all.filter { outer in
        !all.contains {
          $0.enter > outer.enter && $0.end <= outer.end
            && events[$0.enter].thread == events[outer.enter].thread
        }
      }
    }
    return tooLong.map(\.hit)
  }

  private func isShort(_ lasts: Lasts, _ enter: Int) -> Bool {
    guard case .returned(let end)? = trace.spanEnds[enter],
      let limit = number(lasts.max.amount, at: enter)
    else { return false }
    return events[end].time.minus(events[enter].time) <= limit
  }

  private func spanHit(_ lasts: Lasts, _ enter: Int) -> NaiveHit? {
    switch trace.spanEnds[enter] {
    case .returned(let end)?: return endedHit(lasts, from: enter, to: end, opening: enter)
    case .open?:
      let main = events[enter].thread
      return openHit(lasts, from: enter, opening: enter) { later in
        let event = self.events[later]
        return event.thread == main && event.phase != .return
          && (["delegate", "scene"].contains(event.namespace) || event.kind == .uiTouch)
      }
    default:
      isUnknown = true
      return nil
    }
  }

  private func endedHit(_ lasts: Lasts, from: Int, to end: Int, opening: Int) -> NaiveHit? {
    guard let limit = number(lasts.max.amount, at: opening) else { return nil }
    let duration = elapsed(lasts.max, from: from, to: end, isTaken: true)
    guard duration > limit, isMeant(lasts, duration, opening) else { return nil }
    return NaiveHit(
      offender: opening, time: events[end].time, moment: end, launch: events[opening].launch)
  }

  private func isMeant(_ lasts: Lasts, _ duration: Int64, _ opening: Int) -> Bool {
    lasts.upTo.map { number($0, at: opening).map { duration <= $0 } ?? false } ?? true
  }

  /// What is still open when its launch ends. `proves` says whether an event proves that the end
  /// was lost.
  private func openHit(
    _ lasts: Lasts, from: Int, opening: Int, _ proves: (Int) -> Bool
  ) -> NaiveHit? {
    guard lasts.openMessage != nil else {
      isUnknown = true
      return nil
    }
    let later = events.index(after: from)..<events.endIndex
    let ending = later.first { events[$0].endsLaunch }
    let end = ending.map { events[$0].isNewStart ? $0 - 1 : $0 } ?? events.count - 1
    if later.contains(where: { $0 <= end && proves($0) }) {
      isUnknown = true
      return nil
    }
    func hit(_ time: Int64, _ moment: Int) -> NaiveHit {
      NaiveHit(offender: opening, time: time, moment: moment, launch: events[opening].launch)
    }
    if isKill(end, causes: lasts.killCauses, codes: lasts.killCodes), events[end].endsProcess {
      return hit(events[end].time, end)
    }
    guard let limit = number(lasts.max.amount, at: opening) else { return nil }
    // The life cycle hasn't taken the event that ends a launch, but it has the last of any other.
    let isTaken = ending.map { events[$0].isNewStart } ?? true
    let duration = elapsed(lasts.max, from: from, to: end, isTaken: isTaken)
    guard duration > limit, lasts.upTo == nil else {
      isUnknown = true
      return nil
    }
    let time = events[end].time.minus(duration.minus(limit))
    let moment = events[...end].lastIndex { $0.time <= time } ?? from
    return hit(time, max(from, moment))
  }

  // MARK: Launches

  /// Of the event that begins a launch.
  private func launchHit(_ lasts: Lasts, _ begin: Int) -> NaiveHit? {
    guard events[begin].beginsLaunch, !events[begin].isMidLife else { return nil }
    let number = events[begin].launch
    let places = events.indices.filter {
      $0 >= begin && events[$0].launch == number && events[$0].isInLaunch
    }
    // A prewarmed process is launched later.
    guard let known = places.first(where: { events[$0].model.launch?.startNanoseconds != nil }),
      let launch = events[known].model.launch, let into = launch.into,
      let from = places.first(where: { events[$0].time == launch.startNanoseconds })
    else {
      isUnknown = true
      return nil
    }
    let later = places.filter { $0 > from }
    let finish = later.first {
      events[$0].kind == .delegateDidFinishLaunching && events[$0].phase != .enter
    }
    func begins(_ kinds: [EventKind], _ place: Int) -> Bool {
      events[place].phase != .return
        && kinds.contains { trace.isCallback($0, at: place) == true }
    }
    let active = later.first { begins([.delegateDidBecomeActive], $0) }
    let elsewhere = later.first {
      begins([.delegateWillResignActive, .delegateDidEnterBackground, .delegateWillTerminate], $0)
    }
    let shown = [active, elsewhere].compactMap(\.self).min()
    let over = into == .background ? finish : shown
    let watched = later.filter { $0 <= over ?? .max }
    if into == .background, let shown, shown < over ?? .max {
      // The return of the callback was lost.
      isUnknown = true
      return nil
    }
    if watched.contains(where: { events[$0].losesTrack || events[$0].kind == .uiTouch }) {
      // It may have been over before, and nobody knows since when.
      isUnknown = true
      return nil
    }
    let interruptions: [EventKind] = [
      .sysInterruption, .sysLock, .sysHomeButton, .sysAppSwitch,
    ]
    let isInterrupted = watched.contains {
      interruptions.contains(events[$0].kind) && events[$0].phase != .return
    }
    let finishBefore = finish.flatMap { $0 < over ?? .max ? $0 : nil }
    if let over, over == elsewhere {
      guard let finishBefore else {
        isUnknown = true
        return nil
      }
      return endedHit(lasts, from: from, to: finishBefore, opening: begin)
    }
    if into == .foreground, isInterrupted, let finishBefore {
      return endedHit(lasts, from: from, to: finishBefore, opening: begin)
    }
    guard let over else { return openHit(lasts, from: from, opening: begin) { _ in false } }
    return endedHit(lasts, from: from, to: over, opening: begin)
  }

  // MARK: Conditions

  private func conditionHits(_ lasts: Lasts, _ condition: Condition) -> [NaiveHit] {
    var hits: [NaiveHit] = []
    var begin: Int?
    for place in events.indices {
      let event = events[place]
      if let start = begin, !event.isNewStart, !event.losesTrack,
        let time = deadline(lasts.max, from: start, passedAt: place, opening: start),
        !hits.contains(where: { $0.offender == start })
      {
        hits.append(
          NaiveHit(
            offender: start, time: time, moment: place - 1, launch: events[place - 1].launch))
      }
      if event.losesTrack || event.endsLaunch { begin = nil }
      guard event.isInLaunch, !event.endsProcess, !event.endsRecording else { continue }
      // A process that waits to be launched does no work of the app's.
      switch holds(condition, at(place)) ?? (event.model.isPrewarmed ? false : nil) {
      case true?: begin = begin ?? place
      case false?: begin = nil
      case nil:
        begin = nil
        isUnknown = true
      }
    }
    if begin != nil { isUnknown = true }
    return hits
  }
}
