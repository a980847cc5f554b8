// `never`, the plain way: each event on its own, then the limit for each unit.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  func hits(_ never: Never) -> [NaiveHit] {
    if never.silentUnderDebugger && trace.isLimitedBySystem { return [] }
    var all: [NaiveHit] = []
    for place in events.indices where events[place].isInLaunch {
      let points = standpoints(place)
      let values = points.map { matches(never.event, keyedBy: never.key, $0.point) }
      // It may not matter on which side of a suspension the event falls.
      let counting = zip(points, values).map { point, value in
        value.map { $0 && counts(never, place, point) }
      }
      guard Set(counting) == [true] else {
        if counting.contains(where: { $0 != false }) { isUnknown = true }
        continue
      }
      all.append(
        NaiveHit(
          offender: place, key: key(never.event, never.key, at: place), time: events[place].time,
          moment: points[0].moment, weight: weight(never, place)))
    }
    let countsKeys = never.unit == .event && (number(never.max, at: 0) ?? 0) > 0
    return group(all, per: countsKeys ? .key : never.unit, splitsByKey: true)
      .flatMap { exceeding($0, never) }
  }

  /// Of the events of a unit those that are too many; the first of them stands for those before.
  private func exceeding(_ hits: [NaiveHit], _ never: Never) -> [NaiveHit] {
    var sum = 0
    var exceededBy: Int?
    var before = -1
    var result: [NaiveHit] = []
    for hit in hits.sorted(by: { $0.offender < $1.offender }) {
      let resets = (before + 1...hit.offender).contains { place in
        guard events[place].isInLaunch else { return false }
        let own = never.resets.filter { isFor(hit.key, $0, at: place) }
        let value = matchesAny(own, at(place))
        if value == nil { isUnknown = true }
        return value != false
      }
      if resets { (sum, exceededBy) = (0, nil) }
      before = hit.offender
      sum = Int(clamping: Int64(sum).plus(Int64(hit.weight)))
      guard let max = number(never.max, at: hit.offender), Int64(sum) > max else {
        noteLosses(before: hit.offender)
        continue
      }
      var counted = hit
      if exceededBy == nil { counted.weight = sum }
      exceededBy = exceededBy ?? hit.offender
      counted.reportedWith = exceededBy
      result.append(counted)
    }
    return result
  }

  /// Whether an event that begins a count anew does so for a key.
  private func isFor(_ key: [NaiveKey], _ pattern: EventPattern, at place: Int) -> Bool {
    guard let own = pattern.key, !own.isEmpty, !isWithoutKey(own, at: place) else { return true }
    return self.key(own, at: place) == key
  }

  private func weight(_ never: Never, _ place: Int) -> Int {
    guard let name = never.countArgument?.knownText,
      let count = events[place].arguments[name]?.int64, count > 1, count < 1 << 40
    else { return 1 }
    return Int(count)
  }

  /// Where an event is seen from, as far as the suspension around it leaves that certain; several
  /// where it doesn't.
  private func standpoints(_ place: Int) -> [(point: Standpoint, moment: Int)] {
    let event = events[place]
    let own = (at(place), place)
    guard event.stateAfter == .suspended, !event.endsProcess,
      let suspension = trace.suspension(at: place), place != suspension.begin,
      place != suspension.start
    else { return [own] }
    var running = at(place)
    running.state = .background
    if event.time <= suspension.startTime.plus(trace.tolerance) { return [(running, place)] }
    let undecided = [own, (running, place)]
    func isSilent(upTo last: Int) -> Bool {
      events[place...last].contains { $0.time > event.time.plus(trace.tolerance) }
    }
    guard let end = suspension.end else {
      return isSilent(upTo: events.count - 1) ? [own] : undecided
    }
    let ending = events[end]
    if ending.endsProcess {
      return !suspension.isInferred || isSilent(upTo: end) ? [own] : undecided
    }
    if ending.isNewStart { return isSilent(upTo: end) ? [own] : undecided }
    // What was lost may be the resume.
    if ending.losesTrack { return isSilent(upTo: end - 1) ? [own] : undecided }
    if event.time < ending.time.minus(trace.tolerance) { return [own] }
    var after = at(end)
    after.place = place
    // Whatever ended the suspension: the app ran again just before.
    after.state = .background
    return [(after, end)]
  }

  /// Whether an event that matches counts.
  private func counts(_ never: Never, _ place: Int, _ seen: (point: Standpoint, moment: Int))
    -> Bool
  {
    let isSuspended = seen.point.state == .suspended
    if isSuspended && never.ignoresCallbacksWhileSuspended && isInsideCallback(place) {
      return false
    }
    if never.lateNanoseconds == 0 && !never.isLateOnly { return true }
    let isLate = !isSuspended && isLate(never, place, seen.moment)
    return isLate == never.isLateOnly
  }

  /// Whether a callback that the system made during the suspension is open on the thread.
  private func isInsideCallback(_ place: Int) -> Bool {
    guard let suspension = trace.suspension(at: place) else { return false }
    return events.indices.contains { enter in
      let event = events[enter]
      guard enter > suspension.begin, enter <= place, event.phase == .enter,
        event.thread == events[place].thread, event.shape == .span,
        Vocabulary.description(of: event.kind)?.emitter == .system
      else { return false }
      if case .returned(let back)? = trace.spanEnds[enter] { return back > place }
      return true
    }
  }

  /// Whether an event on another thread comes just after the callback that entered the background.
  private func isLate(_ never: Never, _ place: Int, _ moment: Int) -> Bool {
    let entry = events[...moment].lastIndex {
      $0.stateAfter == .background && !$0.stateBefore.isBackgroundOrSuspended
    }
    guard let entry, !events[entry...moment].contains(where: { $0.resumes || $0.beginsLaunch })
    else { return false }
    let callback = events[entry]
    let kinds: [EventKind] = [
      .delegateDidEnterBackground, .sceneDidEnterBackground, .delegateDidFinishLaunching,
    ]
    return kinds.contains(callback.kind) && callback.phase != .enter
      && callback.thread != events[place].thread
      && events[place].time <= callback.time.plus(never.lateNanoseconds)
  }
}
