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
      guard points.count == 1 else {
        if values.contains(where: { $0 != false }) { isUnknown = true }
        continue
      }
      if values[0] == nil { isUnknown = true }
      guard values[0] == true, counts(never, place, points[0]) else { continue }
      all.append(
        NaiveHit(
          offender: place, key: key(never.event, never.key, at: place), time: events[place].time,
          moment: points[0].moment, weight: weight(never, place)))
    }
    return group(all, per: never.unit).flatMap { exceeding($0, never) }
  }

  /// Of the events of a unit those that are too many; the first of them stands for those before.
  private func exceeding(_ hits: [NaiveHit], _ never: Never) -> [NaiveHit] {
    var sum = 0
    var result: [NaiveHit] = []
    for hit in hits.sorted(by: { $0.offender < $1.offender }) {
      sum = Int(clamping: Int64(sum).plus(Int64(hit.weight)))
      guard let max = number(never.max, at: hit.offender), Int64(sum) > max else {
        noteLosses(before: hit.offender)
        continue
      }
      var counted = hit
      if result.isEmpty { counted.weight = sum }
      result.append(counted)
    }
    return result
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
    if event.time < ending.time.minus(trace.tolerance) { return [own] }
    if ending.losesTrack { return undecided }
    var after = at(end)
    after.place = place
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
