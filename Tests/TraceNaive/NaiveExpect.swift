// `expect`, the plain way: at every event every open instance is asked anew whether it is due.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  private struct Instance {
    var opening: Int
    var key: [NaiveKey]
    var closesLeft: Int64
    /// Whether it was opened isn't known, or whether it was closed since.
    var isDoubtful: Bool
  }

  private enum DueMoment {
    /// The time, and the place of the last event at it or before.
    case certain(time: Int64, moment: Int, launch: Int)
    case unknown
  }

  func hits(_ expect: Expect) -> [NaiveHit] {
    var open: [Instance] = []
    var hits: [NaiveHit] = []
    func end(_ instance: Instance, _ moment: DueMoment) {
      guard case .certain(let time, let moment, let launch) = moment, !instance.isDoubtful else {
        isUnknown = true
        return
      }
      hits.append(
        NaiveHit(
          offender: instance.opening, key: instance.key, time: time, moment: moment,
          launch: launch))
    }
    for place in events.indices {
      let event = events[place]
      if event.losesTrack { for index in open.indices { open[index].isDoubtful = true } }
      for instance in open {
        guard let due = due(expect, instance, at: place) else { continue }
        end(instance, due)
        open.removeAll { $0.opening == instance.opening }
      }
      if event.endsLaunch && !expect.outlivesLaunch {
        if !open.isEmpty { isUnknown = true }
        open = []
      }
      guard expect.outlivesLaunch || (event.isInLaunch && !event.endsProcess) else { continue }
      close(expect, &open, at: place)
      self.open(expect, &open, at: place)
    }
    for instance in open { end(instance, suspendedAtEnd(expect, instance) ?? .unknown) }
    return hits
  }

  // MARK: Opening and closing

  private func open(_ expect: Expect, _ open: inout [Instance], at place: Int) {
    let values = expect.opens.map { matches($0, keyedBy: expect.key, at(place)) }
    guard let which = values.firstIndex(of: true) ?? values.firstIndex(of: nil) else { return }
    let isCertain = values[which] == true
    let key = self.key(expect.opens[which], expect.key, at: place)
    let closes = number(expect.closesNeeded, at: place) ?? 1
    let new = Instance(
      opening: place, key: key, closesLeft: max(1, closes), isDoubtful: !isCertain)
    if expect.isSpan {
      if events[place].phase == .enter { open.append(new) }
      return
    }
    switch expect.reopening {
    case .keep:
      if open.contains(where: { $0.key == key && !$0.isDoubtful }) { return }
      open.removeAll { $0.key == key }
    case .replace: open.removeAll { $0.key == key }
    case .nest where !isCertain:
      // Which of them the next close is for isn't known.
      for index in open.indices where open[index].key == key { open[index].isDoubtful = true }
    case .nest: break
    }
    open.append(new)
  }

  private func close(_ expect: Expect, _ open: inout [Instance], at place: Int) {
    if expect.isSpan {
      open.removeAll { instance in
        switch trace.spanEnds[instance.opening] {
        case .returned(place)?: return true
        case .crossed(place)?:
          isUnknown = true
          return true
        default: return false
        }
      }
    }
    switch matchesAny(expect.closesAll, keyedBy: expect.key, at(place)) {
    case true?: open = []
    case nil: for index in open.indices { open[index].isDoubtful = true }
    case false?: break
    }
    closeOther(expect, &open, at: place)
    var hasClosed: Set<[NaiveKey]> = []
    for instance in open.reversed() {
      guard let index = open.firstIndex(where: { $0.opening == instance.opening }) else { continue }
      let own = expect.closes.filter { key($0, expect.key, at: place) == instance.key }
      let keyless = expect.closes.filter { isWithoutKey($0.key ?? expect.key, at: place) }
      let isForAll = matchesAny(keyless, keyedBy: expect.key, at(place))
      let isForOwn = matchesAny(own, keyedBy: expect.key, at(place))
      if isForAll == true {
        open.remove(at: index)
        continue
      }
      if isForAll == nil || isForOwn == nil { open[index].isDoubtful = true }
      guard isForOwn == true else { continue }
      // Of instances that nest each needs a close of its own: the innermost takes this one.
      let isFirst = hasClosed.insert(instance.key).inserted
      guard isFirst || expect.reopening != .nest || expect.isSpan else { continue }
      open[index].closesLeft -= 1
      if open[index].closesLeft == 0 { open.remove(at: index) }
    }
  }

  /// A close with a key that isn't open is for the instance that was opened first.
  private func closeOther(_ expect: Expect, _ open: inout [Instance], at place: Int) {
    guard expect.closesOthers, let first = open.first else { return }
    let closes = expect.closes.filter { close in
      let key = self.key(close, expect.key, at: place)
      let isForAll = isWithoutKey(close.key ?? expect.key, at: place)
      return !isForAll && !open.contains { $0.key == key }
    }
    switch matchesAny(closes, keyedBy: expect.key, at(place)) {
    case true?: if first.closesLeft > 1 { open[0].closesLeft -= 1 } else { open.removeFirst() }
    case nil: for index in open.indices { open[index].isDoubtful = true }
    case false?: break
    }
  }

  // MARK: Due

  private func due(_ expect: Expect, _ instance: Instance, at place: Int) -> DueMoment? {
    var certain: [(time: Int64, moment: Int, launch: Int)] = []
    var isDoubtful = false
    for due in expect.due {
      switch moment(due, expect, instance, at: place) {
      case nil: continue
      case .unknown?: isDoubtful = true
      case .certain(let time, let moment, let launch)?: certain.append((time, moment, launch))
      }
    }
    if let first = certain.min(by: { ($0.time, $0.moment) < ($1.time, $1.moment) }) {
      return .certain(time: first.time, moment: first.moment, launch: first.launch)
    }
    return isDoubtful ? .unknown : nil
  }

  private func moment(
    _ due: Due, _ expect: Expect, _ instance: Instance, at place: Int
  ) -> DueMoment? {
    let opening = instance.opening
    guard place > opening else { return nil }
    let event = events[place]
    // How long the app lived before it is started anew isn't known.
    // Nor whether it ran before a resume in an unknown state.
    let isHidden = event.kind == .procResume && event.stateBefore == .unknown
    let mayPassDeadlines = (!event.isNewStart || expect.outlivesLaunch) && !isHidden
    let point = at(place).judging(instance.key, expect.key)
    func now(_ value: Bool?) -> DueMoment? {
      guard let value else { return .unknown }
      return value ? .certain(time: event.time, moment: place, launch: event.launch) : nil
    }
    func passed(_ time: Int64?) -> DueMoment? {
      guard mayPassDeadlines, let time else { return nil }
      return .certain(time: time, moment: place - 1, launch: events[place - 1].launch)
    }
    switch due {
    case .within(let time):
      return passed(deadline(time, from: opening, passedAt: place, opening: opening))
    case .at(let patterns):
      return isHeard(expect, place) ? now(matchesAny(patterns, point)) : nil
    case .atSameKey(let patterns):
      guard isHeard(expect, place) else { return nil }
      let same = patterns.filter { key($0, expect.key, at: place) == instance.key }
      return now(matchesAny(same, point))
    case .after(let patterns, let time, let orSuspension, let unless):
      guard let (start, isCertain) = start(patterns, expect, instance, before: place) else {
        return nil
      }
      var isOff = isCalledOff(unless, expect, instance, from: start, before: place)
      if isOff == false && !isCertain { isOff = nil }
      if isOff == true { return nil }
      let suspended =
        orSuspension
        ? suspension(start, place, includingSeen: true, includingInferred: true) : nil
      let late = passed(deadline(time, from: start, passedAt: place, opening: opening))
      if isOff == false, case .certain(let first, _, _)? = suspended,
        case .certain(let second, _, _)? = late
      {
        return first <= second ? suspended : late
      }
      guard let first = suspended ?? late else { return nil }
      return isOff == nil ? .unknown : first
    case .suspension(let inferred):
      return suspension(opening, place, includingSeen: !inferred, includingInferred: inferred)
    case .graceEnd:
      let model = event.modelBefore
      guard mayPassDeadlines, model.state == .background, !model.mayRun(at: event.time) else {
        return nil
      }
      if model.mayHideReasons { return .unknown }
      let end = max(
        min(model.graceEndNanoseconds() ?? event.time, event.time), events[opening].time)
      return event.time > end ? passed(end) : nil
    case .processEnd(let patterns, let orNewStart, let condition):
      let isEnd = event.endsProcess ? matchesAny(patterns, point) : event.isNewStart && orNewStart
      let held = condition.flatMap {
        holds($0, before(place).judging(instance.key, expect.key))
      }
      let parts: [Bool?] = [isEnd, condition == nil ? true : held]
      switch Kleene.all(parts, { $0 }) {
      case false?: return nil
      case nil: return .unknown
      case true?:
        return .certain(time: event.time, moment: place, launch: events[place - 1].launch)
      }
    case .recordingEnd: return event.endsRecording && event.isClean ? now(true) : nil
    }
  }

  /// The first of these events after the opening, and whether it certainly is one.
  private func start(
    _ patterns: [EventPattern], _ expect: Expect, _ instance: Instance, before place: Int
  ) -> (place: Int, isCertain: Bool)? {
    for earlier in instance.opening + 1..<max(place, instance.opening + 1)
    where isHeard(expect, earlier) {
      let value = matchesAny(patterns, at(earlier).judging(instance.key, expect.key))
      if value != false { return (earlier, value == true) }
    }
    return nil
  }

  /// Whether one of these events came after a place; the instance is no longer due then.
  private func isCalledOff(
    _ unless: [EventPattern], _ expect: Expect, _ instance: Instance, from: Int, before place: Int
  ) -> Bool? {
    Kleene.any(Array(from + 1..<max(place, from + 1))) { later in
      guard isHeard(expect, later) else { return false }
      return matchesAny(unless, at(later).judging(instance.key, expect.key))
    }
  }

  /// Whether the trace ends in a suspension for which an instance is due.
  private func suspendedAtEnd(_ expect: Expect, _ instance: Instance) -> DueMoment? {
    let end = events.count
    for due in expect.due {
      switch due {
      case .suspension(let inferred):
        let moment = suspension(
          instance.opening, end, includingSeen: !inferred, includingInferred: inferred)
        if let moment { return moment }
      case .after(let patterns, _, orSuspension: true, let unless):
        guard let (start, isCertain) = start(patterns, expect, instance, before: end), isCertain,
          isCalledOff(unless, expect, instance, from: start, before: end) == false,
          let moment = suspension(start, end, includingSeen: true, includingInferred: true)
        else { continue }
        return moment
      default: continue
      }
    }
    return nil
  }

  private func isHeard(_ expect: Expect, _ place: Int) -> Bool {
    expect.outlivesLaunch || events[place].isInLaunch
  }

  /// A suspension after a place that has become certain, but for the tolerance, at another one.
  private func suspension(
    _ from: Int, _ place: Int, includingSeen: Bool, includingInferred: Bool
  ) -> DueMoment? {
    for suspension in trace.suspensions where suspension.start > from {
      guard suspension.start < place else { continue }
      guard suspension.isInferred ? includingInferred : includingSeen else { continue }
      let isOver = place == events.count || events[place].endsLaunch
      let hasEnded = suspension.end.map { $0 <= place } ?? isOver
      guard
        hasEnded || events[place].time > suspension.startTime.plus(trace.tolerance)
      else { continue }
      guard suspension.isConfirmed else {
        isUnknown = true
        continue
      }
      return .certain(
        time: suspension.startTime, moment: suspension.start,
        launch: events[suspension.start].launch)
    }
    return nil
  }
}
